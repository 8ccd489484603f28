// The whole loop: the real App as a process, the real bundled Action as a process on a real checkout, and a GitHub between
// them that knows neither.
import { afterAll, expect, test, vi } from 'vitest'
import { workflowFiles, workflowOf } from '../../action/workflow.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

vi.setConfig({ testTimeout: 60_000 })

const policy = `version: 1
identities: { agents: [agent] }
verification:
  checks:
    - { name: test, command: node --test }
`
const code = {
  'src/price.mjs': 'export const price = (count) => count * 3\n',
  'test/price.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/price.mjs'
test('two cost six', () => assert.equal(price(2), 6))
`,
}

const app = await sharedApp()
const shop = await aShop(app, policy, { ...workflowFiles, ...code })
const workflow = await workflowOf(app.github, shop.name)
afterAll(workflow.close)

test('a change that breaks a test is told what broke, and its repair passes', async () => {
  const wrong = { 'src/price.mjs': 'export const price = (count) => count * 3 + 1\n' }
  const first = app.github.push(shop.name, 'feature', { files: wrong, author: 'agent' })
  const number = await shop.open()
  const red = await workflow.run({ number, sha: first, branch: 'feature' })
  await shop.idle()
  expect(red.code).toBe(1)
  expect(await shop.check(first)).toBe('failure: Changes needed: required check `test` failed with exit code 1')
  const [sticky = ''] = await shop.comments(number)
  expect(sticky).toContain('Expected values to be strictly equal')
  expect(sticky).toContain('"number": 1,')

  const right = { 'src/price.mjs': 'export const price = (count) => 3 * count\n' }
  const second = app.github.push(shop.name, 'feature', { files: right, author: 'agent' })
  await shop.idle()
  const green = await workflow.run({ number, sha: second, branch: 'feature' })
  await shop.idle()
  expect(green.code).toBe(0)
  expect(await shop.check(second)).toMatch(/^success/)
  expect(await shop.summary(second)).toContain('`test` passed')
  expect(await shop.check(first)).toBe('failure: Changes needed: required check `test` failed with exit code 1')
})

test('a file that does not parse fails tier 1, and no check is blamed', async () => {
  const sha = app.github.push(shop.name, 'config', { files: { 'config.json': '{ "price": 3,, }\n' }, author: 'agent' })
  const number = await shop.open('agent', { head: 'config' })
  await workflow.run({ number, sha, branch: 'config' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed: built-in check `syntax_config.json` failed/)
})

const asking = (command: string): string =>
  `Please.\n\n\`\`\`countersign\nverification: { checks: [{ name: asked, command: ${JSON.stringify(command)} }] }\n\`\`\`\n`

async function closing(by: string, branch: string): Promise<{ number: number; sha: string; branch: string }> {
  const body = asking('grep -q sold docs/shop.md')
  const issue = app.github.openIssue(shop.name, { title: 'Say what is sold', body, by })
  const sha = app.github.push(shop.name, branch, { files: { 'docs/shop.md': 'Bread.\n' }, author: 'agent' })
  return { number: await shop.open('agent', { head: branch, body: `Closes #${issue}` }), sha, branch }
}

test('a command that a stranger put into an issue does not run, and nobody waits for it', async () => {
  const { number, sha, branch } = await closing('mallory', 'strange')
  const run = await workflow.run({ number, sha, branch })
  await shop.idle()
  expect(run.results().checks.map(({ name }) => name)).toEqual(['test'])
  expect(run.summary).toContain('which did not run: a check is a command')
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.summary(sha)).toContain('the check asked of')
})
