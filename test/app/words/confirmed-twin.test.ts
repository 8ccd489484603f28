// What somebody confirmed stays confirmed whatever else is opened for the same task, or whoever builds could undo it.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aGoal, verified } from '../lab/a-goal.ts'

const app = await sharedApp()

test('another pull request is opened, is not confirmed by that, and is closed', async () => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices'])
  const task = tasks[0] ?? 0
  const one = await verified(shop, task)
  expect(await shop.check(one.sha)).toMatch(/^success/)
  const sha = await shop.push('other', 'agent', { 'src/other.ts': 'export const o = 1\n' })
  const other = await shop.open('agent', { head: 'other', body: `Closes #${task}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  expect(await shop.check(one.sha)).toMatch(/^success/)
  app.github.closePull(shop.name, other, 'agent')
  await shop.idle()
  app.github.merge(shop.name, one.pull, { by: 'bob' })
  await shop.idle()
  expect(await shop.labels(goal)).toContain('countersign:goal-pending-verify')
})
