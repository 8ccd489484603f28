// What somebody who runs the App can see of it: a line for each decision, act and outage, and figures of the same.
import { afterAll, expect, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await runningApp({}, { LOG_LEVEL: 'info' })
afterAll(() => app.stop())

type Line = Readonly<Record<string, unknown>>
const lines = (words: string): readonly Line[] =>
  app
    .output()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${words}"`))
    .map((line) => JSON.parse(line))
const metrics = async (): Promise<string> => (await fetch(`${app.url}/metrics`)).text()

test('a decision, an act and what is refused are each one line with who, what, commit, row and duration, and are counted', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  await shop.say(number, 'agent', '/override I am right')
  await shop.say(number, 'ada', '/override the build is known to be broken\u202e\u001b[31m')
  await shop.say(number, 'bob', '/reject not like this')
  const installation = String(shop.installation)
  const about = { task: `${shop.name}#${number}`, sha, installation }
  const ms = expect.any(Number)
  expect(lines('decided')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...about, row: 'checks', status: 'retry', by: 'checks', ms }),
      expect.objectContaining({ ...about, row: 'success', status: 'success', by: 'human', ms }),
      expect.objectContaining({ ...about, row: 'rejected', status: 'failed', by: 'human', ms }),
    ]),
  )
  expect(lines('acted')).toEqual([
    expect.objectContaining({ ...about, type: 'CHECK_OVERRIDE', by: 'ada', source: 'comment', ms }),
    expect.objectContaining({ ...about, type: 'REJECTION', by: 'bob', source: 'comment', ms }),
  ])
  expect(lines('refused')).toEqual([expect.objectContaining({ ...about, by: 'agent' })])
  // Reasons are people's own words, and stand on record and on the page only.
  expect(app.output()).not.toMatch(/known to be broken|not like this/)
  const text = await metrics()
  expect(text).toContain(`countersign_decisions_total{installation="${installation}",row="rejected",status="failed"} 1`)
  expect(text).toContain(`countersign_acts_total{installation="${installation}",type="refused"} 1`)
  expect(text).toMatch(
    new RegExp(`countersign_github_quota_left\\{installation="${installation}",quota="core"\\} \\d+`),
  )
  expect(Number(/countersign_shown_seconds_count (\d+)/.exec(text)?.[1])).toBeGreaterThan(2)
  expect(text).toMatch(/countersign_shown_seconds_bucket\{le="3600"\} [1-9]/)
}, 60_000)

test('an outage is told with the request that GitHub knows it by, and its end with how long it took', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  const headers = { 'x-github-request-id': 'ABCD:1234:5678' }
  const trouble = { kind: 'answer', status: 500, headers } as const
  const fault = app.github.addFault({ path: `/repos/${shop.name}/collaborators/bob/permission`, trouble })
  app.github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' })
  await until(async () => lines('GitHub does not answer; what is heard waits').length === 1)
  app.github.removeFault(fault)
  await until(async () => lines('GitHub answers again').length === 1)
  const installation = String(shop.installation)
  expect(lines('GitHub does not answer; what is heard waits')).toEqual([
    expect.objectContaining({ installation, request: 'ABCD:1234:5678', why: expect.any(String) }),
  ])
  expect(lines('GitHub answers again')).toEqual([expect.objectContaining({ installation, ms: expect.any(Number) })])
  await until(async () => (await shop.check(sha)).startsWith('failure'))
}, 60_000)
