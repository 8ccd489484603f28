// The issues that a pull request closes, with their texts and who wrote them last, as one field of a GraphQL question.
// GitHub's own list: keywords and links both count. Issues of other repositories are no tasks of this one. Any part of an
// answer may be missing, as what an App may not see is; a list with a hole says so and is never taken for a shorter one.
// https://docs.github.com/en/graphql/reference/objects#pullrequest
import { z } from 'zod'
import type { IssueText } from '../../../core/issue-boards.ts'
import type { Access } from '../access.ts'
import { actor, actorFields, makerOfActor } from '../people/accounts.ts'
import { PER_PAGE } from '../pages.ts'
import { isRefusedQuery, statusOf } from '../status.ts'

const ISSUES_MAX = 50

export const closedField = `closingIssuesReferences(first: ${ISSUES_MAX}) {
        totalCount
        nodes {
          number title body state
          repository { nameWithOwner }
          author ${actorFields}
          editor ${actorFields}
        }
      }`

const issue = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  state: z.string().default('OPEN'),
  repository: z.object({ nameWithOwner: z.string() }),
  author: actor,
  editor: actor,
})
export const closedShape = z.object({ totalCount: z.number(), nodes: z.array(issue.nullable()).nullable() }).nullable()

/** Null where these are not all. */
export function closedOf(
  repository: string,
  closed: z.output<typeof closedShape>,
  linkerOf: (number: number) => IssueText['linked_by'] = () => null,
): IssueText[] | null {
  const all = allHere(repository, closed)?.map(({ number, title, body, state, author, editor }) => {
    const by = editor ?? author
    const who = by === null ? null : makerOfActor(by)
    const open = state === 'OPEN'
    const linked_by = linkerOf(number)
    return { number, title, body, edited_by: who?.login ?? null, edited_by_id: who?.id ?? null, linked_by, open }
  })
  return all ?? null
}

type Listed<One> = { readonly totalCount: number; readonly nodes: readonly (One | null)[] | null } | null

/** Those of this repository; null where these are not all. */
function allHere<One extends { readonly repository: { readonly nameWithOwner: string } }>(
  repository: string,
  closed: Listed<One>,
): readonly One[] | null {
  const nodes = (closed?.nodes ?? []).filter((one) => one !== null)
  if (closed === null || nodes.length < closed.totalCount) return null
  return nodes.filter((one) => isSame(one.repository.nameWithOwner, repository))
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const numbered = z.object({ number: z.number(), repository: z.object({ nameWithOwner: z.string() }) })

/** Which an issue is, and what stands above it. */
export const aboveField = 'number repository { nameWithOwner } parent { number repository { nameWithOwner } }'
export const aboveShape = numbered.extend({ parent: numbered.nullish() })

/** Of this repository's alone: others are no tasks here, and no goals. */
export function aboveIn(
  repository: string,
  issues: readonly (z.output<typeof aboveShape> | null)[],
): readonly { readonly issue: number; readonly goal: number }[] {
  const isHere = (one: z.output<typeof numbered>): boolean => isSame(one.repository.nameWithOwner, repository)
  return issues.flatMap((one) =>
    one?.parent && isHere(one) && isHere(one.parent) ? [{ issue: one.number, goal: one.parent.number }] : [],
  )
}

/** Which they are, as one field of a question. */
export const closedNumbersField = `closingIssuesReferences(first: ${ISSUES_MAX}) {
        totalCount
        nodes { ${aboveField} }
      }`
export const closedNumbersShape = z
  .object({ totalCount: z.number(), nodes: z.array(aboveShape.nullable()).nullable() })
  .nullable()

export const closedIn = (repository: string, closed: z.output<typeof closedNumbersShape>): readonly number[] | null =>
  allHere(repository, closed)?.map(({ number }) => number) ?? null

export const closedNumbersQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: ${PER_PAGE}, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { number repository { nameWithOwner } }
      }
    }
  }
}`
const numbersShape = z.object({
  repository: z.object({
    pullRequest: z.object({
      closingIssuesReferences: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
        nodes: z.array(numbered.nullable()),
      }),
    }),
  }),
})
const PAGES_MAX = 5

/** Which they are, without their texts: little is asked for, so that little can be missing. */
export async function closedNumbers(
  { octokit, place }: Access,
  number: number,
): Promise<{ readonly numbers: readonly number[]; readonly complete: boolean }> {
  const names = { owner: place.owner, name: place.repo, number }
  const numbers: number[] = []
  let complete = true
  let after: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer: unknown = await octokit.graphql(closedNumbersQuery, { ...names, after }).catch(partOf)
    const shape = numbersShape.safeParse(answer)
    if (!shape.success) return { numbers, complete: false }
    const { nodes, pageInfo } = shape.data.repository.pullRequest.closingIssuesReferences
    complete &&= nodes.every((one) => one !== null)
    for (const one of nodes)
      if (one !== null && isSame(one.repository.nameWithOwner, `${place.owner}/${place.repo}`)) numbers.push(one.number)
    if (!pageInfo.hasNextPage) return { numbers, complete }
    after = pageInfo.endCursor
  }
  return { numbers, complete: false }
}

/** Whether nobody ever linked anything by hand, which REST tells too; what is linked it does not. */
export async function neverLinked({ octokit, place }: Access, issue_number: number): Promise<boolean> {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { data } = await octokit.rest.issues.listEvents({ ...place, issue_number, per_page: PER_PAGE, page })
    if (data.some(({ event }) => event === 'connected')) return false
    if (data.length < PER_PAGE) return true
  }
  return false
}

const partial = z.object({ data: z.unknown() })

/** What was answered beside a refusal of some of it. */
function partOf(error: unknown): unknown {
  if (isRefusedQuery(error)) return partial.parse(error).data ?? {}
  throw error
}

/** Named in a text as GitHub understands it: more than it takes for closed, and never less. */
export function namedIn(body: string): number[] {
  return Array.from(body.matchAll(closingWords), ([, digits]) => Number(digits))
}
const closingWords = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[:\s]{1,10}\S{0,200}?(?:#|\/issues\/)(\d{1,9})\b/gi

export const closedQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    pullRequest(number: $number) {
      ${closedField}
    }
  }
}`
const answerShape = z.object({
  repository: z.object({
    nameWithOwner: z.string(),
    pullRequest: z.object({ closingIssuesReferences: closedShape }),
  }),
})

/** Null where the token may not see them, or not all of them. */
export async function closedIssuesSeen({ octokit, place }: Access, number: number): Promise<IssueText[] | null> {
  let answer: unknown
  try {
    answer = await octokit.graphql(closedQuery, { owner: place.owner, name: place.repo, number })
  } catch (error) {
    if (isHidden(error)) return null
    throw error
  }
  const shape = answerShape.safeParse(answer)
  if (!shape.success) return null
  const { nameWithOwner, pullRequest } = shape.data.repository
  return closedOf(nameWithOwner, pullRequest.closingIssuesReferences)
}

const refusals = z.object({ errors: z.array(z.object({ type: z.enum(['FORBIDDEN', 'NOT_FOUND']) })).min(1) })

/** What a token may not see is refused as a whole, or answered with an error for the part that it may not. */
function isHidden(error: unknown): boolean {
  const status = statusOf(error)
  return status === 403 || status === 404 || refusals.safeParse(error).success
}
