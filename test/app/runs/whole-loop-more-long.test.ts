// The whole loop with a test that is skipped, with a check that an issue asks for, and with one that an edit asks for which does not count.
import { afterAll, expect, test, vi } from 'vitest'
import { workflowFiles, workflowOf } from '../../action/workflow.ts'
import { appOfFile } from '../lab/app-of-file.ts'
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

const app = await appOfFile()
const shop = await aShop(app, policy, { ...workflowFiles, ...code })
const workflow = await workflowOf(app.github, shop.name)
afterAll(workflow.close)

test('a test that was skipped fails nothing, and is shown to whoever looks', async () => {
  const skipped = code['test/price.test.mjs'].replace("test('two", "test.skip('two")
  const sha = app.github.push(shop.name, 'skipped', { files: { 'test/price.test.mjs': skipped }, author: 'agent' })
  const number = await shop.open('agent', { head: 'skipped' })
  await workflow.run({ number, sha, branch: 'skipped' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.summary(sha)).toMatch(/### Worth a look\n- `test\/price\.test\.mjs:4` medium: /)
})

const asking = (command: string): string =>
  `Please.\n\n\`\`\`countersign\nverification: { checks: [{ name: asked, command: ${JSON.stringify(command)} }] }\n\`\`\`\n`

async function closing(by: string, branch: string): Promise<{ number: number; sha: string; branch: string }> {
  const body = asking('grep -q sold docs/shop.md')
  const issue = app.github.openIssue(shop.name, { title: 'Say what is sold', body, by })
  const sha = app.github.push(shop.name, branch, { files: { 'docs/shop.md': 'Bread.\n' }, author: 'agent' })
  return { number: await shop.open('agent', { head: branch, body: `Closes #${issue}` }), sha, branch }
}

test('a check that the issue asks for runs, fails, and passes with the repair', async () => {
  const { number, sha, branch } = await closing('ada', 'asked')
  await workflow.run({ number, sha, branch })
  await shop.idle()
  expect(await shop.check(sha)).toBe('failure: Changes needed: required check `asked` failed with exit code 1')
  const repair = { 'docs/shop.md': 'Bread is sold here.\n' }
  const second = app.github.push(shop.name, branch, { files: repair, author: 'agent' })
  await shop.idle()
  await workflow.run({ number, sha: second, branch })
  await shop.idle()
  expect(await shop.check(second)).toMatch(/^success/)
  expect(await shop.summary(second)).toContain('`asked` passed')
})

test('a check that whoever made the change adds by an edit does not count, and the page says what helps', async () => {
  const [branch, plain] = ['edited', 'Bread.\n']
  const pushed = async (text: string): Promise<string> => {
    const sha = app.github.push(shop.name, branch, { files: { 'docs/shop.md': text }, author: 'agent' })
    await shop.idle()
    return sha
  }
  const first = await pushed('Bread.\n')
  const number = await shop.open('agent', { head: branch, body: plain })
  await workflow.run({ number, sha: first, branch, body: plain })
  await shop.idle()
  app.github.editPull(shop.name, number, { body: asking('true'), by: 'agent' })
  await shop.idle()
  const second = await pushed('Bread and milk.\n')
  await workflow.run({ number, sha: second, branch, body: asking('true') })
  await shop.idle()
  expect(await shop.check(second)).toMatch(/^in_progress/)
  expect(await shop.summary(second)).toContain(
    'the edit by agent, who may have made a part of this change, does not count',
  )
  expect(await shop.summary(second)).toContain('an edit that does not count has to be taken back first')
  app.github.editPull(shop.name, number, { body: plain, by: 'agent' })
  await shop.idle()
  const third = await pushed('Bread, milk.\n')
  await workflow.run({ number, sha: third, branch, body: plain })
  await shop.idle()
  expect(await shop.check(third)).toMatch(/^success/)
})
