// What GitHub refuses for good never stands between a pull request and its check: locked conversations, labels that it does
// not take, lists that it shows with holes.
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { shareOf } from '../../depth.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
afterEach(() => app.github.clearFaults())

const health = z.object({ inbox: z.object({ waiting: z.number(), dead: z.number() }) })
const inbox = async () => health.parse(await (await fetch(`${app.url}/health`)).json()).inbox

/** As GitHub answers where a conversation is locked. */
const lock = (repository: string): number =>
  app.github.addFault({
    method: 'POST',
    path: `/repos/${repository}/issues/*/comments`,
    trouble: { kind: 'answer', status: 403, message: 'Unable to create comment because issue is locked.' },
  })

test('a pull request whose conversation is locked is judged like any other', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const locked = lock(shop.name)
  const number = await shop.open()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed/)
  expect(await shop.comments(number)).toEqual([])
  await shop.say(number, 'ada', '/override the build is broken on main too')
  expect(await shop.check(sha)).toMatch(/^success: Passed: ada takes responsibility/)
  // A question and a refusal would be answered with comments.
  await shop.say(number, 'ada', '/why')
  await shop.say(number, 'eve', '/override')
  expect(await inbox()).toEqual({ waiting: 0, dead: 0 })
  app.github.removeFault(locked)
  const next = await shop.push()
  await shop.build(next, 'failure')
  expect(await shop.check(next)).toMatch(/^failure/)
  expect(await shop.comments(number)).toEqual([expect.stringContaining('build')])
})

test('labels that GitHub does not take keep nothing from being shown', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const trouble = { kind: 'answer', status: 422, message: 'Validation Failed' } as const
  app.github.addFault({ method: 'POST', path: `/repos/${shop.name}/issues/*/labels`, trouble })
  const number = await shop.open()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed/)
  expect(await shop.comments(number)).toHaveLength(1)
  expect(await inbox()).toEqual({ waiting: 0, dead: 0 })
})

test.each(
  shareOf(2, [
    ['all of them', { kind: 'null', field: 'closingIssuesReferences', where: 'instead' }],
    ['one of them', { kind: 'null', field: 'nodes', where: 'first' }],
  ] as const),
)('where GitHub hides %s, a pull request is not taken for one that closes nothing', async (_name, trouble) => {
  const shop = await aShop(app)
  const sha = await shop.push()
  app.github.addFault({ path: '/graphql', trouble })
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  expect(await shop.summary(sha)).toContain('does not show every issue')
  expect(await inbox()).toEqual({ waiting: 0, dead: 0 })
})

const broken = 'Something went wrong while executing your query. Please include `CAFE:0001` when reporting this issue.'
test.each(
  shareOf(2, [
    ['of its questions', { data: null, errors: [{ message: broken }] }],
    [
      'of a part of what it was asked',
      {
        data: { repository: { pullRequest: { closingIssuesReferences: null } } },
        errors: [{ message: broken, path: ['repository', 'pullRequest', 'closingIssuesReferences'] }],
      },
    ],
    ['of nothing in particular', { errors: [{ type: 'INTERNAL', message: 'Timeout on validation of query' }] }],
  ]),
)('where GraphQL says %s that it failed, it says nothing of what a pull request closes', async (_what, body) => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const failing = app.github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 200, body } })
  await shop.open()
  await shop.build(sha, 'success')
  expect(app.github.faultHits(failing)).toBeGreaterThan(0)
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('an installation that is suspended in the middle of the work leaves nothing that is tried again and again', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  const message = 'This installation has been suspended'
  const closed = { path: `/repos/${shop.name}/*`, trouble: { kind: 'answer', status: 403, message } } as const
  const [writing, asking] = [app.github.addFault({ ...closed, method: 'write' }), app.github.addFault(closed)]
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure' })
  await shop.idle()
  expect(await inbox()).toEqual({ waiting: 0, dead: 0 })
  app.github.removeFault(asking)
  await shop.build(sha, 'success')
  expect(await inbox()).toEqual({ waiting: 0, dead: 0 })
  app.github.removeFault(writing)
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each([
  ['archived', { method: 'write' }, 403, 'Repository was archived so is read-only.'],
  ['blocked', {}, 451, 'Repository access blocked'],
] as const)(
  'a repository that is %s leaves nothing that is tried again and again, and is judged once that is over',
  async (_what, which, status, message) => {
    const shop = await aShop(app)
    const sha = await shop.push()
    await shop.open()
    const path = `/repos/${shop.name}/*`
    const shut = app.github.addFault({ ...which, path, trouble: { kind: 'answer', status, message } })
    app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure' })
    await app.idle()
    expect(await inbox()).toEqual({ waiting: 0, dead: 0 })
    expect(app.github.faultHits(shut)).toBeGreaterThan(0)
    app.github.removeFault(shut)
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
  },
)

test('a label that somebody sets in another case is the same act', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  app.github.label(shop.name, number, 'Countersign:Override', 'ada')
  await shop.idle()
  await shop.say(number, 'ada', '/reason known to fail on main')
  expect(await shop.check(sha)).toMatch(/^success: Passed: ada takes responsibility/)
})
