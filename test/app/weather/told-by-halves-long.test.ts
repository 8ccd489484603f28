// What GitHub told by halves is read again by itself: an issue that it did not show, or who made a commit. It is judged by the
// whole then, also where that asks for more, and nothing that was said about the commit is lost by it.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'
import type { Fault } from '../../github/wire/faults.ts'

const app = await appOfFile()
const { github } = app
const { whileAway } = changesIn(app)

const withoutIssues: Fault = {
  holds: 'closingIssuesReferences',
  trouble: { kind: 'null', field: 'closingIssuesReferences', where: 'instead' },
}
const withoutPushers: Fault = { path: '/repos/*/activity', trouble: { kind: 'answer', status: 404 } }
const docsOnly = 'Fix them.\n\n```countersign\nscope: { write: [docs/**] }\n```\n'

async function halfTold(fault: Fault | readonly Fault[], linked: string | null = null, named = false) {
  const shop = await aShop(app)
  const sha = await shop.push()
  const issue = linked === null ? null : github.openIssue(shop.name, { title: 'Prices', body: linked, by: 'cleo' })
  const pull = await shop.open('agent', { draft: true, body: named ? `Closes #${issue}` : '' })
  if (issue !== null && !named) github.linkIssue(shop.name, pull, issue, 'cleo')
  await app.idle()
  const holes = [fault].flat().map((one) => github.addFault(one))
  github.setDraft(shop.name, pull, false, 'agent')
  await app.idle()
  await shop.build(sha, 'success')
  return { shop, sha, pull, whole: () => holes.forEach((hole) => github.removeFault(hole)) }
}

const attempts = async (pull: number, shop: Awaited<ReturnType<typeof aShop>>): Promise<string | undefined> =>
  /"attempt": \{\s+"number": \d+/.exec((await shop.comments(pull)).join('\n'))?.[0]

test('that there are no issues is found out', async () => {
  const { shop, sha, whole } = await halfTold(withoutIssues)
  expect(await shop.check(sha)).toMatch(/^action_required: .*cannot be read/)
  await whileAway(whole)
  await until(async () => (await shop.check(sha)).startsWith('success'))
  expect(await shop.check(sha)).toMatch(/^success: Passed/)
})

test('an issue that is shown later asks what it asks', async () => {
  const { shop, sha, whole } = await halfTold(withoutIssues, docsOnly)
  expect(await shop.check(sha)).toMatch(/^action_required: .*cannot be read/)
  await whileAway(whole)
  await until(async () => !(await shop.check(sha)).startsWith('action_required'))
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: `src\/shop.ts` is outside the scope of this task/)
})

test('and one that is listed, and not shown', async () => {
  const hidden = { path: '/repos/*/issues/1', trouble: { kind: 'answer', status: 404 } } as const
  const { shop, sha, whole } = await halfTold([{ ...withoutIssues, holds: 'totalCount' }, hidden], docsOnly)
  expect(await shop.check(sha)).toMatch(/^action_required: .*cannot be read/)
  await whileAway(whole)
  await until(async () => !(await shop.check(sha)).startsWith('action_required'))
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: `src\/shop.ts` is outside the scope of this task/)
})

const noGraphql: Fault = { path: '/graphql', trouble: { kind: 'answer', status: 404 } }
test.each([
  ['that is linked by hand', false],
  ['that its text names', true],
])('and one %s, while nobody finds GraphQL', async (_, named) => {
  const { shop, sha, whole } = await halfTold(noGraphql, docsOnly, named)
  expect(await shop.check(sha)).not.toMatch(/^success/)
  await whileAway(whole)
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: `src\/shop.ts` is outside the scope of this task/)
})

test('who made a commit is found out, and it is the same attempt', async () => {
  const { shop, sha, pull, whole } = await halfTold(withoutPushers)
  expect(await shop.check(sha)).toMatch(/^action_required: .*nobody can tell who made/)
  const first = await attempts(pull, shop)
  expect(first).toBeDefined()
  await whileAway(whole)
  await until(async () => (await shop.check(sha)).startsWith('success'))
  expect(await attempts(pull, shop)).toBe(first)
})

test('what was said about it meanwhile stands', async () => {
  const { shop, sha, pull, whole } = await halfTold(withoutPushers)
  await shop.say(pull, 'ada', '/reject the prices are wrong')
  const before = github.requestLog().length
  await whileAway(whole)
  const isRead = (): boolean =>
    github
      .requestLog()
      .slice(before)
      .some(({ path, status }) => path === `/repos/${shop.name}/activity` && status === 200)
  await until(async () => isRead())
  await app.idle()
  expect(isRead()).toBe(true)
  expect(await shop.check(sha)).toMatch(/^failure: .*rejected by ada/)
})

test('what stays hidden stays as it is', async () => {
  const { shop, sha, pull } = await halfTold(withoutPushers)
  const before = await attempts(pull, shop)
  await whileAway(() => undefined)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^action_required: .*nobody can tell who made/)
  expect(await attempts(pull, shop)).toBe(before)
})
