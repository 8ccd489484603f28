// A no to what a pull request has come to is taken where it belongs, whatever else was opened for its task.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aGoal, built, goalPolicy } from '../lab/a-goal.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app

/** A task whose pull request is approved, and another one that the agent opens for it. */
async function beside(other: 'none' | 'open' | 'closed') {
  const { shop, tasks } = await aGoal(app, ['Show prices'])
  const task = tasks[0] ?? 0
  const { sha, pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  if (other !== 'none') {
    const junk = await shop.push('junk', 'agent', { 'src/junk.ts': 'export const junk = 1\n' })
    const number = await shop.open('agent', { head: 'junk', body: `Closes #${task}` })
    await shop.build(junk, 'failure')
    if (other === 'closed') github.closePull(shop.name, number, 'agent')
    await shop.idle()
  }
  aMinuteLater()
  return { shop, task, sha, pull }
}

test.each(['none', 'open', 'closed'] as const)('said at the pull request, another one is %s', async (other) => {
  const { shop, sha, pull } = await beside(other)
  await shop.say(pull, 'eve', '/task reject it shows no price')
  aMinuteLater()
  await shop.say(pull, 'cleo', '/task verify I looked')
  expect(await shop.check(sha)).toMatch(/^failure.*rejected by eve/)
})

test.each(['none', 'open', 'closed'] as const)('said at the issue, another one is %s', async (other) => {
  const { shop, task, sha, pull } = await beside(other)
  await shop.say(task, 'eve', '/task reject it shows no price')
  aMinuteLater()
  await shop.say(pull, 'cleo', '/task verify I looked')
  expect(await shop.check(sha)).toMatch(/^failure.*rejected by eve/)
})

test('said once at the issue of two pull requests it is one no', async () => {
  const { shop, tasks } = await aGoal(app, ['Show prices'])
  const task = tasks[0] ?? 0
  const { pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  const way = await shop.push('way', 'agent', { 'src/way.ts': 'export const way = 1\n' })
  const other = await shop.open('agent', { head: 'way', body: `Closes #${task}` })
  await shop.build(way, 'success')
  await shop.review(other, 'bob', 'APPROVE')
  aMinuteLater()
  await shop.say(task, 'eve', '/task reject it shows no price')
  expect(await shop.check(way)).toMatch(/^failure.*rejected by eve/)
  aMinuteLater()
  const sha = await shop.push('way', 'agent', { 'src/way.ts': 'export const way = 2\n' })
  await shop.build(sha, 'success')
  await shop.review(other, 'bob', 'APPROVE')
  aMinuteLater()
  await shop.say(other, 'cleo', '/task verify now it does')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each([true, false])('said after the merge, approved before: %s', async (approved) => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices'], `${goalPolicy}goals: { merge_requires: success }\n`)
  const { pull } = await built(shop, tasks[0] ?? 0)
  if (approved) await shop.review(pull, 'bob', 'APPROVE')
  github.merge(shop.name, pull, { by: 'bob' })
  await shop.idle()
  expect(await shop.labels(pull)).toContain('countersign:unverified')
  aMinuteLater()
  await shop.say(pull, 'eve', '/task reject it shows no price')
  aMinuteLater()
  await shop.say(pull, 'cleo', '/task verify I looked')
  expect(await shop.labels(goal)).not.toContain('countersign:goal-pending-verify')
})

test('said at the issue while its pull request stands in the merge queue', async () => {
  const { shop, tasks } = await aGoal(app, ['Show prices'], `${goalPolicy}goals: { merge_requires: completed }\n`)
  const task = tasks[0] ?? 0
  const { sha, pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^success/)
  const group = github.mergeGroup(shop.name, [pull], 'bob')
  await shop.idle()
  await shop.build(group.headSha, 'success')
  expect(await shop.check(group.headSha)).toMatch(/^success/)
  aMinuteLater()
  await shop.say(task, 'eve', '/task reject it shows no price')
  expect(await shop.check(group.headSha)).not.toMatch(/^success/)
})
