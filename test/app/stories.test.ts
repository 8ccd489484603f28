// The App end to end: a process, real signed webhooks, and what people then see on GitHub.
import { expect, test } from 'vitest'
import { sharedApp } from './lab/app-of-file.ts'
import { aShop } from './lab/shop.ts'

const app = await sharedApp()

test('a pull request is judged by adopted checks, from push to green', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  expect(await shop.check(sha)).toBe('in_progress: Waiting: required check `build` has not reported yet')
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toBe('success: Passed: every required check passed and nothing objects')
  expect(await shop.labels(number)).toEqual(['countersign:success'])
  expect(await shop.comments(number)).toEqual([])
})

test('a failed check asks for a retry with its context, and the next push is a new attempt', async () => {
  const shop = await aShop(app)
  const first = await shop.push()
  const number = await shop.open()
  await shop.build(first, 'failure')
  expect(await shop.check(first)).toBe('failure: Changes needed: required check `build` failed with exit code 1')
  const [sticky] = await shop.comments(number)
  expect(sticky).toContain('**What to do next**')
  expect(sticky).toContain('Previous attempt failed verification: `build` failed with exit code 1.')
  expect(sticky).toContain('"failed": [\n  "check:build"\n ]')
  const second = await shop.push()
  await shop.build(second, 'success')
  expect(await shop.check(second)).toMatch(/^success/)
  expect(await shop.check(first)).toMatch(/^failure/)
  expect(await shop.comments(number)).toHaveLength(1)
})

test('the change that failed is told to the next attempt: without secrets, and what has no lines by its name', async () => {
  const shop = await aShop(app)
  const token = `ghp_${'a1B2'.repeat(9)}`
  const sly = 'export const fence = "```"\n```\n@ada closes #1\n'
  const sha = await shop.push('feature', 'agent', {
    'logo.png': '\0\u0001',
    'src/sly.ts': `${sly}export const token = "${token}"\n`,
  })
  const number = await shop.open()
  await shop.build(sha, 'failure')
  await shop.say(number, 'bob', '/context')
  for (const body of await shop.comments(number)) {
    expect(body).toContain(
      [
        '### The change that was judged',
        '',
        '````diff',
        'Not shown: logo.png',
        '--- /dev/null',
        '+++ b/src/shop.ts',
        '@@ -0,0 +1 @@',
        '+export const version = 1',
        '--- /dev/null',
        '+++ b/src/sly.ts',
        '@@ -0,0 +1,4 @@',
        '+export const fence = "```"',
        '+```',
        '+@ada closes #1',
        '+export const token = "***"',
        '````',
      ].join('\n'),
    )
    expect(body).toContain('"change": "Not shown: logo.png\\n--- /dev/null')
    expect(body).not.toContain(token)
  }
})

test.each(['skipped', 'neutral'] as const)('a %s check has not passed', async (conclusion) => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, conclusion)
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('a check of the right name from another app is no result', async () => {
  const shop = await aShop(app)
  app.github.createApp({ slug: `impostor-${shop.org}`, owner: shop.org })
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success', `impostor-${shop.org}`)
  expect(await shop.check(sha)).toBe('in_progress: Waiting: required check `build` has not reported yet')
})

test('a maintainer overrides, with a reaction; the builder and strangers are told why they may not', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  await shop.say(number, 'agent', '/override I am right')
  await shop.say(number, 'dan', '/override I am right')
  await shop.say(number, 'ada', '> /override quoted')
  expect(await shop.check(sha)).toMatch(/^failure/)
  const replies = (await shop.comments(number)).slice(1)
  expect(replies.map((reply) => reply.split('Who may')[0])).toEqual([
    '`agent`: Refused: a machine account cannot do this. ',
    '`dan`: Refused: this takes maintain permission. ',
  ])
  const comment = await shop.say(number, 'ada', '/override the runner lost its network')
  expect(await shop.check(sha)).toBe('success: Passed: ada takes responsibility: the runner lost its network')
  expect(await shop.summary(sha)).toContain('ada overrode check `build` (maintain): the runner lost its network')
  expect(await shop.read(`/issues/comments/${comment}/reactions`)).toMatchObject([{ content: '+1' }])
  await shop.say(number, 'ada', '/revoke')
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('a rejection blocks whatever is green, and only its author takes it back', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  await shop.say(number, 'bob', '/reject not this way')
  expect(await shop.check(sha)).toBe('failure: Stopped: rejected by bob: not this way')
  await shop.say(number, 'eve', '/revoke')
  expect(await shop.check(sha)).toMatch(/^failure/)
  await shop.say(number, 'bob', '/revoke')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('reviews: an approval that is required, requested changes, and a dismissal', async () => {
  const shop = await aShop(
    app,
    'merge_requires: completed\nverification: { checks: [{ name: build, check_run: build }] }\n',
  )
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toBe('action_required: Needs a person: an approving review of this commit is missing')
  await shop.review(number, 'bob', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^success/)
  const review = await shop.review(number, 'eve', 'REQUEST_CHANGES', 'no')
  expect(await shop.check(sha)).toBe('failure: Stopped: rejected by eve: no')
  app.github.dismiss(shop.name, number, review, 'ada')
  await shop.idle()
  // What was approved before somebody rejected it is asked for anew.
  expect(await shop.check(sha)).toMatch(/^action_required: .* an approving review of this commit is missing/)
  await shop.review(number, 'bob', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('branch protection that requires the check blocks the merge, then lets it through', async () => {
  const shop = await aShop(app)
  app.github.protect(shop.name, 'main', { checks: [{ context: 'countersign', appId: app.github.app.id }] })
  const sha = await shop.push()
  const number = await shop.open()
  expect(() => app.github.merge(shop.name, number, { by: 'ada' })).toThrow(/status check/)
  await shop.build(sha, 'failure')
  expect(() => app.github.merge(shop.name, number, { by: 'ada' })).toThrow(/status check/)
  await shop.say(number, 'ada', '/override flaky')
  app.github.merge(shop.name, number, { by: 'ada' })
  await shop.idle()
  expect(await shop.read(`/pulls/${number}`)).toMatchObject({ merged: true })
})

test('questions are answered in words', async () => {
  const shop = await aShop(app)
  await shop.push()
  const number = await shop.open()
  for (const words of ['/status', '/log', '/help', '/context', '/countersign bogus'])
    await shop.say(number, 'bob', words)
  const [status, log, help, context, unknown] = await shop.comments(number)
  expect(status).toContain('| Stage | Result |')
  expect(log).toContain('began attempt 1')
  expect(help).toContain('/override [--check <name>]')
  expect(context).toContain('```json')
  expect(unknown).toContain('There is no command `bogus`')
  await shop.say(number, 'bob', '@countersign who are you?')
  expect((await shop.comments(number)).at(-1)).toBe(help)
  expect(help).toMatch(/^Nothing requires this check on `main`, so it blocks no merge/)
})

test('whoever calls the App by its name is answered where nothing is judged, too', async () => {
  const shop = await aShop(app)
  await shop.push()
  const draft = await shop.open('agent', { draft: true })
  await shop.say(draft, 'bob', '@countersign are you there?')
  expect((await shop.comments(draft)).at(-1)).toMatch(/^This is a draft, and drafts are not judged/)
  const bare = await aShop(app, null)
  await bare.push()
  const number = await bare.open()
  await bare.say(number, 'bob', '@countersign are you there?')
  await bare.say(number, 'bob', '@agent please rebase')
  expect(await bare.comments(number)).toEqual([expect.stringMatching(/^This pull request is not judged/)])
})

test('a merge without our green is recorded and told to the lead', async () => {
  const shop = await aShop(
    app,
    'roles: { lead: [cleo] }\nverification: { checks: [{ name: build, check_run: build }] }\n',
  )
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  app.github.merge(shop.name, number, { by: 'ada' })
  await shop.idle()
  expect((await shop.comments(number)).at(-1)).toMatch(/^@cleo: ada merged [0-9a-f]{7} although it was no success/)
})
