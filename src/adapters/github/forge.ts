// One repository on GitHub: reads what the engine asks for, and shows what it concluded.
import type { Octokit } from '@octokit/rest'
import type { Shown } from '../../core/decision/owed.ts'
import { stickyMarker } from '../../core/words/report.ts'
import type { Forge } from '../../ports.ts'
import { adoptedResults } from './adopted.ts'
import { createRun, showRun } from './check-run.ts'
import { requiredChecks } from './branches.ts'
import { pullsMergedInto } from './group-commits.ts'
import { census, personNow } from './collaborators.ts'
import { changedFiles } from './files.ts'
import { organisationPolicy, policyAt, policyTexts } from './policy-file.ts'
import { closedIssues, issueText, openPulls, pullFacts } from './pulls.ts'
import { requestReview } from './review-request.ts'
import { statusOf } from './status.ts'
import { remembered } from './remembered.ts'

/** `fullName` is looked up each time, since repositories are renamed. */
export type Place = { readonly owner: string; readonly repo: string }
/** What Probot's client and the plain one have in common. */
export type GitHubClient = Pick<Octokit, 'rest' | 'request' | 'graphql' | 'paginate'>
export type Access = {
  readonly octokit: GitHubClient
  readonly place: Place
  readonly slug: string
  readonly now: () => number
}

const CENSUS_MS = 10 * 60_000
const RULES_MS = 60_000
const ORGANISATION_MS = 5 * 60_000
const BODY_MAX = 65_000

const botOf = ({ slug }: Access): string => `${slug}[bot]`

export function githubForge(access: Access): Forge {
  const { octokit, place, now } = access
  const roster = remembered(now, CENSUS_MS, () => census(access))
  const organisation = remembered(now, ORGANISATION_MS, () => organisationPolicy(access))
  const rules = new Map<string, () => Promise<readonly string[]>>()
  const rulesOf = (branch: string): Promise<readonly string[]> => {
    const known = rules.get(branch) ?? remembered(now, RULES_MS, () => requiredChecks(access, branch))
    rules.set(branch, known)
    return known()
  }
  return {
    self: botOf(access),
    show: (shown, ref) =>
      shown.kind === 'review_request' ? requestReview(access, shown, roster) : show(access, shown, ref),
    announce: (sha, name) => createRun(access, sha, name, { status: 'queued' }),
    head: (pull) => headOf(access, pull),
    policyCopy: async ({ head_sha }) => policyAt(access, head_sha),
    changedFiles: (attempt) => changedFiles(access, attempt, () => headOf(access, attempt.pull)),
    results: (attempt) => adoptedResults(access, attempt),
    pull: (pull) => pullFacts(access, pull),
    openPulls: () => openPulls(access),
    issue: (number) => issueText(access, number),
    closedIssues: (pull) => closedIssues(access, pull),
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
      await octokit.rest.issues.removeLabel({ ...place, issue_number: pull, name }).catch(ignoreMissing)
    },
  }
}

/** Read now, so that it is not older than the question. */
async function headOf({ octokit, place }: Access, pull_number: number): Promise<string | null> {
  const { data } = await octokit.rest.pulls.get({ ...place, pull_number, request: { fresh: true } })
  return data.state === 'open' && !data.draft ? data.head.sha : null
}

/** Gone already is as good as removed. */
function ignoreMissing(error: unknown): void {
  if (statusOf(error) !== 404) throw error
}

async function show(
  access: Access,
  shown: Exclude<Shown, { kind: 'review_request' }>,
  ref: string | null,
): Promise<{ ref: string | null }> {
  switch (shown.kind) {
    case 'check_run':
      return showRun(access, shown, ref)
    case 'note': {
      // Said once: what was said before is not edited when its reason changes.
      if (ref !== null) return { ref }
      const { octokit, place } = access
      const { data } = await octokit.rest.issues.createComment({ ...place, issue_number: shown.pull, body: shown.body })
      return { ref: String(data.id) }
    }
    case 'sticky':
      return showSticky(access, shown, ref)
    case 'labels':
      return showLabels(access, shown, ref)
  }
}

/** One comment per pull request, edited in place. Without a reference it may still be there from before a crash. */
async function showSticky(
  access: Access,
  { pull, body: whole }: Extract<Shown, { kind: 'sticky' }>,
  ref: string | null,
): Promise<{ ref: string }> {
  const { octokit, place } = access
  const body = whole.slice(0, BODY_MAX)
  if (ref !== null) {
    try {
      await octokit.rest.issues.updateComment({ ...place, comment_id: Number(ref), body })
      return { ref }
    } catch (error) {
      ignoreMissing(error)
    }
  }
  const { data: comments } = await octokit.rest.issues.listComments({ ...place, issue_number: pull, per_page: 100 })
  const ours = comments.find(({ user, body }) => user?.login === botOf(access) && body?.startsWith(stickyMarker))
  if (ours !== undefined) {
    await octokit.rest.issues.updateComment({ ...place, comment_id: ours.id, body })
    return { ref: String(ours.id) }
  }
  const { data } = await octokit.rest.issues.createComment({ ...place, issue_number: pull, body })
  return { ref: String(data.id) }
}

const inputs = ['countersign:override', 'countersign:approve', 'countersign:reject']

/** Only labels of state are ours to set and to remove; those that people use as inputs are theirs. `ref` lists ours. */
async function showLabels(
  access: Access,
  { pull, labels }: Extract<Shown, { kind: 'labels' }>,
  ref: string | null,
): Promise<{ ref: string }> {
  const { octokit, place } = access
  const present = ref === null ? await ownLabels(access, pull) : ref.split(',').filter((label) => label !== '')
  const missing = labels.filter((label) => !present.includes(label))
  if (missing.length > 0) await octokit.rest.issues.addLabels({ ...place, issue_number: pull, labels: missing })
  for (const name of present.filter((label) => !labels.includes(label))) {
    await octokit.rest.issues.removeLabel({ ...place, issue_number: pull, name }).catch(ignoreMissing)
  }
  return { ref: labels.join(',') }
}

async function ownLabels({ octokit, place }: Access, pull: number): Promise<string[]> {
  const { data } = await octokit.rest.issues.listLabelsOnIssue({ ...place, issue_number: pull, per_page: 100 })
  const names = data.map(({ name }) => name)
  return names.filter((name) => name.startsWith('countersign:') && !inputs.includes(name))
}
