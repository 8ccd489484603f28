// Repositories that were added to an installation. GitHub tells it to every App, in a webhook that is about no repository,
// and nowhere else. https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation_repositories
import { z } from 'zod'
import type { Webhook } from './payloads.ts'

const shape = z.object({
  action: z.literal('added'),
  installation: z.object({ id: z.number() }),
  repositories_added: z.array(z.object({ id: z.number() })),
})

export function repositoriesAdded({
  event,
  payload,
}: Pick<Webhook, 'event' | 'payload'>): { repository: string; installation: number }[] {
  const read = event === 'installation_repositories' ? shape.safeParse(payload) : null
  if (!read?.success) return []
  const { installation, repositories_added } = read.data
  return repositories_added.map(({ id }) => ({ repository: `R${id}`, installation: installation.id }))
}
