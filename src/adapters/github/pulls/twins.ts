// Open pull requests that have the same commit as their head. A check run counts for each of them, whether anybody told us of it or
// not. https://docs.github.com/en/graphql/reference/objects#commit
import { z } from 'zod'
import type { PullNow, Twin } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { PER_PAGE } from '../pages.ts'
import { baseOf } from './pulls.ts'

/** The newest of them: GitHub gives no more at once. */
const TWINS_MAX = 100

/** Asked of a pull request. */
export const twinsField = `commits(last: 1) {
        nodes {
          commit {
            associatedPullRequests(first: ${TWINS_MAX}, orderBy: { field: CREATED_AT, direction: DESC }) {
              nodes { number state isDraft headRefOid baseRefName updatedAt }
            }
          }
        }
      }`

const associated = z.object({
  number: z.number(),
  state: z.string(),
  isDraft: z.boolean(),
  headRefOid: z.string(),
  baseRefName: z.string(),
  updatedAt: z.string(),
})
const listOf = <Node extends z.ZodType>(node: Node) => z.object({ nodes: z.array(node) })
export const twinsShape = listOf(
  z.object({ commit: z.object({ associatedPullRequests: listOf(associated).nullable() }) }),
)

type Looked = { readonly number: number; readonly headRefOid: string; readonly commits: z.output<typeof twinsShape> }

export function twinsIn({ number, headRefOid, commits }: Looked, defaultBranch: string | null): readonly Twin[] {
  const all = commits.nodes.flatMap(({ commit }) => commit.associatedPullRequests?.nodes ?? [])
  const seen = all.map((one) => ({
    pull: one.number,
    head_sha: one.headRefOid,
    base_ref: one.baseRefName,
    base_is_default: one.baseRefName === defaultBranch,
    merges_into: one.baseRefName,
    updated_at: one.updatedAt,
    isReady: one.state === 'OPEN' && !one.isDraft,
  }))
  return twinsOf(seen, number, headRefOid)
}

const listed = z.array(
  z.looseObject({
    number: z.number(),
    state: z.string(),
    draft: z.boolean().default(false),
    head: z.object({ sha: z.string() }),
    updated_at: z.string(),
  }),
)

export async function twinsByRest(
  { octokit, place }: Access,
  pull: number,
  now: PullNow | null,
): Promise<readonly Twin[]> {
  if (now === null) return []
  const asked = { ...place, commit_sha: now.head_sha, per_page: PER_PAGE }
  const { data } = await octokit.rest.repos.listPullRequestsAssociatedWithCommit(asked)
  const seen = listed.parse(data).map((one) => ({
    pull: one.number,
    head_sha: one.head.sha,
    updated_at: one.updated_at,
    ...baseOf(one),
    isReady: one.state === 'open' && !one.draft,
  }))
  return twinsOf(seen, pull, now.head_sha)
}

/** GitHub names those as well that have the commit below their head. */
const twinsOf = (seen: readonly (Twin & { readonly isReady: boolean })[], pull: number, sha: string): readonly Twin[] =>
  seen.flatMap(({ isReady, ...one }) => (isReady && one.pull !== pull && one.head_sha === sha ? [one] : []))
