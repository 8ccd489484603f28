// Goals when things go wrong: killed in the middle, told twice, told in any order, told nothing, and a storm of events.
import { afterAll, expect, test } from 'vitest'
import { aGoal, built, goalPolicy, verified } from '../lab/a-goal.ts'
import { runningApp, until } from '../lab/running.ts'

/** How often a board was written. */
let written = 0
const app = await runningApp({
  seed: 7,
  observe: ({ method, body }) => {
    if (method !== 'GET' && body.includes('tasks verified')) written += 1
  },
})
afterAll(() => app.stop())
const { github } = app

test('killed while it makes what mends a goal, it makes each once, links it and shows it', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'])
  await verified(shop, tasks[0] ?? 0)
  github.setDelay(40)
  github.comment(shop.name, goal, {
    body: '/goal reject too slow\n- Cache it\n- Measure it\n- Say how fast',
    by: 'ada',
  })
  // Between one issue and the next, and between an issue and its link.
  for (const made of [1, 2, 3]) {
    const issues = () =>
      github.requests.filter(({ method, path }) => method === 'POST' && path.endsWith(`/${shop.name}/issues`)).length
    await until(async () => issues() >= made)
    await app.kill()
    await app.start()
  }
  github.setDelay(0)
  await until(async () => (await board()).includes('0 of 4') || (await board()).includes('1 of 4'), 60_000)
  await app.idle()
  const titles = (await board()).match(/\| #\d+ [^|]+\|/g)?.map((row) => row.replace(/\| #\d+ | \|/g, ''))
  expect(titles).toEqual(['Show prices', 'Cache it', 'Measure it', 'Say how fast'])
  expect(await shop.read('/issues?state=all&creator=countersign%5Bbot%5D')).toHaveLength(3)
}, 120_000)

test('told twice and in any order, it ends the same', async () => {
  github.setDeliveries({ doubledPercent: 50, shuffleWithin: 4, concurrency: 3 })
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices', 'Take money'])
  for (const task of tasks) await verified(shop, task)
  await shop.say(goal, 'ada', '/goal verify I bought a book')
  github.setDeliveries({ doubledPercent: 0, shuffleWithin: 1, concurrency: 1 })
  expect(await shop.labels(goal)).toEqual(['countersign:goal-verified', 'goal'])
  expect(await board()).toContain('Verified: confirmed by ada')
  expect(await shop.comments(goal)).toHaveLength(1)
}, 120_000)

test('what became of a goal while nobody listened is seen at the next start', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'])
  await app.kill()
  github.setDeliveries({ lostPercent: 100 })
  const late = github.openIssue(shop.name, { title: 'Take money', by: 'bob' })
  github.addSubIssue(shop.name, goal, late, 'bob')
  github.removeSubIssue(shop.name, goal, tasks[0] ?? 0, 'bob')
  github.closeIssue(shop.name, goal, 'bob')
  await github.idle()
  github.setDeliveries({ lostPercent: 0 })
  await app.start()
  await until(async () => (await board()).includes('Take money'))
  await app.idle()
  expect(await board()).not.toContain('Show prices')
  expect(await shop.read(`/issues/${goal}`)).toMatchObject({ state: 'open' })
}, 120_000)

test('the last task and the word of the lead at the same moment: never verified over a task that is not', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { shop, goal, tasks } = await aGoal(app, ['Show prices'])
    const { pull } = await verified(shop, tasks[0] ?? 0)
    github.comment(shop.name, pull, { body: '/task reopen not yet', by: 'ada' })
    github.comment(shop.name, goal, { body: '/goal verify it works', by: 'ada' })
    await app.idle()
    expect(await shop.labels(goal)).toEqual(['countersign:goal-active', 'goal'])
  }
}, 120_000)

test('a storm around twenty tasks changes the board twice at most', async () => {
  const titles = Array.from({ length: 20 }, (_, index) => `Task ${index}`)
  const { shop, tasks, board } = await aGoal(app, titles, `${goalPolicy}intake: { clarification: off }\n`)
  const changes = []
  for (const task of tasks.slice(0, 10)) changes.push(await built(shop, task))
  const before = written
  // As from GitHub itself: many at once.
  github.setDeliveries({ concurrency: 20 })
  const report = { name: 'build', app: 'github-actions' }
  for (const { pull, sha } of changes) {
    github.review(shop.name, pull, { by: 'bob', event: 'APPROVE' })
    for (let time = 0; time < 9; time += 1)
      github.reportCheck(shop.name, { ...report, sha, conclusion: time % 2 === 1 ? 'failure' : 'success' })
  }
  await until(async () => ((await board()).match(/\| approved \|/g) ?? []).length === 10, 120_000)
  github.setDeliveries({ concurrency: 1 })
  const writes = written - before
  console.log(`the board of ${tasks.length} tasks was written ${writes} times in a storm of 100 events`)
  expect(writes).toBeLessThanOrEqual(2)
}, 180_000)
