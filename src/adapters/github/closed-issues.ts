// The issues that a pull request closes, with their texts and who wrote them last, as one field of a GraphQL question.
// GitHub's own list: keywords and links both count. Issues of other repositories are no tasks of this one.
// https://docs.github.com/en/graphql/reference/objects#pullrequest
import { z } from 'zod'
import type { IssueText } from '../../ports.ts'
import type { Access } from './access.ts'
import { actor, actorFields, makerOfActor } from './accounts.ts'
import { statusOf } from './status.ts'

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
export const closedShape = z.object({ totalCount: z.number(), nodes: z.array(issue) })

export function closedOf(repository: string, { nodes }: z.output<typeof closedShape>): IssueText[] {
  return nodes
    .filter((one) => one.repository.nameWithOwner === repository)
    .map(({ number, title, body, state, author, editor }) => {
      const by = editor ?? author
      const who = by === null ? null : makerOfActor(by)
      const open = state === 'OPEN'
      return { number, title, body, edited_by: who?.login ?? null, edited_by_id: who?.id ?? null, open }
    })
}

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
  const { closingIssuesReferences: closed } = pullRequest
  return closed.nodes.length < Math.min(closed.totalCount, ISSUES_MAX) ? null : closedOf(nameWithOwner, closed)
}

const refusals = z.object({ errors: z.array(z.object({ type: z.enum(['FORBIDDEN', 'NOT_FOUND']) })).min(1) })

/** What a token may not see is refused as a whole, or answered with an error for the part that it may not. */
function isHidden(error: unknown): boolean {
  const status = statusOf(error)
  return status === 403 || status === 404 || refusals.safeParse(error).success
}
