// Which checks the rules of a branch require, and from whom, whether classic protection or rulesets say so.
// https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch
import { z } from 'zod'
import type { Protection } from '../../../core/decision/model.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { orUnseen } from '../status.ts'

export type RequiredCheck = { readonly context: string; readonly app: number | null }

const ruled = z.object({ context: z.string(), integration_id: z.number().nullish() })
const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z.object({ required_status_checks: z.array(ruled).default([]) }).optional(),
  }),
)
const guarded = z.object({ context: z.string(), app_id: z.number().nullish() })
const protection = z.object({
  protection: z
    .object({
      required_status_checks: z
        .object({ contexts: z.array(z.string()).default([]), checks: z.array(guarded).default([]) })
        .nullish(),
    })
    .nullish(),
})

const RULE_PAGES_MAX = 20

const rulesOf = async ({ octokit, place }: Pick<Access, 'octokit' | 'place'>, branch: string): Promise<unknown[]> =>
  allPages(RULE_PAGES_MAX, async (page) => {
    const asked = { ...place, branch, per_page: PER_PAGE, page }
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/rules/branches/{branch}', asked)
    return z.array(z.unknown()).parse(data)
  })

/** Null where nobody lets us see them. */
export async function requiredChecks(
  { octokit, place }: Access,
  branch: string,
): Promise<readonly RequiredCheck[] | null> {
  const [sets, classic] = await Promise.all([
    orUnseen(rulesOf({ octokit, place }, branch)),
    orUnseen(octokit.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...place, branch })),
  ])
  if (sets === null && classic === null) return null
  const byRules = rules
    .catch([])
    .parse(sets)
    .flatMap(({ parameters }) => parameters?.required_status_checks ?? [])
    .map(({ context, integration_id }): RequiredCheck => ({ context, app: integration_id ?? null }))
  const required = protection.catch({}).parse(classic?.data).protection?.required_status_checks
  const byBranch = (required?.checks ?? []).map(({ context, app_id }) => ({ context, app: app_id ?? null }))
  const named = (required?.contexts ?? []).filter((name) => !byBranch.some(({ context }) => context === name))
  return [...byRules, ...byBranch, ...named.map((context) => ({ context, app: null }))]
}

export function protectionBy(
  required: readonly RequiredCheck[] | null,
  check: string,
  ownApp: number | null,
): Protection | null {
  if (required === null) return null
  const ours = required.filter(({ context }) => context === check)
  if (ours.length === 0) return 'none'
  return ours.some(({ app }) => app !== null && app === ownApp) ? 'pinned' : 'unpinned'
}
