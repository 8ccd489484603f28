// The list of files that stands before every piece of a change: it says of each whether all of it is shown.
import { expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { pack } from '../../src/verifier/change/pack.ts'
import { aChange, aFile } from './lab.ts'

test('a file that is shown in part says so, and one of which nothing is shown says that', () => {
  const lines = Array.from({ length: 9_000 }, (_, at) => `+const value${at} = compute(${at})`)
  const terms = { protectedPaths: [], unseenOk: [], model: 'claude-sonnet-5-5' }
  const huge = Array.from({ length: 9 }, (_, at) => aFile(`src/f${at}.ts`, lines))
  const change = aChange([...huge, aFile('src/secret.bin', null, { content: 'binary', size: 9 })])
  const { manifest, coverage } = pack(change, redactor([]), terms)
  expect(coverage.unseen.length).toBeGreaterThan(1)
  expect(manifest.filter((line) => line.endsWith(', not shown whole')).length).toBe(coverage.unseen.length - 1)
  expect(manifest.find((line) => line.includes('secret.bin'))).toMatch(/, not shown$/)
})
