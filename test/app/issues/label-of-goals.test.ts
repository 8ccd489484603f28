// Anybody who may label can put the label of goals on an issue. It makes a goal where a lead did so, and nowhere else.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aGoal, built, goalPolicy } from '../lab/a-goal.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

test.each([false, true])('a task stays one of its goal, whoever labels it: by the agent: %s', async (isLabelled) => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'])
  const [task = 0] = tasks
  const { sha } = await built(shop, task)
  if (isLabelled) github.label(shop.name, task, 'goal', 'agent')
  // Whatever has the goal looked at again.
  github.editIssue(shop.name, goal, { body: 'with words', by: 'bob' })
  await shop.idle()
  expect(await board()).toContain(`| #${task} Show prices |`)
  expect(await shop.check(sha)).toMatch(/^action_required/)
})

test('a goal that becomes a sub-issue of another is left out of it', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'])
  const [task = 0] = tasks
  github.label(shop.name, task, 'goal', 'ada')
  await shop.idle()
  github.editIssue(shop.name, goal, { body: 'with words', by: 'bob' })
  await shop.idle()
  expect(await board()).toContain(`#${task} is a goal, and goals have no goals in them`)
})

test.each([
  ['bob', ['goal']],
  ['ada', ['countersign:goal-open', 'goal']],
])('an issue that %s labelled is what the label made of it, whoever edits it then', async (by, labels) => {
  const shop = await aShop(app, goalPolicy)
  const issue = github.openIssue(shop.name, { title: 'A shop', by: 'bob' })
  github.label(shop.name, issue, 'goal', by)
  await shop.idle()
  github.editIssue(shop.name, issue, { body: 'a typo', by: by === 'ada' ? 'bob' : 'ada' })
  await shop.idle()
  expect(await shop.labels(issue)).toEqual(labels)
  expect(await shop.comments(issue)).toHaveLength(1)
})
