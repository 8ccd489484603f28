// Under which name the verifier stands on record.
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../src/entry/app/database.ts'
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

async function judged(formula: string): Promise<{ shop: Shop; sha: string; number: number }> {
  const shop = await aShop(app, policy)
  const sha = priceOf(shop, formula)
  const number = await shop.open()
  await shop.build(sha, 'success')
  return { shop, sha, number }
}
const decided = (shop: Shop, sha: string, title: RegExp): Promise<void> =>
  until(async () => title.test(await shop.check(sha)))

test('on record it goes by the name that the App has on GitHub', async () => {
  const { shop, sha } = await judged('count * 3')
  await decided(shop, sha, /^success/)
  await shop.idle()
  await app.kill()
  const { store, close } = await openDatabase(app.database, join(app.directory, 'data'))
  const streams = await store.streams('', 100)
  const events = (await Promise.all(streams.map((stream) => store.read(stream)))).flat()
  await close()
  await app.start()
  const judges = events.flatMap((event) => (event.type === 'VerificationCompleted' ? [event.data.evaluator.login] : []))
  expect([...new Set(judges)]).toEqual(['acme-gate[bot]'])
}, 60_000)
