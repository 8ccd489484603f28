// A pull request closes a task of a goal (or a blocked issue) beside a lower issue, or says so only after it was opened: nothing of what
// the goal or the blockers ask counts, and GitHub closes the task with the merge.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { goalPolicy } from '../lab/a-goal.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()

async function place() {
  const shop = await aShop(app, goalPolicy)
  const { github, name } = shop
  const chore = github.openIssue(name, { title: 'Typo', by: 'bob' })
  const goal = github.openIssue(name, { title: 'A shop that sells', by: 'bob' })
  github.label(name, goal, 'goal', 'ada')
  const task = github.openIssue(name, { title: 'Show prices', by: 'bob' })
  github.addSubIssue(name, goal, task, 'bob')
  const first = github.openIssue(name, { title: 'First this', by: 'bob' })
  const blocked = github.openIssue(name, { title: 'Sort prices', by: 'bob' })
  github.addBlocker(name, blocked, first, 'bob')
  await shop.idle()
  return { shop, chore, goal, task, blocked }
}

test('control: the task of the goal alone', async () => {
  const { shop, task } = await place()
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${task}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
})

test('a lower issue beside the task of the goal', async () => {
  const { shop, chore, task } = await place()
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${chore}\nCloses #${task}` })
  await shop.build(sha, 'success')
  const before = await shop.check(sha)
  shop.github.merge(shop.name, pull, { by: 'bob' })
  await shop.idle()
  // Its issue is closed, and nobody can confirm it any more.
  expect(await shop.read(`/issues/${task}`)).toMatchObject({ state: 'closed' })
  await shop.say(task, 'eve', '/task verify I looked')
  expect((await shop.comments(task)).at(-1)).toContain('there is none yet')
  expect(before).toMatch(/^action_required/)
})

test('what it closes is said after it was opened', async () => {
  const { shop, task } = await place()
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: 'A small thing' })
  shop.github.editPull(shop.name, pull, { body: `Closes #${task}`, by: 'agent' })
  await shop.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
})

test('what it closes is said after it was opened, and before another push', async () => {
  const { shop, task } = await place()
  await shop.push()
  const pull = await shop.open('agent', { body: 'A small thing' })
  shop.github.editPull(shop.name, pull, { body: `Closes #${task}`, by: 'agent' })
  await shop.idle()
  const sha = await shop.push()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
})

test('control: a blocked issue alone', async () => {
  const { shop, blocked } = await place()
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${blocked}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/has to be verified first/)
})

test('a lower issue beside a blocked one', async () => {
  const { shop, chore, blocked } = await place()
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${chore}\nCloses #${blocked}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/has to be verified first/)
})
