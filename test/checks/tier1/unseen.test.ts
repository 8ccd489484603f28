// What tier 1 cannot see is said, and never taken for something that is in order.
import { expect, test } from 'vitest'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import { check, failures, modified, settings, workspaceOf } from './small-workspace.ts'

test('a test in which one byte makes git tell no lines is one whose lines nobody saw', async () => {
  const commit = { 'a.test.ts': '\0\nit.skip("adds", () => {})\n', 'logo.dat': '\0\0' }
  const files = Object.keys(commit).map(modified)
  const report = await tier1(files, workspaceOf(commit), settings({ weakened_tests: 'fail' }), { patches: new Map() })
  expect(failures(report)).toEqual(['weakened_tests: a.test.ts changed, and its diff cannot be seen'])
  expect(report.warnings.join('\n')).not.toContain('logo.dat')
})

test('what Git LFS keeps elsewhere is not parsed, which is said; what only looks like that is', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`
  const report = await check({
    'data.json': pointer,
    'long.json': pointer.padEnd(2_000, 'x'),
    'near.json': pointer.slice(1),
  })
  expect(failures(report).map((one) => one.split(':')[0])).toEqual(['syntax_long.json', 'syntax_near.json'])
  expect(report.warnings).toEqual(['JSON was not parsed, because Git LFS keeps it elsewhere: data.json.'])
})
