// What became of an issue, as REST tells it. https://docs.github.com/en/rest/issues/events
import type { IssueEvent } from '../model.ts'
import { nodeId, user } from '../shapes/account.ts'
import { repoUrl } from '../shapes/repo.ts'
import { paged, numberParam, type Answer, type RepoCall } from '../wire/call.ts'
import { isPull, issueOf } from '../world.ts'

/** The oldest first. Of a link by hand only GraphQL tells to what, and of a closing by which merge. */
export function issueEvents(call: RepoCall): Answer {
  const one = issueOf(call.repo, numberParam(call, 'number'))
  const links = isPull(one) ? one.pull.links : []
  const linked = links.map(
    ({ id, by, at, made }) => ({ id, by, at, event: made ? 'connected' : 'disconnected' }) as const,
  )
  const all = [...one.events, ...linked].toSorted((first, second) => first.id - second.id)
  return paged(call, all, (shown) => ({
    id: shown.id,
    node_id: nodeId('EV', shown.id),
    url: `${repoUrl(call.world, call.repo)}/issues/events/${shown.id}`,
    actor: user(call.world, shown.by ?? { ...one.author, login: 'ghost' }),
    event: shown.event,
    commit_id: null,
    commit_url: null,
    created_at: shown.at,
    performed_via_github_app: null,
    ...aboutWhat(call, shown),
  }))
}

type Linked = { readonly event: 'connected' | 'disconnected' }

function aboutWhat({ repo }: RepoCall, one: IssueEvent | Linked): object {
  switch (one.event) {
    case 'base_ref_changed':
    case 'closed':
    case 'reopened':
    case 'connected':
    case 'disconnected':
      return {}
    case 'labeled':
    case 'unlabeled':
      return { label: { name: one.label, color: repo.labels.get(one.label.toLowerCase())?.color ?? 'ededed' } }
    case 'renamed':
      return { rename: { from: one.from, to: one.to } }
    case 'review_dismissed':
      return { dismissed_review: { review_id: one.review, state: one.state, dismissal_message: null } }
  }
}
