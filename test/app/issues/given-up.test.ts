// Who gave something up, and who only merged what closed its issue: GitHub names both as who closed it.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aGoal, built, verified } from '../lab/a-goal.ts'
import { aRequest } from '../lab/a-request.ts'
import type { Shop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

async function mergedClosing(shop: Shop, issue: number, by: string): Promise<void> {
  const sha = await shop.push('tiny', 'agent', { 'src/tiny.ts': 'export {}\n' })
  const pull = await shop.open('agent', { head: 'tiny', body: `A step towards it. Closes #${issue}` })
  await shop.build(sha, 'success')
  github.merge(shop.name, pull, { by })
  await shop.idle()
}

test.each(['bob', 'ada'])('a change says that it closes the goal, and %s merges it: the goal stands', async (by) => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices', 'Take money'])
  const other = await built(shop, tasks[0] ?? 0)
  await mergedClosing(shop, goal, by)
  expect(await shop.check(other.sha)).toMatch(/^action_required/)
  expect(await shop.read(`/issues/${goal}`)).toMatchObject({ state: 'open' })
})

test('a request that a merge closed was withdrawn by nobody, and is asked for again by opening it', async () => {
  const { shop, request, page, state } = await aRequest(app)
  await mergedClosing(shop, request, 'bob')
  expect(await state()).toEqual(['countersign:request-rejected'])
  expect(await page()).toContain('**Closed by a merge before it was a task**')
  expect(await page()).not.toContain('bob')
  github.reopenIssue(shop.name, request, 'dan')
  await shop.idle()
  expect(await state()).toEqual(['countersign:request-triaged'])
})

test.each(['maintain', 'read'] as const)(
  'a goal that a lead gave up stays so, whatever they may do later: %s',
  async (may) => {
    const { shop, goal } = await aGoal(app, ['Show prices'])
    github.closeIssue(shop.name, goal, 'ada')
    await shop.idle()
    github.setPermission(shop.name, 'ada', may)
    github.editIssue(shop.name, goal, { body: 'It was too much.', by: 'bob' })
    await shop.idle()
    expect(await shop.read(`/issues/${goal}`)).toMatchObject({ state: 'closed' })
  },
)

test('a goal that was closed as verified is no goal that was given up: sent back, it is open again', async () => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices'])
  await verified(shop, tasks[0] ?? 0)
  await shop.say(goal, 'ada', '/goal verify I bought a book')
  github.closeIssue(shop.name, goal, 'ada')
  await shop.idle()
  expect(await shop.read(`/issues/${goal}`)).toMatchObject({ state: 'closed' })
  await shop.say(goal, 'ada', '/goal reject the receipt is wrong')
  expect(await shop.read(`/issues/${goal}`)).toMatchObject({ state: 'open' })
  expect(await shop.labels(goal)).toContain('countersign:goal-active')
})
