// A request in a shop: an issue that somebody wrote by the form, who has no say about it.
import type { Running } from './running.ts'
import { aShop } from './shop.ts'

export const requestPolicy = `version: 1
identities: { agents: [agent] }
roles: { lead: [ada] }
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
`

/** What GitHub makes of the form. */
export const formed = (criteria = '- The price stands below the title\n- It has the currency of the order'): string =>
  `### What is needed\n\nPrices in the shop.\n\n### Acceptance criteria\n\n${criteria}\n`

export async function aRequest(
  app: Pick<Running, 'github' | 'idle'>,
  { policy = requestPolicy, body = formed(), by = 'dan' }: { policy?: string; body?: string; by?: string } = {},
) {
  const shop = await aShop(app, policy)
  const { github, name } = shop
  const request = github.openIssue(name, { title: 'Show prices', body, by })
  github.label(name, request, 'request', by === 'dan' ? 'bob' : by)
  await shop.idle()
  return {
    shop,
    request,
    page: async () => (await shop.comments(request))[0] ?? '',
    state: async () => (await shop.labels(request)).filter((label) => label.startsWith('countersign:request')),
  }
}
