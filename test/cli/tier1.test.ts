// `countersign tier1` as a process, in clones that git itself made.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shareOf } from '../depth.ts'
import { countersign } from './cli.ts'
import { branchOf, commit, git, policyPath, write } from './clones.ts'

const policy = (tier1 = '{}'): string => `verification:\n  checks: []\n  tier1: ${tier1}\n`

const againstMain = ['tier1', '--base', 'main']

test('what would fail on the pull request is named before it is pushed', async () => {
  const cwd = await branchOf(
    { [policyPath]: policy(), 'old.json': '{' },
    { 'config.json': '{"a":}\n', 'src/ok.json': '{}\n', 'test/a.test.ts': `test.skip('adds', () => {})\n` },
  )
  const { code, out, err } = await countersign(againstMain, { cwd })
  const commits = `${git(cwd, 'rev-parse', '--short=7', 'main')}...${git(cwd, 'rev-parse', '--short=7', 'HEAD')}`
  expect(out.trimEnd().split('\n')).toEqual([
    'FAIL  syntax_config.json: config.json, line 1, column 6: Expected a value, but here is `}`.',
    expect.stringMatching(/^(?:HIGH|MEDIUM) +test\/a\.test\.ts:1 {2}\S/),
    expect.stringMatching(/^\d+ passed, 1 failed \(3 files, .*\)$/),
  ])
  expect(out).toContain(commits)
  expect({ code, err }).toEqual({ code: 1, err: '' })
})

test('a good change passes, from a folder within the clone too, with the default branch of origin as its base', async () => {
  const origin = await branchOf({ [policyPath]: policy() }, {})
  git(origin, 'checkout', '-q', 'main')
  const parent = await mkdtemp(join(tmpdir(), 'countersign-clone-'))
  git(parent, 'clone', '-q', origin, 'clone')
  const cwd = join(parent, 'clone')
  git(cwd, 'checkout', '-q', '-b', 'work')
  await commit(cwd, { 'src/a.json': '{}\n' })
  const { code, out } = await countersign(['tier1'], { cwd: join(cwd, 'src') })
  expect(out).toContain('2 passed, 0 failed (1 file, ')
  expect(code).toBe(0)
})

test('programs read the same as JSON', async () => {
  const cwd = await branchOf({ [policyPath]: policy() }, { 'a.json': '{' })
  const { code, out } = await countersign([...againstMain, cwd, '--json'])
  expect(JSON.parse(out)).toMatchObject({
    passed: false,
    base: git(cwd, 'rev-parse', 'main'),
    head: git(cwd, 'rev-parse', 'HEAD'),
    files: 1,
    checks: [
      { name: 'file_nonempty_a.json', passed: true },
      { name: 'syntax_a.json', passed: false },
    ],
    findings: [],
  })
  expect(code).toBe(1)
})

test('the policy of the base governs, whatever the branch says, and another can be tried', async () => {
  const strict = policy('{ expected_outputs: [docs/guide.md] }')
  const cwd = await branchOf({ [policyPath]: strict }, { [policyPath]: policy(), 'a.json': '{}\n' })
  const governed = await countersign(againstMain, { cwd })
  expect(governed.out).toContain(`FAIL  file_exists_docs/guide.md: Expected output 'docs/guide.md' not found`)
  const tried = await countersign([...againstMain, '--policy', policyPath], { cwd })
  expect(tried).toMatchObject({ code: 0 })
})

test('a file that only lies about is no part of the change', async () => {
  const cwd = await branchOf({ [policyPath]: policy('{ expected_outputs: [docs/guide.md] }') }, { 'a.json': '{}\n' })
  await write(cwd, { 'docs/guide.md': 'here, and in no commit\n' })
  const lying = await countersign(againstMain, { cwd })
  expect(lying.out).toContain('FAIL  file_exists_docs/guide.md')
  await commit(cwd, {})
  expect(await countersign(againstMain, { cwd })).toMatchObject({ code: 0 })
})

test.each(
  shareOf<[string, readonly string[], (cwd: string) => unknown, string]>(3, [
    [
      'an option that is none',
      ['tier1', '--bases'],
      () => null,
      'there is no option `--bases` (did you mean `--base`?)',
    ],
    ['a base that reads as an option', ['tier1', '--base=-x'], () => null, '--base needs a branch or a commit'],
    ['a base that is not there', ['tier1', '--base', 'nope'], () => null, 'there is no commit `nope`. Name the branch'],
    ['no origin', ['tier1'], () => null, 'the default branch of `origin` is not known here. Name the branch'],
    [
      'no policy',
      [...againstMain.slice(0, 2), 'bare'],
      (cwd) => {
        git(cwd, 'checkout', '-q', '--orphan', 'bare')
        git(cwd, 'rm', '-rqf', '.')
        git(cwd, 'commit', '-q', '--allow-empty', '-m', 'Bare')
      },
      'the base has no .github/countersign.yml. Name a policy with `--policy`',
    ],
    [
      'a change that is not committed',
      againstMain,
      (cwd) => write(cwd, { 'a.json': '{ }\n' }),
      'not everything is committed: a.json. Commit or stash it',
    ],
    [
      'a policy that is invalid',
      [...againstMain, '--policy', 'wrong.yml'],
      (cwd) => write(cwd, { 'wrong.yml': 'mode: enforced\n' }),
      'wrong.yml:1:7',
    ],
  ]),
)('%s is told, and judged by nothing', async (_name, args, prepare, words) => {
  const cwd = await branchOf({ [policyPath]: policy() }, { 'a.json': '{}\n' })
  await prepare(cwd)
  const { code, out, err } = await countersign(args, { cwd })
  expect(err).toContain(words)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test('without a repository there is nothing to judge', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-tier1-'))
  const { code, err } = await countersign(['tier1'], { cwd })
  expect(err).toMatch(/there is no clone at \S+\. Run this in a clone, or name one\.$/m)
  expect(code).toBe(2)
})
