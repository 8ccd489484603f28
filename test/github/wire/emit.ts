// Turns something that happened into letters to every App that is installed there and subscribed to it.
import type { Installation } from '../model.ts'
import { reaches } from '../acts/installations.ts'
import { nodeId, organization, user } from '../shapes/account.ts'
import { repository } from '../shapes/repo.ts'
import type { About, World } from '../world.ts'
import type { Outbox } from './outbox.ts'

export function tellApps(world: World, outbox: Outbox, event: string, about: About, payload: object): void {
  const listeners = [...world.state.installations.values()].filter(
    (one) => one.app.webhookUrl !== null && listens(one, event, about),
  )
  if (listeners.length === 0) return
  const common = {
    ...(about.repo === null ? {} : { repository: repository(world, about.repo) }),
    ...(about.account.type === 'Organization' ? { organization: organization(world, about.account) } : {}),
    sender: user(world, about.sender),
  }
  const action = 'action' in payload && typeof payload.action === 'string' ? payload.action : null
  for (const installation of listeners) {
    const { id, app } = installation
    const text = JSON.stringify({ installation: { id, node_id: nodeId('IN', id) }, ...payload, ...common })
    outbox.post({ app, event, action, installation: id, repository: about.repo?.id ?? null, payload: text })
  }
}

function listens(one: Installation, event: string, { account, repo, only, installation }: About): boolean {
  if (installation !== undefined) return one === installation
  if ((only !== undefined && one.app !== only) || one.suspended !== null) return false
  return (repo === null ? one.account === account : reaches(one, repo)) && one.events.includes(event)
}
