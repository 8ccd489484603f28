// Files that are parsed one by one, and are too many to parse all of them.
import { expect, test } from 'vitest'
import { check } from './small-workspace.ts'

test('large files are left out once all together are too large', async () => {
  const large = `[${'1,'.repeat(500_000)}1]`
  const commit = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index + 10}.json`, large]))
  const report = await check(commit)
  expect(report.passed).toBe(true)
  expect(report.warnings).toEqual([expect.stringContaining('because all files together are too large: ')])
})
