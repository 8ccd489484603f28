// Requests when things go wrong: killed in the middle, told twice, told in any order, told nothing.
import { afterAll, expect, test } from 'vitest'
import { aRequest, requestPolicy } from '../lab/a-request.ts'
import { runningApp, until } from '../lab/running.ts'

/** GitHub tells no parts of a second, and what was edited in the second of an approval may be newer. */
let minutes = 0
const clock = { now: () => new Date(Date.now() + minutes * 60_000).toISOString() }
const app = await runningApp({ seed: 11, clock })
afterAll(() => app.stop())
const { github } = app

test.each([
  ['between the issue of the task and knowing of it', 'issues', 'assign agent', 0],
  ['between a word to the agent and knowing of it', 'comments', 'mention agent', 1],
])(
  'killed %s, it does each once',
  async (_when, what, start, calls) => {
    const policy = `${requestPolicy}intake: { task: new, start: ${start} }\n`
    const { shop, request, page } = await aRequest(app, { policy })
    const place = what === 'issues' ? '/issues' : `/issues/${request + 1}/comments`
    const path = `/repos/${shop.name}${place}`
    const lost = github.addFault({ method: 'POST', path, times: 1, trouble: { kind: 'reset', effect: 'after' } })
    github.comment(shop.name, request, { body: '/request approve', by: 'ada' })
    // It is done, and whoever asked for it never hears so.
    await until(async () => github.faultHits(lost) > 0)
    await app.kill()
    await app.start()
    await until(async () => (await page()).includes(`it is a task, #${request + 1}`), 60_000)
    await app.idle()
    expect(await shop.read('/issues?state=all&creator=countersign%5Bbot%5D')).toHaveLength(1)
    expect((await shop.comments(request + 1)).filter((body) => body.includes('@agent'))).toHaveLength(calls)
    expect(await shop.comments(request)).toHaveLength(1)
  },
  120_000,
)

test('told twice and in any order, it ends the same', async () => {
  github.setDeliveries({ doubledPercent: 60, shuffleWithin: 4, concurrency: 3 })
  const { shop, request, page, state } = await aRequest(app, { policy: `${requestPolicy}intake: { task: new }\n` })
  github.comment(shop.name, request, { body: '/request ask in which currency?', by: 'ada' })
  await shop.idle()
  github.editIssue(shop.name, request, { body: '### Acceptance criteria\n\n- Prices are in euro', by: 'dan' })
  await shop.idle()
  minutes += 1
  github.comment(shop.name, request, { body: '/request approve', by: 'bob' })
  github.comment(shop.name, request, { body: '/request approve', by: 'ada' })
  await shop.idle()
  github.setDeliveries({ doubledPercent: 0, shuffleWithin: 1, concurrency: 1 })
  await until(async () => (await page()).includes('it is a task'))
  expect(await state()).toEqual(['countersign:request-approved'])
  expect(await shop.read('/issues?state=all&creator=countersign%5Bbot%5D')).toHaveLength(1)
}, 120_000)

test('an App that hears nothing of issues finds a request, a goal and an approval when it looks around', async () => {
  const deaf = await runningApp({ seed: 12, clock, app: { events: ['pull_request', 'push'] } })
  try {
    const { shop, request, page, state } = await aRequest(deaf)
    const { github: there } = deaf
    const goal = there.openIssue(shop.name, { title: 'A shop that sells', by: 'bob' })
    there.label(shop.name, goal, 'goal', 'ada')
    const none = there.openIssue(shop.name, { title: 'A goal of nobody', by: 'bob' })
    there.label(shop.name, none, 'goal', 'bob')
    expect(await state()).toEqual([])
    await deaf.kill()
    minutes += 1
    there.comment(shop.name, request, { body: '/request approve\n\n/request status', by: 'ada' })
    await deaf.start()
    await until(async () => (await page()).includes('it is a task'), 60_000)
    await until(async () => (await shop.labels(goal)).includes('countersign:goal-open'), 60_000)
    await deaf.idle()
    expect(await state()).toEqual(['countersign:request-approved'])
    expect(await shop.comments(none)).toEqual([])
    expect(await shop.comments(request)).toHaveLength(1)
  } finally {
    await deaf.stop()
  }
}, 180_000)
