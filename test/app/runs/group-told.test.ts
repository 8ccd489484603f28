// A green group of the merge queue is red again as soon as one of its members is no success any more, whatever it was that moved it:
// words elsewhere, a goal, or what its task waits for.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { goalPolicy } from '../lab/a-goal.ts'
import { aShop, byStatus, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app

const isLacking = /^action_required: Needs a person: pull request \d+ is not a success/

/** What was queued alone, and the group passes. */
async function greenGroup(shop: Shop, pull: number, pass: 'build' | 'passes'): Promise<string> {
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  await (pass === 'build' ? shop.build(group, 'success') : shop.passes(group))
  expect(await shop.check(group)).toMatch(/^success/)
  aMinuteLater()
  return group
}

test('a no at another pull request of the same task and commit, until it is taken back', async () => {
  const shop = await aShop(app, byStatus)
  const issue = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${issue}` })
  github.moveBranch(shop.name, 'twin', sha, 'agent')
  const twin = await shop.open('agent', { head: 'twin', body: `Closes #${issue}` })
  await shop.passes(sha)
  const group = await greenGroup(shop, pull, 'passes')
  await shop.say(twin, 'bob', '/reject not like this')
  expect(await shop.check(group)).toMatch(isLacking)
  await shop.say(twin, 'bob', '/revoke')
  expect(await shop.check(group)).toMatch(/^success/)
})

/** Opened and closed with the commit of another, and nobody told. */
const closedTwin = ({ name }: Shop, sha: string): Promise<number> =>
  untold(github, () => {
    github.moveBranch(name, 'twin', sha, 'agent')
    const pull = github.openPull(name, { title: 'The same', head: 'twin', by: 'agent' })
    github.closePull(name, pull, 'agent')
    return pull
  })

test('a no at a closed pull request that nobody judged, also where only the tree is the same', async () => {
  const shop = await aShop(app)
  const sha = await shop.push('feature', 'agent', { 'src/shop.ts': 'export {}\n' })
  const twin = await closedTwin(shop, sha)
  const pull = await shop.open()
  const other = github.push(shop.name, 'other', {
    files: { 'src/shop.ts': 'export {}\n' },
    author: 'agent',
    message: 'The same once more',
  })
  await shop.open('agent', { head: 'other' })
  await shop.build(sha, 'success')
  await shop.build(other, 'success')
  expect(await shop.check(other)).toMatch(/^success/)
  const group = await greenGroup(shop, pull, 'build')
  await shop.say(twin, 'bob', '/reject not like this')
  expect(await shop.check(other)).toMatch(/^failure/)
  expect(await shop.check(group)).toMatch(isLacking)
})

async function aTaskThatIsGreen() {
  const shop = await aShop(app, goalPolicy)
  const { name } = shop
  const task = github.openIssue(name, { title: 'Show prices', by: 'bob' })
  const goal = github.openIssue(name, { title: 'A shop that sells', by: 'bob' })
  github.label(name, goal, 'goal', 'ada')
  await app.idle()
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${task}` })
  await shop.build(sha, 'success')
  return { shop, task, goal, group: await greenGroup(shop, pull, 'build') }
}

test('its issue becomes a task of a goal, which has to be confirmed, and is none any more', async () => {
  const { shop, task, goal, group } = await aTaskThatIsGreen()
  github.addSubIssue(shop.name, goal, task, 'bob')
  await app.idle()
  expect(await shop.check(group)).toMatch(isLacking)
  github.removeSubIssue(shop.name, goal, task, 'bob')
  await app.idle()
  expect(await shop.check(group)).toMatch(/^success/)
})

test('its task waits for another one, until that is done', async () => {
  const { shop, task, group } = await aTaskThatIsGreen()
  const first = github.openIssue(shop.name, { title: 'First this', by: 'bob' })
  github.addBlocker(shop.name, task, first, 'bob')
  await app.idle()
  expect(await shop.check(group)).toMatch(isLacking)
  github.closeIssue(shop.name, first, 'bob')
  await app.idle()
  expect(await shop.check(group)).toMatch(/^success/)
})
