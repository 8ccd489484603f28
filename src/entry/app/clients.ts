// GitHub as the App itself sees it, and as each installation does; a client is made once, and again where that failed.
import { z } from 'zod'
import type { GitHubClient } from '../../adapters/github/access.ts'
import { remembered } from '../../adapters/github/remembered.ts'

export type Clients = {
  /** The client of the App itself. */
  readonly app: () => Promise<GitHubClient>
  /** Who the App is, by GitHub's word: it stays so, and is asked once. */
  readonly self: () => Promise<OwnApp>
  readonly installation: (id: number) => Promise<GitHubClient>
}

const ownApp = z.object({
  slug: z.string(),
  id: z.number().nullable().default(null),
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
})
export type OwnApp = z.output<typeof ownApp>

/** `auth`: a new client each time, of an installation or of the App. */
export function clientsOf(probot: { readonly auth: (installation?: number) => Promise<GitHubClient> }): Clients {
  const byInstallation = new Map<number, Promise<GitHubClient>>()
  const self = async (): Promise<OwnApp> => ownAppIn((await (await probot.auth()).request('GET /app')).data)
  return {
    app: () => probot.auth(),
    self: remembered(() => 0, Infinity, self),
    installation: (id) => {
      const known = byInstallation.get(id)
      if (known !== undefined) return known
      const client = probot.auth(id)
      byInstallation.set(id, client)
      client.catch(() => byInstallation.delete(id))
      return client
    },
  }
}

export function ownAppIn(data: unknown): OwnApp {
  const own = ownApp.safeParse(data)
  if (own.success) return own.data
  throw new Error('it does not answer as GitHub does')
}
