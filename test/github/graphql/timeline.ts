// What is on the timeline of an issue or a pull request, in the order in which it happened.
// https://docs.github.com/en/graphql/reference/unions#issuetimelineitems
import type { Fields } from '../fields.ts'
import type { Issue, Repo } from '../model.ts'
import { nodeId } from '../shapes/account.ts'
import { connection } from './connection.ts'
import { labelNode, reviewNode } from './nodes.ts'
import { person } from './people.ts'

export type Item = Readonly<Record<string, unknown>> & { readonly __typename: string; readonly createdAt: string }

/** What happened to an issue in itself. `pullSeen`: what is shown of the pull request that closed it. */
export const happened = (repo: Repo, one: Issue, pullSeen: (number: number) => object): readonly Item[] =>
  one.events.flatMap((event): Item[] => {
    const by = { id: nodeId('E', event.id), createdAt: event.at, actor: person(event.by) }
    switch (event.event) {
      case 'labeled':
      case 'unlabeled': {
        const kind = { __typename: event.event === 'labeled' ? 'LabeledEvent' : 'UnlabeledEvent' }
        // The event outlives the label.
        const label = repo.labels.get(event.label.toLowerCase())
        return [{ ...kind, ...by, label: label ? labelNode(label) : { __typename: 'Label', name: event.label } }]
      }
      case 'review_dismissed': {
        const review = repo.reviews.get(event.review)
        const previousReviewState = event.state.toUpperCase()
        return [
          {
            __typename: 'ReviewDismissedEvent',
            ...by,
            previousReviewState,
            review: review ? reviewNode(review) : null,
          },
        ]
      }
      case 'closed': {
        const closer = event.closer === null ? null : pullSeen(event.closer)
        return [{ __typename: 'ClosedEvent', ...by, closer }]
      }
      case 'reopened':
        return [{ __typename: 'ReopenedEvent', ...by }]
      case 'renamed':
        return [{ __typename: 'RenamedTitleEvent', ...by, previousTitle: event.from, currentTitle: event.to }]
      case 'base_ref_changed':
        return [{ __typename: 'BaseRefChangedEvent', ...by }]
    }
  })

/** Those of the kinds that are asked for. */
export function timelineOf(items: readonly Item[], args: Fields): object {
  const wanted = args['itemTypes']
  const isWanted = ({ __typename }: Item): boolean =>
    !Array.isArray(wanted) || wanted.includes(__typename.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase())
  return connection(
    items.filter(isWanted).toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt)),
    args,
  )
}
