// What GitHub shows is what was concluded, also where a write arrives long after everybody has given it up.
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const app = await appOfFile()
afterEach(() => app.github.clearFaults())

const differences = async (): Promise<number> => {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  return Number(/^countersign_trouble_total\{what="differences"\} (\d+)$/m.exec(text)?.[1])
}

/** Keeps the next change of a check run on its way until it is let go. */
function held(shop: Shop, broken: boolean) {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
  const change = { method: 'PATCH', path: `/repos/${shop.name}/check-runs/*`, times: 1 } as const
  const fault = app.github.addFault({ ...change, trouble: { kind: 'held', until, broken } })
  return { isOnItsWay: async () => app.github.faultHits(fault) === 1, letGo }
}

test('a success that the process died over, and that arrives after a rejection, does not stay', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  const { isOnItsWay, letGo } = held(shop, false)
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await until(isOnItsWay)
  await app.kill()
  await app.start()
  await shop.say(number, 'bob', '/reject not this way')
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  letGo()
  await until(async () => (await shop.check(sha)).startsWith('success'))
  await until(async () => (await shop.check(sha)).startsWith('failure'), 90_000)
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  await until(async () => (await shop.labels(number)).join() === 'countersign:failed')
  await until(async () => (await differences()) === 1)
  expect(app.output()).toContain('GitHub showed success instead of failure')
  expect(await shop.runs(sha)).toBe(1)
}, 180_000)

test('a success whose connection broke, and that arrives when the next result is shown, does not stay', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  const before = await differences()
  const { isOnItsWay, letGo } = held(shop, true)
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await until(isOnItsWay)
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure' })
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  letGo()
  await until(async () => (await shop.check(sha)).startsWith('success'))
  await until(async () => (await shop.check(sha)).startsWith('failure'), 90_000)
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure/)
  await until(async () => (await differences()) === before + 1)
}, 180_000)

/** Written in our name by whoever writes late: GitHub cannot tell it from us. */
async function writtenLate(shop: Shop, sha: string, conclusion: string): Promise<void> {
  const headers = { authorization: `token ${app.github.installationToken(shop.name)}` }
  const at = `${app.github.url}/repos/${shop.name}`
  const { check_runs } = runs.parse(await (await fetch(`${at}/commits/${sha}/check-runs`, { headers })).json())
  const id = check_runs.find(({ name }) => name === 'countersign')?.id
  const body = JSON.stringify({ status: 'completed', conclusion, external_id: 'late' })
  await fetch(`${at}/check-runs/${id}`, { method: 'PATCH', headers, body })
}
let installations = 0
const runs = z.object({ check_runs: z.array(z.object({ id: z.number(), name: z.string() })) })

test.each([
  ['one question for all of them', null],
  ['a question for each where there is no GraphQL', { kind: 'answer', status: 404 }],
] as const)('every round looks at what stands on each head: %s', async (_how, trouble) => {
  const shops = [await aShop(app), await aShop(app)]
  installations += shops.length
  const heads: { readonly shop: Shop; readonly sha: string }[] = []
  for (const shop of shops) {
    for (const branch of ['one', 'two']) {
      const sha = await shop.push(branch)
      await shop.open('agent', { head: branch })
      await shop.build(sha, 'failure')
      heads.push({ shop, sha })
    }
  }
  await app.kill()
  for (const { shop, sha } of heads) await writtenLate(shop, sha, 'success')
  if (trouble !== null) app.github.addFault({ path: '/graphql', trouble })
  const asked = app.github.addFault({ path: '/graphql', holds: 'run1: repository', trouble: { kind: 'delay', ms: 0 } })
  await app.start()
  for (const { shop, sha } of heads) await until(async () => (await shop.check(sha)).startsWith('failure'))
  await until(async () => (await differences()) === heads.length)
  // Each installation with something open is asked about once.
  expect(app.github.faultHits(asked)).toBe(installations)
})
