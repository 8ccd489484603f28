// `countersign verify` as a process, in clones that git itself made; and the tool for agents that asks the same.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test, vi } from 'vitest'
import { call } from '../app/lab/mcp-clients.ts'
import { countersign, entry } from './cli.ts'
import { branchOf, policyPath } from './clones.ts'

vi.setConfig({ testTimeout: 60_000 })

const policy = `protected_paths: [secret/**]
scope: { deny: [vendor/**] }
verification:
  checks:
    - { name: test, command: 'test "$(cat price.txt)" = 6' }
    - { name: docs, command: 'false', paths: [docs/**] }
    - { name: style, command: 'echo long lines; exit 3', required: false }
    - { name: build, check_run: build }
`
const verify = ['verify', '--base', 'main']

test('a good change passes, and what informs only, is left out or comes from elsewhere is said', async () => {
  const cwd = await branchOf({ [policyPath]: policy }, { 'price.txt': '6\n', 'secret/key.txt': 'none\n' })
  const { code, out, err } = await countersign(verify, { cwd })
  expect(out.trimEnd().split('\n')).toEqual([
    'note  secret/key.txt is protected: somebody entitled has to acknowledge it',
    'note  style failed with exit code 3',
    '      long lines',
    'ok    test',
    'note  docs is left out: none of its paths changed',
    'note  build is adopted from other CI, and not known here',
    expect.stringMatching(/^Nothing known here stands in the way \(2 files, [0-9a-f]{7}\.\.\.[0-9a-f]{7}\)$/),
  ])
  expect(err).toContain('running test: test "$(cat price.txt)" = 6')
  expect(code).toBe(0)
})

test.each([
  ['a required check', { 'price.txt': '5\n' }, 'FAIL  test failed with exit code 1'],
  ['the scope', { 'price.txt': '6\n', 'vendor/a.js': '1\n' }, 'FAIL  vendor/a.js is denied by the scope'],
  ['a built-in check', { 'price.txt': '6\n', 'a.json': '{' }, 'FAIL  syntax_a.json'],
])('%s that fails stands in the way', async (_what, change, words) => {
  const cwd = await branchOf({ [policyPath]: policy }, change)
  const { code, out } = await countersign(verify, { cwd })
  expect(out).toContain(words)
  expect(out).toContain('This would not pass')
  expect(code).toBe(1)
})

test('a check sees no secret of whoever runs this, what it starts ends with it, and programs read JSON', async () => {
  const leaves = `verification: { checks: [{ name: test, command: 'echo "token=$GITHUB_TOKEN"; (sleep 300 & echo $! > left.pid); exit 1' }] }\n`
  const cwd = await branchOf({ [policyPath]: leaves, '.gitignore': 'left.pid\n' }, { 'price.txt': '6\n' })
  const { code, out } = await countersign([...verify, '--json'], { cwd, env: { GITHUB_TOKEN: 'ghp_of_mine' } })
  const { passed, checks, tier1, scope } = JSON.parse(out)
  expect({ code, passed, scope, built_in: tier1.passed }).toEqual({ code: 1, passed: false, scope: [], built_in: true })
  expect(checks).toMatchObject([{ name: 'test', passed: false, exit_code: 1, output: 'token=\n' }])
})

test('what could not run says so, and an unknown option names the nearest', async () => {
  const cwd = await branchOf({ 'a.txt': '1\n' }, { 'b.txt': '2\n' })
  expect(await countersign(verify, { cwd })).toMatchObject({
    code: 2,
    err: expect.stringContaining('the base has no .github/countersign.yml'),
  })
  expect((await countersign(['verify', '--bass', 'main'], { cwd })).err).toContain('did you mean `--base`?')
})

test('an agent asks the same before it pushes', async () => {
  const cwd = await branchOf({ [policyPath]: policy }, { 'price.txt': '5\n' })
  const client = new Client({ name: 'an agent', version: '1' })
  const { PATH = '', HOME = '' } = process.env
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [entry, 'mcp'], env: { PATH, HOME } }),
  )
  const asked = { folder: cwd, base: 'main' }
  const whole = await call(client, 'check_before_push', asked)
  expect(whole.structured).toMatchObject({ passed: false, report: { checks: [{ name: 'test', passed: false }, {}] } })
  expect(JSON.parse(whole.text)).toMatchObject({ passed: false })
  const alone = await call(client, 'check_before_push', { ...asked, commands: false })
  expect(alone.structured).toMatchObject({ passed: true })
  expect(alone.structured['report']).not.toHaveProperty('left_out')
  const nowhere = await call(client, 'check_before_push', { folder: '/' })
  expect(nowhere).toMatchObject({ isError: true, text: expect.stringContaining('there is no clone at /') })
  await client.close()
})
