// Refusals for limits whose Date is wrong: a machine on the way answers 429 with a clock of its own. Nobody waits for it longer than it
// says, also where it said so twice, is believed, and GitHub's own answers set the time back.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

test.each([
  ['the right date', 0, 1],
  ['a date of the next day', 24 * 3_600_000, 1],
  ['a date of the next day, twice', 24 * 3_600_000, 2],
  ['a date in seventy years', 70 * 365 * 24 * 3_600_000, 1],
])('a limit with %s', { timeout: 120_000 }, async (_, aheadMs, times) => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const date = new Date(Date.now() + aheadMs).toUTCString()
  const fault = github.addFault({
    path: `/repos/${shop.name}/*`,
    times,
    trouble: { kind: 'answer', status: 429, headers: { 'retry-after': '2', date }, message: 'Too many requests' },
  })
  const at = github.requestLog().length
  github.openPull(shop.name, { title: 'A better shop', head: 'feature', by: 'agent' })
  await until(async () => github.faultHits(fault) === times)
  // Somebody else works meanwhile, and GitHub's own answers come with its own date.
  for (let others = 0; others < 3; others += 1) {
    const name = `else${at}-${others}`
    github.createOrg(name, ['cleo'])
    github.createRepo(`${name}/shop`, { files: { 'README.md': 'x' }, by: 'cleo' })
    expect(github.install(name)).toBeGreaterThan(0)
    await sleep(200)
  }
  const began = performance.now()
  while (performance.now() - began < 30_000 && (await shop.check(sha)) === 'none') await sleep(500)
  expect(await shop.check(sha)).not.toBe('none')
})
