// A list of repositories that lacks one (GitHub says itself that there are more) is no news that it was taken away: when it was looked
// at last is not forgotten, and a no of which nobody told is found by whoever looks next.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { appInTime } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const { app, aMinuteLater } = await appInTime()
const { github } = app

const minutes = (count: number): void => {
  for (let index = 0; index < count; index += 1) aMinuteLater()
}

test.each([
  ['fails as a whole', 500],
  ['lacks one of two', 200],
])('a list that %s', { timeout: 120_000 }, async (_, status) => {
  const shop = await aShop(app)
  github.createRepo(`${shop.org}/other`, { files: { 'README.md': 'x' }, by: 'cleo' })
  await app.idle()
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  await until(async () => (await shop.check(sha)).startsWith('success'))
  // A round has looked at both.
  await app.kill()
  await app.start()
  await app.idle()
  await sleep(2_000)
  const headers = { authorization: `token ${github.tokenOf('cleo')}` }
  const other: unknown = await (await fetch(`${github.url}/repos/${shop.org}/other`, { headers })).json()
  minutes(5)
  await app.kill()
  // Nobody is told, and GitHub brings nothing again.
  github.setDeliveries({ lostPercent: 100, neverSent: true })
  github.comment(shop.name, pull, { body: '/reject the prices are wrong', by: 'bob' })
  await github.idle()
  github.setDeliveries({ lostPercent: 0, neverSent: false })
  github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
  minutes(5)
  const fault = github.addFault({
    path: '/installation/repositories',
    trouble: { kind: 'answer', status, body: { total_count: 2, repositories: [other] } },
  })
  await app.start()
  await until(async () => github.faultHits(fault) > 1)
  await sleep(3_000)
  await app.kill()
  github.removeFault(fault)
  minutes(5)
  await app.start()
  const began = performance.now()
  while (performance.now() - began < 20_000 && (await shop.check(sha)).startsWith('success')) await sleep(500)
  expect(await shop.check(sha)).toMatch(/^failure: .*rejected by bob/)
})
