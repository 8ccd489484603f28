// Where gates usually break: forks, drafts, other bases, moved heads, edited policies, and a process that dies.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { appOfFile } from './lab/app-of-file.ts'
import { until } from './lab/running.ts'
import { adopted, aShop } from './lab/shop.ts'

const app = await appOfFile()

test('a fork, whose check runs name no pull request', async () => {
  const shop = await aShop(app)
  const fork = app.github.fork(shop.name, 'dan')
  const sha = app.github.push(fork, 'better', { files: { 'src/a.ts': 'one\n' }, author: 'dan' })
  app.github.openPull(shop.name, { title: 'From outside', head: 'dan:better', by: 'dan' })
  await shop.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a draft is not judged until it is ready', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open('agent', { draft: true })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).not.toMatch(/^success/)
  app.github.setDraft(shop.name, number, false, 'agent')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a commit that comes back from a draft keeps its run, so that none is left behind when the process dies', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  for (const draft of [true, false]) app.github.setDraft(shop.name, number, draft, 'agent')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed/)
  expect(await shop.runs(sha)).toBe(1)
})

test('another base has a check of another name', async () => {
  const shop = await aShop(app)
  app.github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  app.github.editPull(shop.name, number, { base: 'release', by: 'ada' })
  await shop.idle()
  expect(await shop.check(sha, 'countersign (release)')).not.toBe('none')
})

test('closing and opening again keeps a rejection', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  await shop.say(number, 'bob', '/reject no')
  app.github.closePull(shop.name, number, 'agent')
  await shop.idle()
  app.github.editPull(shop.name, number, { title: 'Another task', body: 'which nobody rejected', by: 'agent' })
  await shop.idle()
  app.github.reopenPull(shop.name, number, 'agent')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/rejected by bob/)
})

test('a change to the policy is governed by the base, and waits for somebody entitled', async () => {
  const shop = await aShop(app)
  const sha = await shop.push('feature', 'agent', { '.github/countersign.yml': 'verification: { checks: [] }\n' })
  const number = await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toBe(
    'action_required: Needs a person: `.github/countersign.yml` is protected, so somebody entitled must look at it first',
  )
  await shop.say(number, 'ada', '/ack the checks move elsewhere')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('mistakes in the copy of the policy that a change brings along are annotated where they are', async () => {
  const shop = await aShop(app)
  const sha = await shop.push('feature', 'agent', { '.github/countersign.yml': 'version: 1\nmode: enforced\n' })
  await shop.open()
  await shop.build(sha, 'success')
  const runs = z
    .object({ check_runs: z.array(z.object({ id: z.number() })) })
    .parse(await shop.read(`/commits/${sha}/check-runs?check_name=countersign`))
  const marks = await shop.read(`/check-runs/${runs.check_runs[0]?.id}/annotations`)
  expect(marks).toMatchObject([
    { path: '.github/countersign.yml', start_line: 2, message: expect.stringContaining('Did you mean `enforce`') },
  ])
})

test('an invalid policy is a referral that names the line, and takes an admin', async () => {
  const shop = await aShop(app, 'verification:\n  cheks: [test]\n')
  const sha = await shop.push()
  const number = await shop.open()
  expect(await shop.check(sha)).toMatch(
    /^action_required: Needs a person: the policy on the base branch is invalid: \.github\/countersign\.yml:2/,
  )
  await shop.say(number, 'ada', '/ack fine')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await shop.say(number, 'cleo', '/ack repaired in the next pull request')
  expect(await shop.check(sha)).toMatch(/nothing judges this change/)
})

test('without a policy it shows nothing, and blocks only where it is required', async () => {
  const shop = await aShop(app, null)
  const sha = await shop.push()
  await shop.open()
  expect(await shop.check(sha)).toBe('none')
  const strict = await aShop(app, null)
  app.github.protect(strict.name, 'main', { checks: [{ context: 'countersign', appId: null }] })
  const guarded = await strict.push()
  await strict.open()
  expect(await strict.check(guarded)).toMatch(/^action_required: Needs a person: there is no policy yet/)
})

test('the organisation has a default policy', async () => {
  const shop = await aShop(app, null)
  app.github.createRepo(`${shop.org}/.github`, {
    files: { '.github/countersign.yml': 'verification: { checks: [{ name: build, check_run: build }] }\n' },
    by: 'cleo',
  })
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('shadow mode says what it would have been', async () => {
  const shop = await aShop(app, 'mode: shadow\nverification: { checks: [{ name: build, check_run: build }] }\n')
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^neutral: Shadow mode, this would be: Changes needed/)
})

test('switched off, it judges nothing and leaves nothing hanging', async () => {
  const shop = await aShop(app, 'mode: off\n')
  const sha = await shop.push()
  await shop.open()
  expect(await shop.check(sha)).toBe('none')
  const strict = await aShop(app, 'mode: off\n')
  app.github.protect(strict.name, 'main', { checks: [{ context: 'countersign', appId: null }] })
  const waited = await strict.push()
  const number = await strict.open()
  for (const title of ['another', 'and another']) {
    app.github.editPull(strict.name, number, { title, by: 'agent' })
    await strict.idle()
  }
  expect(await strict.check(waited)).toBe('neutral: Not judged: switched off by the policy')
  expect(await strict.runs(waited)).toBe(1)
})

test('where there is no GraphQL, everything is read over REST', async () => {
  const shop = await aShop(app)
  const fault = app.github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 404 } })
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  await shop.say(number, 'ada', '/override the runner is broken')
  app.github.removeFault(fault)
  expect(await shop.check(sha)).toMatch(/^success: Passed: ada takes responsibility/)
  expect(await shop.comments(number)).toHaveLength(1)
})

test('a renamed repository keeps its history', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.say(number, 'bob', '/reject no')
  app.github.renameRepo(shop.name, 'store', 'cleo')
  await shop.idle()
  app.github.reportCheck(`${shop.org}/store`, { name: 'build', sha, conclusion: 'success' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/rejected by bob/)
})

test('two pull requests on one commit are both judged', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const one = await shop.open()
  app.github.moveBranch(shop.name, 'twin', 'feature', 'agent')
  await shop.open('agent', { head: 'twin' })
  await shop.build(sha, 'success')
  await shop.say(one, 'bob', '/reject no')
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('webhooks that were doubled and reordered end where the calm run ends', async () => {
  const shop = await aShop(app)
  app.github.setDeliveries({ doubledPercent: 50, shuffleWithin: 4, concurrency: 4 })
  const first = await shop.push()
  const number = await shop.open()
  await shop.build(first, 'failure')
  await shop.say(number, 'ada', '/override flaky')
  app.github.setDeliveries({ doubledPercent: 0, shuffleWithin: 1, concurrency: 1 })
  expect(await shop.check(first)).toMatch(/^success/)
  expect((await shop.comments(number)).length).toBe(1)
})

test('what happened while the process was dead is found when it starts again', async () => {
  // A page also where the failure and the word that lifts it are heard together, so that nothing is wrong to tell.
  const shop = await aShop(app, `comment: always\n${adopted}`)
  const sha = await shop.push()
  const number = await shop.open()
  await app.kill()
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure' })
  app.github.comment(shop.name, number, { body: '/override --check build the runner is broken', by: 'ada' })
  const unseen = app.github.push(shop.name, 'other', { files: { 'src/other.ts': 'one' }, author: 'agent' })
  app.github.openPull(shop.name, { title: 'Meanwhile', head: 'other', by: 'agent' })
  await app.github.idle()
  await app.start()
  await until(async () => (await shop.check(sha)).startsWith('success: Passed: ada takes responsibility'))
  await until(async () => (await shop.check(unseen)).startsWith('in_progress'))
  await shop.idle()
  // The delivery that is sent again and the look at what is open find the same push.
  expect(await shop.runs(unseen)).toBe(1)
  expect(await shop.comments(number)).toHaveLength(1)
}, 40_000)

test('a merge group is judged on its own commit, and its member at an unchanged head', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  const group = app.github.mergeGroup(shop.name, [number], 'ada').headSha
  await shop.idle()
  expect(await shop.check(group)).toBe('in_progress: Waiting: required check `build` has not reported yet')
  await shop.build(group, 'failure')
  expect(await shop.check(group)).toBe('failure: Changes needed: required check `build` failed')
  expect(await shop.check(sha)).toMatch(/^success/)
  await shop.build(group, 'success')
  expect(await shop.check(group)).toMatch(/^success/)
})

test('a merge group that was announced and then not understood at once does not stay queued', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  const trouble = { kind: 'answer', status: 502 } as const
  app.github.addFault({ method: 'GET', path: `/repos/*/pulls/${number}`, times: 4, trouble })
  const group = app.github.mergeGroup(shop.name, [number], 'ada').headSha
  await shop.build(group, 'success')
  expect(await shop.check(group)).toMatch(/^success/)
})

test('a merge group of a pull request that is not green is stopped', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  const group = app.github.mergeGroup(shop.name, [number], 'ada').headSha
  await shop.idle()
  await shop.build(group, 'success')
  expect(await shop.check(group)).toMatch(/^action_required: .* is not a success at the head that is queued/)
})
