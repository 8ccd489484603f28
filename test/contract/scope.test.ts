// Paths: what a pattern matches, what a contract allows, and what always needs somebody to look.
import { expect, test } from 'vitest'
import { matchesGlob, reachesBelow } from '../../src/core/contract/glob.ts'
import { protectedPaths, scopeViolations } from '../../src/core/contract/scope.ts'
import type { ChangedFile } from '../../src/core/decision/model.ts'
import { costMs } from '../aside/computed.ts'

test.each([
  ['**', 'a/b/.c', true],
  ['src/**', 'src/a', true],
  ['src/**', 'src', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'x/.y/a.ts', true],
  ['src/*', 'src/a/b', false],
  ['src/*', 'src/a\nb', true],
  ['*.{js,ts}', 'a.ts', true],
  ['*.{js,ts}', 'a.md', false],
  ['[!a]b', 'cb', true],
  ['[!a]b', 'ab', false],
  ['[!a]b', '/b', false],
  ['[^a]b', 'cb', true],
  ['[^a]b', 'ab', false],
  ['[^a]b', '/b', false],
  ['[a^]b', '^b', true],
  ['[^]]b', ']b', false],
  ['[a-c].x', 'b.x', true],
  ['[!-a]b', '5b', true],
  ['[!-a]b', '-b', false],
  ['[-c]b', 'ab', false],
  ['a?c', 'a/c', false],
  ['!a', '!a', true],
  ['!a', 'b', false],
  ['./src/*', 'src/x', true],
  ['a+b(c).txt', 'a+b(c).txt', true],
  [String.raw`a\*b`, 'a*b', true],
  [String.raw`a\*b`, 'axb', false],
  ['[z-a]x', '[z-a]x', true],
  ['{a', '{a', true],
  ['{a', 'a', false],
])('%s matches %s: %s', (pattern, path, expected) => {
  expect(matchesGlob(pattern, path)).toBe(expected)
})

test.each([
  ['lib/**', 'lib', true],
  ['lib/*', 'lib', true],
  ['lib/src/*.ts', 'lib', true],
  ['./lib/**', 'lib', true],
  ['**/*.ts', 'lib', true],
  ['vendor/*/src', 'vendor/lib', true],
  ['{lib/src,docs}/**', 'lib', true],
  ['lib', 'lib', false],
  ['library/**', 'lib', false],
  ['src/lib/**', 'lib', false],
  ['lib/src/**', 'lib/test', false],
])('%s may match something below %s: %s', (pattern, path, expected) => {
  expect(reachesBelow(pattern, path)).toBe(expected)
})

test('a hostile pattern over a hostile path takes no time', async () => {
  const matching = () => expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false)
  expect(await costMs(matching)).toBeLessThan(200)
})

const file = (path: string, previous_path: string | null = null): ChangedFile => ({
  path,
  previous_path,
  status: previous_path === null ? 'modified' : 'renamed',
})

test('a rename counts with both paths', () => {
  const rules = [{ write: ['src/**'], deny: [] }]
  expect(scopeViolations([file('src/a', 'docs/a')], rules).map(({ path }) => path)).toEqual(['docs/a'])
  expect(scopeViolations([file('docs/a', 'src/a')], rules).map(({ path }) => path)).toEqual(['docs/a'])
  expect(protectedPaths([file('src/a', 'infra/a')], ['infra/**'])).toEqual(['infra/a'])
})

test('violations on record stay small, however many there are', () => {
  const files = Array.from({ length: 3000 }, (_, index) => file(`docs/${index}`))
  const found = scopeViolations(files, [
    { write: Array.from({ length: 500 }, (_, index) => `src/${index}/**`), deny: [] },
  ])
  expect(found).toHaveLength(200)
  expect(found[0]?.allowed).toHaveLength(20)
})

test('a path must be allowed by the policy and by the task, and deny beats write', () => {
  const rules = [
    { write: ['**'], deny: ['src/secret/**'] },
    { write: ['src/**'], deny: [] },
  ]
  const found = scopeViolations([file('src/a'), file('src/secret/b'), file('docs/c')], rules)
  expect(found.map(({ path, violation_type }) => `${path} ${violation_type}`)).toEqual([
    'src/secret/b denied',
    'docs/c outside_write',
  ])
})

test('the policy and the workflows are protected whatever the policy says', () => {
  const files = [file('.github/countersign.yml'), file('.github/workflows/ci.yml'), file('src/a')]
  expect(protectedPaths(files, [])).toEqual(['.github/countersign.yml', '.github/workflows/ci.yml'])
})
