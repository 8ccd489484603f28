// One part of GitHub fails and the rest does not: what waits for it must not use up what may be asked of the rest. However many
// wait, few try; and once one of them is answered all of them are.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

const PULLS = 30
const LASTS_MS = 40_000

test(`${PULLS} pull requests wait for results that GitHub does not tell, and are shown as soon as it does`, async () => {
  const shop = await aShop(app)
  const heads: string[] = []
  for (let index = 0; index < PULLS; index += 1) {
    const branch = `crowd-${index}`
    const files = { 'src/crowd.ts': `export const one = ${index}\n` }
    heads.push(github.push(shop.name, branch, { files, author: 'agent' }))
    await shop.open('agent', { head: branch })
  }
  await app.idle()
  const path = `/repos/${shop.name}/commits/*/check-runs*`
  const fault = github.addFault({ path, trouble: { kind: 'answer', status: 502 } })
  for (const sha of heads) github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await sleep(LASTS_MS)
  const asked = github.faultHits(fault)
  github.removeFault(fault)
  const greens = (): number =>
    heads.filter((sha) =>
      github
        .checksOn(shop.name, sha)
        .runs.some(({ name, conclusion }) => name === 'countersign' && conclusion === 'success'),
    ).length
  const began = performance.now()
  await until(async () => greens() === PULLS)
  expect(performance.now() - began).toBeLessThan(15_000)
  expect(asked).toBeLessThan(5 * PULLS)
}, 120_000)
