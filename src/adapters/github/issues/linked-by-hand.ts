// Who linked an issue to a pull request by hand, in the sidebar, where no closing word does it. GitHub lists such links apart, and
// who made one is on the timeline of the pull request. What the timeline does not tell is nobody's who could be trusted.
// https://docs.github.com/en/graphql/reference/objects#connectedevent
import { z } from 'zod'
import type { Account } from '../../../core/people/people.ts'
import type { IssueText } from '../../../core/issue-boards.ts'
import { actor, actorFields, makerOfActor } from '../people/accounts.ts'

const ISSUES_MAX = 50
/** Of more, the newest. */
const EVENTS_MAX = 50

const named = '{ number repository { nameWithOwner } }'
const ends = `actor ${actorFields} source { __typename ... on Issue ${named} } subject { __typename ... on Issue ${named} }`

/** Fields of a pull request. */
export const linksField = `linkedByHand: closingIssuesReferences(first: ${ISSUES_MAX}, userLinkedOnly: true) {
        totalCount
        nodes ${named}
      }
      links: timelineItems(last: ${EVENTS_MAX}, itemTypes: [CONNECTED_EVENT, DISCONNECTED_EVENT]) {
        nodes { __typename ... on ConnectedEvent { ${ends} } ... on DisconnectedEvent { ${ends} } }
      }`

const issue = z.object({ number: z.number(), repository: z.object({ nameWithOwner: z.string() }) })
/** Which of the two is the issue depends on where the link was made. */
const end = z.union([issue, z.unknown().transform(() => null)])
const event = z
  .object({ __typename: z.string(), actor: actor.default(null), source: end, subject: end })
  .transform(({ __typename: type, ...rest }) => ({ type, ...rest }))
  .nullable()
export const linksShape = {
  linkedByHand: z.object({ totalCount: z.number(), nodes: z.array(issue.nullable()).nullable() }).nullish(),
  links: z.object({ nodes: z.array(event).nullable() }).nullish(),
}
type Links = z.output<z.ZodObject<typeof linksShape>>

/** By whom each issue that a pull request of this repository closes was linked. */
export function linkers(
  repository: string,
  { linkedByHand, links }: Links,
): (number: number) => IssueText['linked_by'] {
  const nodes = linkedByHand?.nodes?.filter((one) => one !== null) ?? []
  const isWhole = nodes.length >= (linkedByHand?.totalCount ?? Infinity)
  const isIssue = (one: z.output<typeof end>, number: number): boolean =>
    one?.number === number && one.repository.nameWithOwner.toLowerCase() === repository.toLowerCase()
  return (number) => {
    if (!isWhole) return null
    if (!nodes.some((one) => isIssue(one, number))) return 'text'
    const last = links?.nodes?.findLast(
      (one) => isIssue(one?.source ?? null, number) || isIssue(one?.subject ?? null, number),
    )
    return last?.type === 'ConnectedEvent' && last.actor !== null ? accountOf(last.actor) : null
  }
}

function accountOf(by: NonNullable<z.output<typeof actor>>): Account {
  const { id, login } = makerOfActor(by)
  return { id, login }
}
