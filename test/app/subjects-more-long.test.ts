// What a word, an edit, a label or a push was about: cases beside those of subjects.test.ts.
import { expect, test } from 'vitest'
import { appOfFile } from './lab/app-of-file.ts'
import { aShop } from './lab/shop.ts'

const app = await appOfFile()

const adopting = 'verification: { checks: [{ name: build, check_run: build }] }\n'

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
