// For a while after a push GitHub lists no changed file of it. That nothing changed is believed of nobody who changed something.
import { afterEach, expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const app = await appOfFile()
afterEach(() => app.github.clearFaults())

const unlisted = (shop: Shop, more: { times?: number } = {}): number =>
  app.github.addFault({
    path: `/repos/${shop.name}/compare/*`,
    trouble: { kind: 'null', field: 'files', where: 'all' },
    ...more,
  })

test('a list that is empty at first is read again', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const fault = unlisted(shop, { times: 2 })
  await shop.open()
  await shop.build(sha, 'success')
  expect(app.github.faultHits(fault)).toBe(2)
  expect(await shop.check(sha)).toMatch(/^success/)
}, 60_000)

test('where it stays empty a human is asked to look, and the next round finds what GitHub lists by then', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const fault = unlisted(shop)
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  app.github.openPull(shop.name, { title: 'A better shop', head: 'feature', by: 'agent' })
  // It is tried again and again meanwhile, so that nobody is idle for long.
  await until(async () => (await shop.check(sha)).startsWith('action_required'))
  expect(await shop.summary(sha)).toContain('lists no changed file')
  await app.kill()
  app.github.removeFault(fault)
  await app.start()
  await until(async () => (await shop.check(sha)).startsWith('success'))
}, 120_000)

test('a commit that changes nothing is one that changes nothing', async () => {
  const shop = await aShop(app)
  const before = app.github.requestLog().length
  await shop.push('feature', 'agent', { 'src/shop.ts': null })
  await shop.open()
  const sha = app.github.tip(shop.name, 'feature')
  const compared = app.github
    .requestLog()
    .slice(before)
    .filter(({ path }) => path.includes('/compare/'))
  expect(compared).toHaveLength(1)
  expect(await shop.check(sha)).not.toMatch(/^success/)
}, 60_000)
