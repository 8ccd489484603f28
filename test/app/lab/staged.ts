// A repository whose policy names a team of its organisation as a review stage, and whom GitHub shows as asked for a review.
import { z } from 'zod'
import type { Running } from './running.ts'
import { aShop, type Shop } from './shop.ts'

export const checks = `version: 1
identities: { agents: [agent] }
verification: { checks: [{ name: build, check_run: build, app: github-actions }], verifier: { enabled: false } }
`
const requested = z.object({
  users: z.array(z.object({ login: z.string() })),
  teams: z.array(z.object({ slug: z.string() })),
})
export const askedAt = async (shop: Shop, number: number): Promise<string> => {
  const { users, teams } = requested.parse(await shop.read(`/pulls/${number}/requested_reviewers`))
  return [...teams.map(({ slug }) => slug), ...users.map(({ login }) => login)].join(', ')
}

/** Its policy names teams of its organisation, whose name is known only then. */
export async function aShopWith(
  app: Running,
  policy: (org: string) => string,
  more: Record<string, string> = {},
): Promise<Shop> {
  const shop = await aShop(app, checks, more)
  app.github.createUser(`sam-${shop.org}`)
  app.github.setPermission(shop.name, `sam-${shop.org}`, 'write')
  app.github.setTeam(shop.org, 'security', { members: ['eve', `sam-${shop.org}`], repos: { [shop.name]: 'write' } })
  app.github.push(shop.name, 'main', { files: { '.github/countersign.yml': policy(shop.org) }, author: 'cleo' })
  await shop.idle()
  return shop
}
