// Words that nobody told us of: what lifts, and what may wait.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { changesIn, type Change } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { aChange, whileAway, wasGreen } = changesIn(app)

const ways = {
  'a review': ({ shop, number }) =>
    void github.review(shop.name, number, { by: 'bob', event: 'REQUEST_CHANGES', body: 'not like this' }),
  'a label': ({ shop, number }) => github.label(shop.name, number, 'countersign:reject', 'bob'),
} as const satisfies Record<string, (change: Change) => void>

test.each(Object.entries(ways))('a rejection by %s that nobody told us of', async (_way, reject) => {
  const change = await aChange()
  await whileAway(() => reject(change))
  await change.shop.build(change.sha, 'success')
  await until(async () => (await change.shop.check(change.sha)).startsWith('failure'))
  expect(await change.shop.check(change.sha)).toMatch(/rejected by bob/)
  expect(wasGreen(change.sha, change.shop.name)).toBe(false)
})

test('an override that nobody told us of lifts what stands red, although nothing else happens', async () => {
  const { shop, sha, number } = await aChange()
  await shop.build(sha, 'failure')
  await whileAway(() => void github.comment(shop.name, number, { body: '/override the build is broken', by: 'ada' }))
  await until(async () => !(await shop.check(sha)).startsWith('failure'))
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('hearing people and showing the gate wait for no comment, thumb or label, and none of those is lost', async () => {
  const { shop, sha, number } = await aChange()
  const before = await shop.comments(number)
  const refusal = { kind: 'answer', status: 500 } as const
  const faults = [
    { path: `/repos/${shop.name}/issues/*`, method: 'write', trouble: refusal },
    { path: '/graphql', holds: 'mutation', trouble: refusal },
  ].map(github.addFault)
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure', app: 'github-actions' })
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  github.comment(shop.name, number, { body: '/override', by: 'ada' })
  const comment = github.comment(shop.name, number, { body: '/override the build is known to be broken', by: 'ada' })
  await until(async () => (await shop.check(sha)).startsWith('success'))
  expect(await shop.comments(number)).toEqual(before)
  for (const id of faults) github.removeFault(id)
  await until(async () => (await shop.comments(number)).length > before.length)
  await until(async () => (await shop.labels(number)).length > 0)
  await until(async () => JSON.stringify(await shop.read(`/issues/comments/${comment}/reactions`)).includes('"+1"'))
}, 60_000)
