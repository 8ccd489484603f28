// A verifier whose process dies while it reads.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { aModel } from '../lab/a-model.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const policy = `version: 1
identities: { agents: [agent] }
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  verifier:
    review: always
    finders: 1
    decomposer: identity
    criteria: |
      - The price of several pieces is the price of one times their number.
`
const model = await aModel('src/price.ts')
afterAll(model.stop)
const app = await appOfFile({ app: { slug: 'acme-gate' } }, model.env)
beforeEach(() => model.is({ kind: 'pass' }))

const priceOf = (shop: Shop, formula: string, branch = 'feature'): string =>
  app.github.push(shop.name, branch, {
    files: { 'src/price.ts': `export const price = (count: number) => ${formula}\n` },
    author: 'agent',
  })
const reviews = async (shop: Shop, number: number) =>
  z.array(z.object({ state: z.string(), body: z.string() })).parse(await shop.read(`/pulls/${number}/reviews`))

async function judged(formula: string): Promise<{ shop: Shop; sha: string; number: number }> {
  const shop = await aShop(app, policy)
  const sha = priceOf(shop, formula)
  const number = await shop.open()
  await shop.build(sha, 'success')
  return { shop, sha, number }
}
const decided = (shop: Shop, sha: string, title: RegExp): Promise<void> =>
  until(async () => title.test(await shop.check(sha)))

test('a process that dies while it reads asks again, and says it once', async () => {
  let wake = (): void => undefined
  model.is({ kind: 'slow', until: new Promise<void>((done) => (wake = done)) })
  const before = model.calls()
  const { shop, sha, number } = await judged('count * 3')
  await until(async () => model.calls() > before)
  await app.kill()
  wake()
  model.is({ kind: 'pass' })
  await app.start()
  await decided(shop, sha, /^success/)
  await shop.idle()
  expect(await reviews(shop, number)).toHaveLength(1)
  expect(await shop.comments(number)).toEqual([])
}, 60_000)
