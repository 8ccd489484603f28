// The last look at a pull request before it turns green: where it stands, who else has its commit, and which pieces of what people said
// are there, by their names alone. A webhook that never arrived leaves no other trace. The same question tells all that changing its page
// needs. https://docs.github.com/en/graphql/reference/objects#pullrequest
import { z } from 'zod'
import {
  aboveField,
  aboveIn,
  aboveShape,
  closedIn,
  closedNumbersField,
  closedNumbersShape,
} from '../issues/closed-issues.ts'
import { actOfLabel } from '../../../core/people/act.ts'
import type { LastSaid, Piece } from '../../../core/news.ts'
import type { LastLook, PullNow } from '../../../ports.ts'
import { botOf, type Access } from '../access.ts'
import { actor, actorFields, makerOfActor } from '../people/accounts.ts'
import { commentKey, reviewKey } from '../people/heard-keys.ts'
import { labelsField, learnRepository, repositoryShape, type NodeIds } from '../show/node-ids.ts'
import { nowOf } from './pulls.ts'
import { isUntold } from '../traffic/graphql-away.ts'
import { twinsByRest, twinsField, twinsIn, twinsShape } from './twins.ts'

/** Of more, the newest: GitHub gives no more at once. */
const PIECES_MAX = 100

const cut = 'pageInfo { hasPreviousPage }'
const label = '{ createdAt label { name } }'

const comments = `comments(last: ${PIECES_MAX}) { ${cut} nodes { id fullDatabaseId createdAt author ${actorFields} } }`

/** `issue`: where the task of it is one. */
export const lastLookQuery = (issue: boolean): string => `query (
  $owner: String!, $name: String!, $number: Int!${issue ? ', $issue: Int!' : ''}
) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    ${issue ? `issue(number: $issue) { ${aboveField} ${comments} }` : ''}
    id
    defaultBranchRef { name }
    ${labelsField}
    pullRequest(number: $number) {
      id state isDraft headRefOid baseRefName updatedAt
      labels(first: 100) { nodes { name } }
      ${twinsField}
      ${closedNumbersField}
      ${comments}
      reviews(last: ${PIECES_MAX}) { ${cut} nodes { fullDatabaseId submittedAt author ${actorFields} } }
      turns: timelineItems(last: ${PIECES_MAX}, itemTypes: [LABELED_EVENT, UNLABELED_EVENT, REVIEW_DISMISSED_EVENT]) {
        ${cut}
        nodes {
          __typename
          ... on LabeledEvent ${label}
          ... on UnlabeledEvent ${label}
          ... on ReviewDismissedEvent { createdAt review { fullDatabaseId } }
        }
      }
    }
  }
}`

const number = z.coerce.number()
const listOf = <Node extends z.ZodType>(node: Node) =>
  z.object({ pageInfo: z.object({ hasPreviousPage: z.boolean() }), nodes: z.array(node) })
/** Labels that open no act are nobody's words. */
const labelled = (type: 'LabeledEvent' | 'UnlabeledEvent') =>
  z
    .object({ __typename: z.literal(type), createdAt: z.string(), label: z.object({ name: z.string() }) })
    .transform(({ createdAt: at, label: { name } }): Dated => {
      const added = type === 'LabeledEvent'
      return { at, piece: actOfLabel(name) === undefined ? null : { kind: 'labelled', label: name, added, at } }
    })
const dismissed = z
  .object({
    __typename: z.literal('ReviewDismissedEvent'),
    createdAt: z.string(),
    review: z.object({ fullDatabaseId: number }).nullable(),
  })
  .transform(({ createdAt: at, review }): Dated => {
    const piece: Piece | null = review && { kind: 'review_dismissed', review_key: reviewKey(review.fullDatabaseId), at }
    return { at, piece }
  })
const turn = z.union([labelled('LabeledEvent'), labelled('UnlabeledEvent'), dismissed])
type Dated = { readonly at: string | null; readonly piece: Piece | null }

const commented = listOf(z.object({ id: z.string(), fullDatabaseId: number, createdAt: z.string(), author: actor }))
const answerShape = z.object({
  repository: repositoryShape.extend({
    nameWithOwner: z.string(),
    defaultBranchRef: z.object({ name: z.string() }).nullable(),
    issue: aboveShape.extend({ comments: commented }).optional(),
    pullRequest: z.object({
      id: z.string(),
      state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
      isDraft: z.boolean(),
      headRefOid: z.string(),
      baseRefName: z.string(),
      updatedAt: z.string(),
      labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
      commits: twinsShape,
      closingIssuesReferences: closedNumbersShape,
      comments: commented,
      reviews: listOf(z.object({ fullDatabaseId: number, submittedAt: z.string().nullable(), author: actor })),
      turns: listOf(turn),
    }),
  }),
})
type Answered = z.output<typeof answerShape>['repository']

export type Looked = LastLook & { readonly labels: readonly string[] }

/** Null where GraphQL does not say what we ask. */
export async function lookedByGraphql(
  access: Access,
  ids: NodeIds,
  pull: number,
  issue: number | null,
): Promise<Looked | null> {
  const answered = await ask(access, pull, issue)
  if (answered === null) return null
  const { pullRequest, defaultBranchRef, issue: there } = answered
  const { id, baseRefName, comments, labels } = pullRequest
  learnRepository(ids, answered)
  ids.learn(`pull ${pull}`, id)
  for (const comment of comments.nodes) ids.learn(`comment ${comment.fullDatabaseId}`, comment.id)
  // Only a pull request that does not merge into the default branch can be on top of others, and only REST tells.
  const now = baseRefName === defaultBranchRef?.name ? placeOf(pullRequest) : await nowOf(access, pull)
  const said = saidIn(access, pullRequest)
  const at_issue = there === undefined ? null : together([commentsIn(access, 'issue_said', there.comments)])
  const twins = twinsIn({ ...pullRequest, number: pull }, defaultBranchRef?.name ?? null)
  const closes = closedIn(answered.nameWithOwner, pullRequest.closingIssuesReferences)
  const above = aboveIn(answered.nameWithOwner, [...(pullRequest.closingIssuesReferences?.nodes ?? []), there ?? null])
  return { now, said, at_issue, closes, above, twins, labels: (labels?.nodes ?? []).map(({ name }) => name) }
}

export async function lookedByRest(access: Access, pull: number): Promise<LastLook> {
  const now = await nowOf(access, pull)
  return { now, said: null, at_issue: null, closes: null, above: [], twins: await twinsByRest(access, pull, now) }
}

async function ask({ octokit, place }: Access, pull: number, issue: number | null): Promise<Answered | null> {
  try {
    const asked = { owner: place.owner, name: place.repo, number: pull, ...(issue === null ? {} : { issue }) }
    const shape = answerShape.safeParse(await octokit.graphql(lastLookQuery(issue !== null), asked))
    return shape.success ? shape.data.repository : null
  } catch (error) {
    if (isUntold(error)) return null
    throw error
  }
}

function placeOf({ state, isDraft, headRefOid, baseRefName, updatedAt }: Answered['pullRequest']): PullNow | null {
  if (state !== 'OPEN' || isDraft) return null
  const base = { base_ref: baseRefName, base_is_default: true, merges_into: baseRefName }
  return { head_sha: headRefOid, updated_at: updatedAt, ...base }
}

/** What is ours says nothing that anybody would have to hear. */
function saidIn(access: Access, { comments, reviews, turns }: Answered['pullRequest']): LastSaid {
  const own = botOf(access)
  const lists: readonly LastSaid[] = [
    commentsIn(access, 'said', comments),
    listed(reviews, ({ fullDatabaseId, submittedAt: at, author }) => ({
      at,
      piece:
        at === null || makerOfActor(author).login === own
          ? null
          : { kind: 'reviewed', key: reviewKey(fullDatabaseId), at },
    })),
    listed(turns, (one) => one),
  ]
  return together(lists)
}

function commentsIn(access: Access, kind: 'said' | 'issue_said', comments: z.output<typeof commented>): LastSaid {
  const own = botOf(access)
  return listed(comments, ({ fullDatabaseId, createdAt: at, author }) => ({
    at,
    piece: makerOfActor(author).login === own ? null : { kind, key: commentKey(fullDatabaseId), at },
  }))
}

function together(lists: readonly LastSaid[]): LastSaid {
  const [newestCut = ''] = lists.map(({ since }) => since).toSorted((one, other) => (one < other ? 1 : -1))
  return { pieces: lists.flatMap(({ pieces }) => pieces), since: newestCut }
}

/** Of a list that was cut, everything before the first that is there may be missing. */
function listed<Node>(
  { pageInfo, nodes }: { readonly pageInfo: { readonly hasPreviousPage: boolean }; readonly nodes: readonly Node[] },
  read: (node: Node) => Dated,
): LastSaid {
  const all = nodes.map(read)
  const since = pageInfo.hasPreviousPage ? (all.find(({ at }) => at !== null)?.at ?? '9') : ''
  return { pieces: all.flatMap(({ piece }) => piece ?? []), since }
}
