// Files and types of file that must be there, and the ways around that lead nowhere.
import { describe, expect, test } from 'vitest'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import { added, check, settings, workspaceOf, type Commit } from './small-workspace.ts'

const commit: Commit = {
  'README.md': 'x',
  'docs/guide/start.md': 'x',
  'app/[id]/page.tsx': 'x',
  'big.bin': { kind: 'too_large', size: 9e9 },
  vendor: { kind: 'submodule' },
  secret: { kind: 'unavailable', why: 'permission denied' },
  manual: { link: 'docs' },
  etc: { link: '/etc' },
  up: { link: '../..' },
  'out/a.txt': { link: '/etc/passwd' },
  'out/dangling.txt': { link: 'nowhere' },
  '.git/config': 'x',
}

describe('an expected output', () => {
  test.each([
    ['README.md', null],
    ['./README.md', null],
    ['docs/guide', null],
    ['docs/', null],
    ['docs/**/*.md', null],
    ['app/[id]/page.tsx', null],
    ['{README,LICENSE}.md', null],
    ['**/[r-t]tart.md', null],
    ['big.bin', null],
    ['vendor', null],
    ['manual/guide/start.md', null],
    ['missing.md', ''],
    ['docs/*.md', ''],
    ['README.md/x', ''],
    ['vendor/x', ''],
    ['doc', ''],
    ['out/dangling.txt', ''],
    ['__proto__', ''],
    ['secret', ': it could not be read, because permission denied'],
    ['/etc/passwd', ': it leads outside the repository'],
    ['C:\\windows\\win.ini', ': it leads outside the repository'],
    ['.git/config', ': it leads outside the repository'],
    ['etc/passwd', ': it leads outside the repository'],
    ['up/x', ': it leads outside the repository'],
    ['out/a.txt', ': it leads outside the repository'],
    ['out/a*', ': it leads outside the repository'],
    ['docs/../README.md', ': a path may not contain `..`'],
    ['..\\x', ': a path may not contain `..`'],
    ['a\0b', ': it leads outside the repository'],
  ])('%j: %j', async (expected, why) => {
    const report = await tier1([], workspaceOf(commit), settings({ expected_outputs: [expected] }))
    expect(report.checks).toEqual([
      {
        name: `file_exists_${expected}`,
        passed: why === null,
        detail: why === null ? null : `Expected output '${expected}' not found${why}`,
      },
    ])
  })
})

test('what lies outside is never asked for, not even through a linked folder', async () => {
  const opened: string[] = []
  const expected_outputs = ['etc/passwd', 'up/x', '/etc/passwd', '../x', 'out/a.txt']
  await tier1([], workspaceOf(commit, { opened }), settings({ expected_outputs }))
  expect(new Set(opened)).toEqual(new Set(['etc', 'up', 'out', 'out/a.txt']))
})

describe('an expected type of file', () => {
  test.each([
    ['.md', true],
    ['md', true],
    ['*.MD', true],
    ['.tar.gz', true],
    ['Dockerfile', true],
    ['.env', true],
    ['.py', false],
    ['.gz.tar', false],
    ['ckerfile', false],
  ])('%s: %s', async (type, passed) => {
    const changed = { 'a.md': 'x', 'b.tar.gz': 'x', Dockerfile: 'x', 'x/.env': 'x' }
    const report = await check(changed, { expected_file_types: [type] })
    expect(report.checks[0]).toEqual({
      name: `file_type_${type}`,
      passed,
      detail: passed ? null : `No changed file is of type '${type}'`,
    })
  })

  test('must be among the changed files, not merely somewhere', async () => {
    const workspace = workspaceOf({ 'a.md': 'x', 'b.ts': 'x' })
    const report = await tier1([added('b.ts')], workspace, settings({ expected_file_types: ['.md'] }))
    expect(report.passed).toBe(false)
  })
})
