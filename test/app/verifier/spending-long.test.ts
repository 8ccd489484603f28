// What the operator allows an installation for a day: when it is used up its changes are referred to a human, in words that
// say until when, also after a restart; others are judged as before.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withStore } from '../../cli/a-store.ts'
import { aModel } from '../lab/a-model.ts'
import { runningApp, until, type Running } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const policy = `version: 1
identities: { agents: [agent] }
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  verifier:
    decomposer: identity
    criteria: |
      - The price of several pieces is the price of one times their number.
`
let app: Running
let model: Awaited<ReturnType<typeof aModel>>
beforeAll(async () => {
  model = await aModel('src/price.ts')
  app = await runningApp({}, { ...model.env, VERIFIER_USD_PER_DAY: '1' })
}, 60_000)
afterAll(async () => {
  await app.stop()
  await model.stop()
})

let changes = 0
async function judged(shop: Shop, as: RegExp): Promise<string> {
  changes += 1
  const files = { 'src/price.ts': `export const price = (count: number) => count * ${changes}\n` }
  const sha = app.github.push(shop.name, `change-${changes}`, { files, author: 'agent' })
  app.github.openPull(shop.name, { title: 'Prices', head: `change-${changes}`, by: 'agent' })
  await shop.build(sha, 'success')
  await until(async () => as.test(await shop.check(sha)))
  return shop.summary(sha)
}

const inStore = <Result>(statement: string, parse: (rows: readonly unknown[]) => Result): Promise<Result> =>
  withStore(join(app.directory, 'data'), async (sql) => parse(await sql.query(statement)))

test('a day that is spent refers, and never passes', async () => {
  const [shop, other] = [await aShop(app, policy), await aShop(app, policy)]
  await judged(shop, /^success/)
  await app.idle()
  await app.kill()
  const spent = await inStore('select usd from spending', (rows) => rows)
  expect(spent).toEqual([{ usd: expect.toSatisfy((usd: number) => usd > 0 && usd < 0.1) }])
  await inStore('update spending set usd = 1', () => null)
  await app.start()
  const before = model.calls()
  expect(await judged(shop, /^action_required/)).toMatch(
    /the 1 USD that the operator allows this installation for a day .* again at \d{4}-\d\d-\d\d 00:00 UTC/,
  )
  expect(model.calls()).toBe(before)
  await judged(other, /^success/)
  await app.idle()
  await app.kill()
  await inStore(`update spending set day = '2020-01-01'`, () => null)
  await app.start()
  await judged(shop, /^success/)
}, 120_000)
