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
  const twins = all.filter(
    (one) => one.number !== number && one.state === 'OPEN' && !one.isDraft && one.headRefOid === headRefOid,
  )
  return twins.map(({ number: pull, headRefOid: head_sha, baseRefName: base_ref, updatedAt: updated_at }) => {
    const base_is_default = base_ref === defaultBranch
    return { pull, head_sha, base_ref, base_is_default, merges_into: base_ref, updated_at }
  })
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
  const twins = listed
    .parse(data)
    .filter((one) => one.number !== pull && one.state === 'open' && !one.draft && one.head.sha === now.head_sha)
  return twins.map((one) => {
    const { number, head, updated_at } = one
    return { pull: number, head_sha: head.sha, updated_at, ...baseOf(one) }
  })
}
