// Whatever a pull request closes beside its task asks of it as well: the goal of such an issue, and what that issue waits for.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { goalPolicy } from '../lab/a-goal.ts'
import { aSecond } from '../lab/a-second.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app

async function place() {
  const shop = await aShop(app, goalPolicy)
  const { name } = shop
  const chore = github.openIssue(name, { title: 'Typo', by: 'bob' })
  const goal = github.openIssue(name, { title: 'A shop that sells', by: 'bob' })
  github.label(name, goal, 'goal', 'ada')
  const task = github.openIssue(name, { title: 'Show prices', by: 'bob' })
  github.addSubIssue(name, goal, task, 'bob')
  const first = github.openIssue(name, { title: 'First this', by: 'bob' })
  const blocked = github.openIssue(name, { title: 'Sort prices', by: 'bob' })
  github.addBlocker(name, blocked, first, 'bob')
  await shop.idle()
  return { shop, chore, goal, task, first, blocked }
}

test('beside a lower issue the task of a goal has to be confirmed, until it is none any more', async () => {
  const { shop, chore, goal, task } = await place()
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${chore}\nCloses #${task}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await shop.review(pull, 'bob', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  github.removeSubIssue(shop.name, goal, task, 'bob')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  github.addSubIssue(shop.name, goal, task, 'bob')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await shop.say(pull, 'cleo', '/task verify I looked')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each(['told', 'untold'])('what it closes is said after it was opened, %s', async (how) => {
  const { shop, task } = await place()
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: 'A small thing' })
  await aSecond()
  const edit = () => github.editPull(shop.name, pull, { body: `Closes #${task}`, by: 'agent' })
  if (how === 'told') edit()
  else await untold(github, edit)
  await shop.idle()
  await aSecond()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
})

test('beside a lower issue a blocked one waits, until what blocks it is done', async () => {
  const { shop, chore, first, blocked } = await place()
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${chore}\nCloses #${blocked}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/has to be verified first/)
  github.closeIssue(shop.name, first, 'bob')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what it no longer closes asks nothing more', async () => {
  const { shop, chore, blocked } = await place()
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${chore}\nCloses #${blocked}` })
  await shop.build(sha, 'success')
  github.editPull(shop.name, pull, { body: `Closes #${chore}`, by: 'agent' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what it closes together does not wait for each other', async () => {
  const { shop, first, blocked } = await place()
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${first}\nCloses #${blocked}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})
