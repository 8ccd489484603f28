// Who lets us in: installations, and repositories that were added to one. GitHub tells it to every App, in webhooks that are
// about no repository, and nowhere else. https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation
// https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation_repositories
import { z } from 'zod'
import type { Webhook } from './payloads.ts'

const ids = z.array(z.object({ id: z.number() })).default([])
const shape = z.object({
  action: z.string(),
  installation: z.object({ id: z.number() }),
  repositories: ids,
  repositories_added: ids,
})

/** An installation of ours is another one now: made, let in again, or with other repositories. */
export type LetIn = {
  readonly installation: number
  /** Those that it names. */
  readonly repositories: readonly string[]
  /** Those that were added to it. */
  readonly added: readonly string[]
}

export function letInBy({ event, payload }: Pick<Webhook, 'event' | 'payload'>): LetIn | null {
  const read = event === 'installation' || event === 'installation_repositories' ? shape.safeParse(payload) : null
  if (!read?.success) return null
  const { action, installation, repositories, repositories_added } = read.data
  const added = action === 'added' ? repositories_added.map(keyOf) : []
  return { installation: installation.id, repositories: [...repositories.map(keyOf), ...added], added }
}

const keyOf = ({ id }: { readonly id: number }): string => `R${id}`
