// What makes two patches one: a rebase keeps it, and nothing else that a reviewer could see.
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/verifier/change/change.ts'
import { patchFingerprint } from '../../src/verifier/change/fingerprint.ts'
import { aChange, aFile, guardLines } from './lab.ts'

const guard = aFile('src/users.ts', guardLines)

describe('the fingerprint', () => {
  const of = (files: Change['files']): string => patchFingerprint(aChange(files), null)
  const moved = { ...guard, patch: (guard.patch ?? '').replace('@@ -1,3 +1,4 @@', '@@ -90,3 +90,4 @@') }
  test.each<[string, Change['files'], boolean]>([
    ['a rebase', [moved], true],
    ['another order of the listing', [guard], true],
    ['white space', [{ ...guard, patch: (guard.patch ?? '').replace('+  if', '+    if') }], false],
    ['another mode', [{ ...guard, mode: '100755' }], false],
    ['another binary', [guard, aFile('logo.png', null, { content: 'binary', blob_sha: 'b' })], false],
    ['another name', [{ ...guard, path: 'src/people.ts' }], false],
  ])('%s: %s', (_title, files, same) => {
    expect(of(files) === of([guard])).toBe(same)
  })

  test('the same lines within another function of their file are another patch, wherever a rebase puts either', () => {
    const within = (head: string) => of([{ ...guard, patch: (guard.patch ?? '').replace('@@ -1,3 +1,4 @@', head) }])
    const here = within('@@ -10,3 +10,4 @@ function adminOfTests()')
    expect(within('@@ -95,3 +90,4 @@ function adminOfTests()')).toBe(here)
    expect(within('@@ -10,3 +10,4 @@ function publicRequest()')).not.toBe(here)
  })

  test('of some paths is of those, and of whatever is not text', () => {
    const other = aFile('src/other.ts', ['+const other = 1'])
    const logo = aFile('logo.png', null, { content: 'binary', blob_sha: 'b' })
    const some = (...files: Change['files'][number][]) => patchFingerprint(aChange(files), new Set([guard.path]))
    expect(some(guard, other)).toBe(some(guard))
    expect(some(guard, other)).not.toBe(some(other))
    expect(some(guard, logo)).not.toBe(some(guard))
  })

  test('does not depend on the order of the listing, but on whether it is whole', () => {
    const other = aFile('src/other.ts', ['+const other = 1'])
    expect(of([guard, other])).toBe(of([other, guard]))
    expect(patchFingerprint(aChange([guard], { complete: false }), null)).not.toBe(of([guard]))
  })

  test('a file with a patch is told by it alone', () => {
    expect(of([{ ...guard, blob_sha: 'a' }])).toBe(of([{ ...guard, blob_sha: 'b' }]))
  })

  test('a file without a patch is told by its blob', () => {
    const bare = (sha: string) => aFile('src/big.ts', null, { additions: 900, blob_sha: sha })
    expect(of([bare('a')])).not.toBe(of([bare('b')]))
  })
})
