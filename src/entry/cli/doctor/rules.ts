// What the rules of the default branch make of the check: whether they require it, from this App alone, and who may go around
// them. https://docs.github.com/en/rest/repos/rules
import { z } from 'zod'
import type { GitHubClient, Place } from '../../../adapters/github/access.ts'
import { protectionBy, requiredChecks } from '../../../adapters/github/pulls/branches.ts'
import { allPages, PER_PAGE } from '../../../adapters/github/pages.ts'
import { orUnseen } from '../../../adapters/github/status.ts'
import { plainCheckName } from '../../../core/decision/subject.ts'
import type { Self } from './app.ts'
import { looked, ok, unknown, warning, wrong, type Finding } from './finding.ts'

export type Branch = {
  readonly octokit: GitHubClient
  readonly place: Place
  readonly branch: string
  readonly pages: string
}

/** Also what `--fix` goes by. */
export type Requirement = { readonly finding: Finding; readonly isMet: boolean }

export async function requirementOf(
  { octokit, place, branch, pages }: Branch,
  self: Self | null,
): Promise<Requirement> {
  const rules = `${pages}/${place.owner}/${place.repo}/settings/rules`
  const access = { octokit, place, slug: '', app: self?.id ?? null, now: () => 0 }
  const required = await requiredChecks(access, branch)
  const about = 'required check'
  const mend = `countersign doctor ${place.owner}/${place.repo} --fix, or ${rules}`
  switch (protectionBy(required, plainCheckName, self?.id ?? null)) {
    case null:
      return { finding: unknown(about, `the rules of ${branch} cannot be seen`), isMet: true }
    case 'none':
      return {
        finding: wrong(about, `no rule of ${branch} requires \`${plainCheckName}\`, so it blocks no merge`, mend),
        isMet: false,
      }
    case 'pinned':
      return { finding: ok(about, `${branch} requires \`${plainCheckName}\` from this App alone`), isMet: true }
    case 'unpinned': {
      const apps = (required ?? []).filter(({ context }) => context === plainCheckName).flatMap(({ app }) => app ?? [])
      if (self === null && apps.length > 0)
        return { finding: unknown(about, `${branch} requires it from the App ${apps.join(', ')}; whether that is yours cannot be seen without the App’s credentials`), isMet: true } // prettier-ignore
      const from = apps.length > 0 ? `from another App (${apps.join(', ')})` : 'from anybody who may report'
      return { finding: wrong(about, `${branch} takes \`${plainCheckName}\` ${from}`, mend), isMet: false }
    }
  }
}

const rule = z.array(
  z.object({ type: z.string(), ruleset_id: z.number().optional(), ruleset_source_type: z.string().optional() }),
)
const RULE_PAGES_MAX = 20

const rulesOf = async ({ octokit, place, branch }: Branch): Promise<z.output<typeof rule>> =>
  rule.parse(
    await allPages(RULE_PAGES_MAX, async (page) => {
      const asked = { ...place, branch, per_page: PER_PAGE, page }
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/rules/branches/{branch}', asked)
      return z.array(z.unknown()).parse(data)
    }),
  )

/** Null where nobody can tell. */
export const hasQueue = async (branch: Branch): Promise<boolean | null> =>
  rulesOf(branch).then(
    (rules) => rules.some(({ type }) => type === 'merge_queue'),
    () => null,
  )

const actor = z.object({
  actor_id: z.number().nullish(),
  actor_type: z.string(),
  bypass_mode: z.string().default('always'),
})
const whole = z.object({ name: z.string(), bypass_actors: z.array(actor).optional() })
const protection = z.object({ enforce_admins: z.object({ enabled: z.boolean() }).optional() })

/** Rulesets have lists of those who need not keep to them; classic protection may leave administrators out. */
export async function sideDoors(branch: Branch, isAdmin: boolean): Promise<Finding[]> {
  const about = 'side doors'
  const { octokit, place, pages } = branch
  if (!isAdmin)
    return [
      unknown(about, 'who may bypass the rules is shown to administrators alone: set GITHUB_TOKEN to the token of one'),
    ]
  return looked(about, async () => {
    const ids = [
      ...new Set(
        (await rulesOf(branch))
          .filter(({ type }) => type === 'required_status_checks')
          .flatMap(({ ruleset_id: id }) => id ?? []),
      ),
    ]
    const found: Finding[] = []
    for (const ruleset_id of ids) {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/rulesets/{ruleset_id}', {
        ...place,
        ruleset_id,
      })
      const { name, bypass_actors: actors } = whole.parse(data)
      const page = `${pages}/${place.owner}/${place.repo}/settings/rules/${ruleset_id}`
      if (actors === undefined)
        found.push(
          unknown(about, `who may bypass the ruleset \`${name}\` is shown to those alone who may change it`, page),
        )
      else if (actors.length > 0)
        found.push(warning(about, `the ruleset \`${name}\` lets ${actors.map(sayActor).join(', ')} go around it`, page))
    }
    const asked = octokit.request('GET /repos/{owner}/{repo}/branches/{branch}/protection', {
      ...place,
      branch: branch.branch,
    })
    const classic = protection.safeParse((await orUnseen(asked))?.data).data
    const settings = `${pages}/${place.owner}/${place.repo}/settings/branches`
    if (classic?.enforce_admins?.enabled === false)
      found.push(warning(about, `the protection of ${branch.branch} does not bind administrators`, settings))
    if (found.length > 0) return found
    return ids.length > 0 || classic !== undefined
      ? ok(about, 'nobody may go around the rules')
      : unknown(about, 'no rule requires anything yet, so there is nothing to go around')
  })
}

function sayActor({ actor_id: id, actor_type: type, bypass_mode: mode }: z.output<typeof actor>): string {
  const names: Readonly<Record<string, string>> = {
    OrganizationAdmin: 'the organisation’s administrators',
    RepositoryRole: `the repository role ${id ?? ''}`,
    Team: `the team ${id ?? ''}`,
    Integration: `the App ${id ?? ''}`,
    DeployKey: 'deploy keys',
    User: `the account ${id ?? ''}`,
  }
  return `${names[type] ?? type}${mode === 'pull_request' ? ' (in pull requests)' : ''}`
}
