// A refusal for limits whose Date is wrong, once: a machine on the way answers 429 with a clock of its own. Nobody waits
// for it longer than it says.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

test.each([
  ['the right date', 0],
  ['a date of the next day', 24 * 3_600_000],
  ['a date in seventy years', 70 * 365 * 24 * 3_600_000],
])('a limit with %s', { timeout: 120_000 }, async (_, aheadMs) => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const date = new Date(Date.now() + aheadMs).toUTCString()
  const fault = github.addFault({
    path: `/repos/${shop.name}/*`,
    times: 1,
    trouble: { kind: 'answer', status: 429, headers: { 'retry-after': '2', date }, message: 'Too many requests' },
  })
  const at = github.requestLog().length
  github.openPull(shop.name, { title: 'A better shop', head: 'feature', by: 'agent' })
  await until(async () => github.faultHits(fault) === 1)
  // Somebody else works meanwhile, and GitHub's own answers come with its own date.
  const other = await (async () => {
    const name = `else${at}`
    github.createOrg(name, ['cleo'])
    github.createRepo(`${name}/shop`, { files: { 'README.md': 'x' }, by: 'cleo' })
    return github.install(name)
  })()
  expect(other).toBeGreaterThan(0)
  const began = performance.now()
  while (performance.now() - began < 30_000 && (await shop.check(sha)) === 'none') await sleep(500)
  expect(await shop.check(sha)).not.toBe('none')
})
