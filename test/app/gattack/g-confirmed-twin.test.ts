// What somebody confirmed at a pull request is lost as soon as another pull request of the task is opened, also where that is closed again.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aGoal, verified } from '../lab/a-goal.ts'

const app = await sharedApp()

test('a confirmed pull request stays confirmed when the agent opens another one and closes it', async () => {
  const { shop, tasks } = await aGoal(app, ['Show prices'])
  const task = tasks[0] ?? 0
  const one = await verified(shop, task)
  expect(await shop.check(one.sha)).toMatch(/^success/)
  await shop.push('other', 'agent', { 'src/other.ts': 'export const o = 1\n' })
  const other = await shop.open('agent', { head: 'other', body: `Closes #${task}` })
  app.github.closePull(shop.name, other, 'agent')
  await shop.idle()
  expect(await shop.check(one.sha)).toMatch(/^success/)
})
