// Every fact counts for what it is a fact about, and for nothing else: this commit, with this tree, for this base.
import { expect, test } from 'vitest'
import { appOfFile } from './app-of-file.ts'
import { aShop } from './shop.ts'

const app = await appOfFile()

const adopting = 'verification: { checks: [{ name: build, check_run: build }] }\n'

test('the name of a check follows from the base, whatever the rules call it', async () => {
  const shop = await aShop(app)
  app.github.push(shop.name, 'lax', { files: { '.github/countersign.yml': 'mode: off\n' }, author: 'cleo' })
  app.github.protect(shop.name, 'lax', { checks: [{ context: 'countersign', appId: null }] })
  const sha = await shop.push()
  await shop.open('agent', { base: 'lax' })
  expect(await shop.check(sha)).toBe('none')
  // Only the default branch can say that nothing is enforced.
  expect(await shop.check(sha, 'countersign (lax)')).not.toMatch(/^(neutral|success)/)
})

test('a base that is switched between the webhook and the reading is judged as the base that it is', async () => {
  const shop = await aShop(app)
  const lenient = {
    '.github/countersign.yml': 'verification: { checks: [{ name: none, check_run: none, required: false }] }\n',
  }
  app.github.push(shop.name, 'lax', { files: lenient, author: 'cleo' })
  const sha = await shop.push()
  const number = app.github.openPull(shop.name, { title: 'Better', head: 'feature', base: 'lax', by: 'agent' })
  app.github.editPull(shop.name, number, { base: 'main', by: 'agent' })
  await shop.idle()
  expect(await shop.check(sha)).not.toMatch(/^(success|neutral)/)
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a head that is read as it was does not end the newer one', async () => {
  const shop = await aShop(app)
  await shop.push()
  const number = await shop.open()
  const fault = app.github.addFault({ path: '/graphql', trouble: { kind: 'stale', pull: number } })
  const second = await shop.push()
  expect(await shop.check(second)).toMatch(/^in_progress: Waiting/)
  app.github.removeFault(fault)
  await shop.build(second, 'success')
  expect(await shop.check(second)).toMatch(/^success/)
})

test('a stack is judged by its base', async () => {
  const shop = await aShop(app)
  await shop.push('first')
  const lower = await shop.open('agent', { head: 'first' })
  app.github.push(shop.name, 'second', { from: 'first', files: { 'src/more.ts': 'more\n' }, author: 'agent' })
  const sha = app.github.tip(shop.name, 'second')
  const upper = app.github.openPull(shop.name, { title: 'On top', head: 'second', base: 'first', by: 'agent' })
  await shop.idle()
  app.github.stack(shop.name, [lower, upper], 'agent')
  await shop.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('approving one pull request of a task does not lift what was requested on another', async () => {
  const shop = await aShop(app, `merge_requires: completed\n${adopting}`)
  const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body: 'Fix them.', by: 'cleo' })
  const [one, other] = [await shop.push('one'), await shop.push('other', 'agent', { 'src/other.ts': 'other\n' })]
  const first = await shop.open('agent', { head: 'one', body: `Closes #${issue}` })
  const second = await shop.open('agent', { head: 'other', body: `Closes #${issue}` })
  for (const sha of [one, other]) await shop.build(sha, 'success')
  await shop.review(first, 'bob', 'REQUEST_CHANGES', 'not so')
  await shop.review(second, 'bob', 'APPROVE')
  expect(await shop.check(one)).toMatch(/^failure: Stopped: rejected by bob/)
  expect(await shop.check(other)).toMatch(/^success/)
})

test('a rejection follows its tree: an empty commit, and a new pull request of the same commit', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  await shop.say(number, 'bob', '/reject not this way')
  const empty = app.github.push(shop.name, 'feature', { files: {}, author: 'agent', message: 'Nothing' })
  await shop.idle()
  await shop.build(empty, 'success')
  expect(await shop.check(empty)).toMatch(/^failure: Stopped: rejected by bob: not this way/)
  app.github.closePull(shop.name, number, 'agent')
  await shop.idle()
  app.github.push(shop.name, 'again', { from: empty, files: {}, author: 'agent', message: 'Once more' })
  const again = app.github.tip(shop.name, 'again')
  const renewed = await shop.open('agent', { head: 'again' })
  await shop.build(again, 'success')
  expect(await shop.check(again)).toMatch(/^failure: Stopped: rejected by bob: not this way/)
  await shop.say(renewed, 'bob', '/revoke')
  expect(await shop.check(again)).toMatch(/^success/)
})

test('a word at a closed pull request is taken back where it was said, also where its commit had come back', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.push()
  app.github.moveBranch(shop.name, 'feature', sha, 'agent')
  await shop.idle()
  await shop.build(sha, 'success')
  await shop.say(number, 'bob', '/reject not this way')
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  app.github.closePull(shop.name, number, 'agent')
  await shop.idle()
  await shop.say(number, 'bob', '/revoke')
  app.github.reopenPull(shop.name, number, 'agent')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what is rejected in one pull request is rejected in the other that is green already', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  app.github.push(shop.name, 'twin', { from: sha, files: {}, author: 'agent', message: 'The same' })
  const twin = app.github.tip(shop.name, 'twin')
  const other = await shop.open('agent', { head: 'twin' })
  await shop.build(twin, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  await shop.say(other, 'bob', '/reject no')
  expect(await shop.check(twin)).toMatch(/^failure: Stopped: rejected by bob/)
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
})

test('a builder who dismisses a review lifts nothing', async () => {
  const shop = await aShop(app)
  const sha = await shop.push('feature', 'eve')
  const number = await shop.open('eve')
  await shop.build(sha, 'success')
  const review = await shop.review(number, 'bob', 'REQUEST_CHANGES', 'no')
  app.github.dismiss(shop.name, number, review, 'eve')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  await shop.say(number, 'ada', '/override bob and I have talked')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('who pushed before the pull request was there made a part of it', async () => {
  const shop = await aShop(app)
  const sha = app.github.push(shop.name, 'feature', { files: { 'src/a.ts': 'a\n' }, author: 'agent', pusher: 'ada' })
  const number = await shop.open('agent')
  await shop.build(sha, 'failure')
  await shop.say(number, 'ada', '/override I looked at it')
  expect(await shop.check(sha)).toMatch(/^failure/)
  expect((await shop.comments(number)).at(-1)).toContain('you made part of this change')
})

test('a commit of an address that belongs to nobody has an unknown builder', async () => {
  const shop = await aShop(app)
  const author = { name: 'Ada', email: 'ada@laptop.local' }
  const sha = app.github.push(shop.name, 'feature', { files: { 'src/a.ts': 'a\n' }, author, pusher: 'agent' })
  await shop.open('agent')
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required: .* nobody can tell who made/)
})

test('whoever updates the branch from its base made no part of the change', async () => {
  const shop = await aShop(app)
  const before = await shop.push()
  const number = await shop.open()
  await shop.build(before, 'failure')
  app.github.push(shop.name, 'main', { files: { 'docs/new.md': 'new\n' }, author: 'cleo' })
  await shop.idle()
  const merged = app.github.push(shop.name, 'feature', {
    files: { 'docs/new.md': 'new\n' },
    author: 'ada',
    committer: 'web-flow',
    merges: ['main'],
    message: 'Merge branch main into feature',
  })
  await shop.idle()
  await shop.build(merged, 'failure')
  await shop.say(number, 'ada', '/override the runner is broken')
  expect(await shop.check(merged)).toMatch(/^success: Passed: ada takes responsibility/)
})

test('an App that writes with a person’s token is not that person', async () => {
  const shop = await aShop(app)
  app.github.createApp({ slug: `pretender-${shop.org}` })
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  app.github.comment(shop.name, number, { body: '/override fine', by: 'ada', via: `pretender-${shop.org}` })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure/)
  expect((await shop.comments(number)).at(-1)).toContain('with a person’s token')
})

test('taking a label away takes its act back, before the reason and after it', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  const label = 'countersign:override'
  app.github.label(shop.name, number, label, 'ada')
  await shop.idle()
  app.github.unlabel(shop.name, number, label, 'ada')
  await shop.idle()
  await shop.say(number, 'ada', '/reason too late')
  expect(await shop.check(sha)).toMatch(/^failure/)
  app.github.label(shop.name, number, label, 'ada')
  await shop.idle()
  await shop.say(number, 'ada', '/reason the runner is broken')
  expect(await shop.check(sha)).toMatch(/^success/)
  app.github.unlabel(shop.name, number, label, 'bob')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('a label that the policy forbids is answered and taken away', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  app.github.label(shop.name, number, 'countersign:approve', 'cleo')
  await shop.idle()
  expect(await shop.labels(number)).not.toContain('countersign:approve')
  expect((await shop.comments(number)).at(-1)).toContain('override_policy.direct_approval_allowed')
})

test('the edits of a builder move no later attempt', async () => {
  const shop = await aShop(app)
  const body = 'Fix them.\n\n```countersign\nscope: { write: [docs/**] }\n```\n'
  const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body, by: 'cleo' })
  await shop.push()
  await shop.open('agent', { body: `Closes #${issue}` })
  app.github.editIssue(shop.name, issue, { body: 'Fix them, wherever.', by: 'agent' })
  await shop.idle()
  const second = await shop.push()
  expect(await shop.check(second)).toMatch(/^failure: Stopped: `src\/shop.ts` is outside the scope of this task/)
  expect(await shop.summary(second)).toContain('the edit by agent')
})

test('a stranger who opens a pull request of the same commit takes nothing away from it', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  const fork = app.github.fork(shop.name, 'dan')
  app.github.moveBranch(fork, 'copy', sha, 'dan')
  const number = app.github.openPull(shop.name, { title: 'Mine', head: 'dan:copy', by: 'dan' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  app.github.closePull(shop.name, number, 'dan')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a stranger gets one answer', async () => {
  const shop = await aShop(app)
  await shop.push()
  const number = await shop.open()
  const before = (await shop.comments(number)).length
  for (const words of ['/help', '/override mine', '/status']) await shop.say(number, 'dan', words)
  expect(await shop.comments(number)).toHaveLength(before + 1)
})

test('a command on a draft and on what is merged is answered', async () => {
  const shop = await aShop(app)
  await shop.push()
  const number = await shop.open('agent', { draft: true })
  await shop.say(number, 'ada', '/countersign override not yet')
  expect((await shop.comments(number)).at(-1)).toContain('This is a draft')
  app.github.setDraft(shop.name, number, false, 'agent')
  await shop.idle()
  app.github.merge(shop.name, number, { by: 'ada' })
  await shop.idle()
  await shop.say(number, 'ada', '/override too late')
  expect((await shop.comments(number)).at(-1)).toContain('this is not an open, ready pull request')
})
