// GitHub as the App itself sees it, and as each installation does; a client is made once, and again where that failed.
import type { Probot } from 'probot'
import type { GitHubClient } from '../../adapters/github/access.ts'

export function clientsOf(probot: Probot): {
  app: () => Promise<GitHubClient>
  installation: (id: number) => Promise<GitHubClient>
} {
  const byInstallation = new Map<number, Promise<GitHubClient>>()
  return {
    app: () => probot.auth(),
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
