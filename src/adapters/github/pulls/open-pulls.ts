// The open pull requests of many repositories, and their goals and requests, in one question. What it does not answer, or not as a whole, is read over REST
// by whoever asked, one repository at a time.
// https://docs.github.com/en/graphql/reference/objects#pullrequest
import { z } from 'zod'
import type { MarkedIssue } from '../../../core/issue-boards.ts'
import type { RepositoryListed, PullListed } from '../../../ports.ts'
import type { GitHubClient, Place } from '../access.ts'
import { isRefusedQuery } from '../status.ts'

/** GitHub charges a point for a hundred lists, and gives up on a question after ten seconds. */
export const REPOSITORIES_ASKED_MAX = 100
const PULLS_MAX = 100
/** Those that moved last; what is older was looked at when it moved. */
const marked = 'states: [OPEN], first: 50, orderBy: { field: UPDATED_AT, direction: DESC }'

export function openPullsQuery(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const variables = numbers.map((n) => `$owner${n}: String!, $repo${n}: String!`)
  const fields = numbers.map((n) => `  repo${n}: repository(owner: $owner${n}, name: $repo${n}) { ...listed }`)
  return `query (${variables.join(', ')}) {
${fields.join('\n')}
  rateLimit { cost }
}
fragment listed on Repository {
  defaultBranchRef { name }
  goals: issues(labels: ["goal"], ${marked}) { nodes { number updatedAt } }
  requests: issues(labels: ["request"], ${marked}) { nodes { number updatedAt } }
  pullRequests(states: [OPEN], first: ${PULLS_MAX}) {
    pageInfo { hasNextPage }
    nodes { number isDraft headRefOid baseRefName createdAt updatedAt statusCheckRollup { state } }
  }
}`
}

/** At most `REPOSITORIES_ASKED_MAX`; null for what has to be read over REST. */
export async function openPullsTogether(
  octokit: GitHubClient,
  places: readonly Place[],
): Promise<readonly (RepositoryListed | null)[]> {
  const values = places.flatMap(({ owner, repo }, index) => [
    [`owner${index}`, owner],
    [`repo${index}`, repo],
  ])
  const answered = await ask(octokit, openPullsQuery(places.length), Object.fromEntries(values))
  return places.map((_, index) => {
    const { data } = listed.safeParse(answered[`repo${index}`])
    if (data === undefined) return null
    const pulls = data.pullRequests.pageInfo.hasNextPage ? null : pullsIn(data)
    return { pulls, marked: [...markedAs('goal', data.goals), ...markedAs('request', data.requests)] }
  })
}

async function ask(octokit: GitHubClient, query: string, values: object): Promise<Readonly<Record<string, unknown>>> {
  try {
    return answers.parse(await octokit.graphql(query, { ...values }))
  } catch (error) {
    // Of a repository that is gone only that one is missing.
    if (isRefusedQuery(error)) return partial.parse(error).data ?? {}
    throw error
  }
}

const markedAs = (kind: MarkedIssue['kind'], { nodes }: z.output<typeof issues>): MarkedIssue[] =>
  nodes.map(({ number, updatedAt: updated_at }) => ({ kind, number, updated_at }))

const answers = z.record(z.string(), z.unknown())
const partial = z.object({ data: answers.nullish() })
const issues = z.object({ nodes: z.array(z.object({ number: z.number(), updatedAt: z.string() })) })
const listed = z.object({
  goals: issues,
  requests: issues,
  defaultBranchRef: z.object({ name: z.string() }).nullable(),
  pullRequests: z.object({
    pageInfo: z.object({ hasNextPage: z.boolean() }),
    nodes: z.array(
      z.object({
        number: z.number(),
        isDraft: z.boolean(),
        headRefOid: z.string(),
        baseRefName: z.string(),
        createdAt: z.string(),
        updatedAt: z.string(),
        statusCheckRollup: z.object({ state: z.string() }).nullable(),
      }),
    ),
  }),
})

/** Only a pull request that does not merge into the default branch can be on top of others, and only REST tells. */
function pullsIn({ defaultBranchRef, pullRequests: { nodes } }: z.output<typeof listed>): readonly PullListed[] | null {
  const base = defaultBranchRef?.name
  if (nodes.some(({ baseRefName }) => baseRefName !== base)) return null
  return nodes.map(({ number, isDraft: draft, headRefOid, baseRefName, createdAt, updatedAt, statusCheckRollup }) => ({
    number,
    draft,
    head_sha: headRefOid,
    base_ref: baseRefName,
    base_is_default: true,
    merges_into: baseRefName,
    created_at: createdAt,
    updated_at: updatedAt,
    rollup: statusCheckRollup?.state ?? null,
  }))
}
