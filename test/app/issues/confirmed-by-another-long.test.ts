// Whoever merged or approved a change does not confirm it, also where nobody told the App of that, tells of it later, or a robot
// did it for them.
import { expect, test } from 'vitest'
import { built } from '../lab/a-goal.ts'
import { requestPolicy } from '../lab/a-request.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { heardLate, whileAway } = changesIn(app)

const refusal = '`cleo`: Refused: you merged it, so somebody else must confirm it'

/** Approved, so that it may be merged, and is to be confirmed before or after that. */
async function approved() {
  const shop = await aShop(app, `${requestPolicy}merge_requires: verified\n`)
  const task = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  const { pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  return { shop, task, pull }
}

async function saidBy(shop: Shop, pull: number, by: string): Promise<string> {
  await shop.say(pull, by, '/task verify I looked at three books')
  return (await shop.comments(pull)).at(-1) ?? ''
}

/** What the page says once somebody else confirmed it, too. */
async function confirmedByAnother(shop: Shop, pull: number): Promise<string> {
  await saidBy(shop, pull, 'eve')
  return (await shop.comments(pull))[0] ?? ''
}

test('no webhook tells of it before they confirm', async () => {
  const { shop, pull } = await approved()
  await untold(github, () => github.merge(shop.name, pull, { by: 'cleo' }))
  expect(await saidBy(shop, pull, 'cleo')).toContain(refusal)
  expect(await confirmedByAnother(shop, pull)).toContain('**Merged, and confirmed by eve**')
})

test('the App was away, and finds that it is merged', async () => {
  const { shop, pull } = await approved()
  await whileAway(() => void github.merge(shop.name, pull, { by: 'cleo' }))
  await until(async () => (await shop.comments(pull))[0]?.includes('**Merged, waits for verification by ') === true)
  expect(await saidBy(shop, pull, 'cleo')).toContain(refusal)
  expect(await confirmedByAnother(shop, pull)).toContain('**Merged, and confirmed by eve**')
})

test('they confirm it at the issue of the task', async () => {
  const { shop, task, pull } = await approved()
  await untold(github, () => github.merge(shop.name, pull, { by: 'cleo' }))
  await shop.say(task, 'cleo', '/task verify I looked at three books')
  expect((await shop.comments(task)).at(-1)).toContain(refusal)
})

test('it is told after they confirmed it', async () => {
  const { shop, pull } = await approved()
  const comes = await heardLate('pull_request', () => github.merge(shop.name, pull, { by: 'cleo' }))
  await saidBy(shop, pull, 'cleo')
  await comes()
  expect((await shop.comments(pull))[0]).toContain('**Merged, waits for verification by ')
})

test('the merge queue did it for them', async () => {
  const { shop, pull } = await approved()
  const { headSha } = github.mergeGroup(shop.name, [pull], 'cleo')
  github.endGroup(shop.name, headSha, 'merged', 'github-merge-queue[bot]')
  await app.idle()
  expect(await saidBy(shop, pull, 'cleo')).toContain(refusal)
  expect(await confirmedByAnother(shop, pull)).toContain('**Merged, and confirmed by eve**')
})

const approves = (shop: Shop, pull: number) => () =>
  github.review(shop.name, pull, { by: 'eve', event: 'APPROVE', body: 'I looked at it.' })
const approver = '`eve`: Refused: you approved this change, so somebody else must confirm it'

test('whoever approved it does not confirm it either, where no webhook told of the approval', async () => {
  const { shop, pull } = await approved()
  await untold(github, approves(shop, pull))
  expect(await saidBy(shop, pull, 'eve')).toContain(approver)
  await saidBy(shop, pull, 'cleo')
  expect(await shop.labels(pull)).toContain('countersign:success')
})

test('nor at the issue of the task', async () => {
  const { shop, task, pull } = await approved()
  await untold(github, approves(shop, pull))
  await shop.say(task, 'eve', '/task verify I looked at three books')
  expect((await shop.comments(task)).at(-1)).toContain(approver)
})

test('what was said before is looked at once, and the same look serves for the green that follows', async () => {
  const { shop, pull } = await approved()
  const looks = github.addFault({ path: '/graphql', holds: 'timelineItems', trouble: { kind: 'delay', ms: 1 } })
  await shop.say(pull, 'eve', '/task verify I looked at three books')
  expect(await shop.labels(pull)).toEqual(['countersign:success'])
  expect(github.faultHits(looks)).toBe(1)
  github.removeFault(looks)
})

test('a no that nobody told of, said before somebody confirms it, is no green', async () => {
  const { shop, pull } = await approved()
  await untold(github, () => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
  await shop.say(pull, 'eve', '/task verify I looked at three books')
  expect(await shop.labels(pull)).toEqual(['countersign:failed'])
})
