// One repository on GitHub: reads what the engine asks for, and shows what it concluded.
import type { Forge } from '../../ports.ts'
import { botOf, type Access } from './access.ts'
import { adoptedResults } from './adopted.ts'
import { briefByGraphql, briefByRest } from './brief.ts'
import { createRun } from './check-run.ts'
import { foundPlaces } from './found.ts'
import { BODY_MAX, show } from './show.ts'
import { requiredChecks } from './branches.ts'
import { pullsMergedInto } from './group-commits.ts'
import { census, personNow } from './collaborators.ts'
import { changedFiles } from './files.ts'
import { organisationPolicy, policyAt, policyTexts } from './policy-file.ts'
import { issueText, openPulls } from './pulls.ts'
import { orMissing } from './status.ts'
import { remembered } from './remembered.ts'

const CENSUS_MS = 10 * 60_000
const RULES_MS = 60_000
const ORGANISATION_MS = 5 * 60_000
/** A GitHub without GraphQL is not asked each time. */
const REST_MS = 10 * 60_000

export function githubForge(access: Access): Forge {
  const { octokit, place, now } = access
  const roster = remembered(now, CENSUS_MS, () => census(access))
  const organisation = remembered(now, ORGANISATION_MS, () => organisationPolicy(access))
  const found = foundPlaces(now)
  let restUntil = 0
  const rules = new Map<string, () => Promise<readonly string[]>>()
  const rulesOf = (branch: string): Promise<readonly string[]> => {
    const known = rules.get(branch) ?? remembered(now, RULES_MS, () => requiredChecks(access, branch))
    rules.set(branch, known)
    return known()
  }
  return {
    self: botOf(access),
    show: (shown, ref) => show(access, shown, ref, { roster, found }),
    announce: (sha, name) => createRun(access, sha, name, { status: 'queued' }),
    head: (pull) => headOf(access, pull),
    policyCopy: async ({ head_sha }) => policyAt(access, head_sha),
    changedFiles: (attempt) => changedFiles(access, attempt, () => headOf(access, attempt.pull)),
    results: (attempt) => adoptedResults(access, attempt),
    brief: async (pull, base_ref) => {
      const read = now() < restUntil ? null : await briefByGraphql(access, { pull, base_ref }, organisation)
      if (read === null && now() >= restUntil) restUntil = now() + REST_MS
      const { brief, found: there } = read ?? (await briefByRest(access, pull, organisation))
      found.note(pull, there)
      return brief
    },
    openPulls: () => openPulls(access),
    issue: (number) => issueText(access, number),
    pullsBetween: (base, head) => pullsMergedInto(access, base, head),
    policy: (branch) => policyTexts(access, branch, organisation),
    requires: async (branch, check) => (await rulesOf(branch)).includes(check),
    census: roster,
    person: (login, kind, teams) => personNow(access, login, kind, teams),
    reply: async (pull, body) => {
      await octokit.rest.issues.createComment({ ...place, issue_number: pull, body: body.slice(0, BODY_MAX) })
    },
    react: async (comment_id, content) => {
      await octokit.rest.reactions.createForIssueComment({ ...place, comment_id, content })
    },
    removeLabel: async (pull, name) => {
      await orMissing(octokit.rest.issues.removeLabel({ ...place, issue_number: pull, name }))
    },
  }
}

/** Read now, so that it is not older than the question. */
async function headOf({ octokit, place }: Access, pull_number: number): Promise<string | null> {
  const { data } = await octokit.rest.pulls.get({ ...place, pull_number, request: { fresh: true } })
  return data.state === 'open' && !data.draft ? data.head.sha : null
}
