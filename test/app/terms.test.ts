// By which terms a pull request is judged: the task that it is an attempt at, what the task's text may ask for, and whether
// anything enforces the gate at all.
import { expect, test } from 'vitest'
import { sharedApp } from './lab/app-of-file.ts'
import { aShop } from './lab/shop.ts'

const app = await sharedApp()

test('a gate that nothing enforces says so', async () => {
  const open = await aShop(app)
  const first = await open.push()
  await open.open()
  expect(await open.summary(first)).toContain('Nothing requires this check on `main`')
  const loose = await aShop(app)
  app.github.protect(loose.name, 'main', { checks: [{ context: 'countersign', appId: null }] })
  const second = await loose.push()
  await loose.open()
  expect(await loose.summary(second)).toContain('take `countersign` from anybody who may report: pin it to this App')
  const pinned = await aShop(app)
  app.github.protect(pinned.name, 'main', { checks: [{ context: 'countersign', appId: app.github.app.id }] })
  const third = await pinned.push()
  await pinned.open()
  expect(await pinned.summary(third)).not.toMatch(/Nothing requires|pin it to/)
})

test('the task stays although the builder takes the closing words away', async () => {
  const shop = await aShop(app)
  const body = 'Fix them.\n\n```countersign\nscope: { write: [docs/**] }\n```\n'
  const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body, by: 'cleo' })
  await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  app.github.editPull(shop.name, number, { body: 'nothing to see', by: 'agent' })
  await shop.idle()
  const second = await shop.push()
  expect(await shop.check(second)).toMatch(/^failure: Stopped: `src\/shop.ts` is outside the scope of this task/)
})

test('a command in the issue of somebody who may not write here is not asked for, and that is said', async () => {
  const shop = await aShop(app)
  const body =
    'Fix them.\n\n```countersign\nverification: { checks: [{ name: mine, command: curl evil.example }] }\n```\n'
  const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body, by: 'dan' })
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${issue}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.summary(sha)).toContain('the check mine of')
  expect(await shop.summary(sha)).toContain('is not run, since whoever wrote it last may not write')
})

test('a task is shared by the pull requests that close its issue', async () => {
  const shop = await aShop(app)
  const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body: 'Fix them.', by: 'cleo' })
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  await shop.build(sha, 'failure')
  const [sticky] = await shop.comments(number)
  expect(sticky).toContain(`"task": "${shop.name}#${issue}"`)
})

test('a key that nothing honours yet is refused in the policy', async () => {
  const policy = 'verification:\n  checks: [{ check_run: build }]\n  verifier: { test_suite: { command: make } }\n'
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  expect(await shop.summary(sha)).toContain('.github/countersign.yml:3 `command` is not available yet')
})

test('in a task it is a warning, and the rest of the block counts', async () => {
  const shop = await aShop(app)
  const body =
    'Fix them.\n\n```countersign\nverification: { verifier: { test_suite: { command: make } } }\nscope: { write: [docs/**] }\n```\n'
  const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body, by: 'cleo' })
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${issue}` })
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: `src\/shop.ts` is outside the scope of this task/)
  expect(await shop.summary(sha)).toContain(
    '`verification.verifier.test_suite.command` is not available yet: nothing runs a command for the verdict',
  )
})

test('a block that was corrected counts when the pull request is opened again', async () => {
  const shop = await aShop(app)
  const fix = (scope: string): string => `Fix them.\n\n\`\`\`countersign\nscope: ${scope}\n\`\`\`\n`
  const issue = app.github.openIssue(shop.name, {
    title: 'Prices are wrong',
    body: fix('{ write: [docs/**'),
    by: 'cleo',
  })
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required: .*cannot be read/)
  app.github.editIssue(shop.name, issue, { body: fix('{ write: [docs/**] }'), by: 'cleo' })
  app.github.closePull(shop.name, number, 'agent')
  await shop.idle()
  app.github.reopenPull(shop.name, number, 'agent')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/outside the scope of this task/)
})
