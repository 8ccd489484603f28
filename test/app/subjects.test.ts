// Every fact counts for what it is a fact about, and for nothing else: this commit, with this tree, for this base.
import { expect, test } from 'vitest'
import { aSecond } from './lab/a-second.ts'
import { sharedApp } from './lab/app-of-file.ts'
import { aShop } from './lab/shop.ts'

const app = await sharedApp()

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
  await aSecond()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
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
  await aSecond()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
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

test('a stranger who opens a pull request of the same commit takes nothing away from it', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  const stranger = `stranger-in-${shop.org}`
  const fork = app.github.fork(shop.name, stranger)
  app.github.moveBranch(fork, 'copy', sha, stranger)
  const number = app.github.openPull(shop.name, { title: 'Mine', head: `${stranger}:copy`, by: stranger })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  app.github.closePull(shop.name, number, stranger)
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
