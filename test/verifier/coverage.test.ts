// Nothing is silently unseen: each changed line counts, deletions too, and what was not shown is named and never passes.
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/verifier/change/change.ts'
import { unreadWords } from '../../src/verifier/weighing/verdict.ts'
import { aCourse, told } from './course.ts'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  attemptFor,
  blocking,
  guardLines,
  outcomeOf,
  promptText,
  saysPass,
  verdictOf,
} from './lab.ts'
import { guard, many, packed } from './packed.ts'

const lfs = 'version https://git-lfs.github.com/spec/v1'
const pointer = (sign: '+' | '-', to = 'a'): string[] =>
  [lfs, `oid sha256:${to.repeat(64)}`, 'size 1200'].map((line) => `${sign}${line}`)
const passing = () => aModel((request) => saysPass(request))

describe('what counts, what is shown, and how it ends', () => {
  test.each<[string, Change, object, string]>([
    ['a plain change', aChange(), { shown: 3, changed: 3, share: 1 }, 'PASS'],
    [
      'a deleted file',
      aChange([guard, aFile('src/old.ts', many(40, '-'), { status: 'removed' })]),
      { shown: 43, changed: 43, share: 1 },
      'PASS',
    ],
    [
      'a file without a patch',
      aChange([guard, aFile('src/big.ts', null, { additions: 900, deletions: 3 })]),
      { shown: 3, changed: 906, unseen: ['src/big.ts'], cause: 'coverage' },
      'REFER coverage',
    ],
    [
      'a patch that was cut',
      aChange([guard, aFile('src/cut.ts', many(10), { additions: 500 })]),
      { shown: 13, changed: 503, unseen: ['src/cut.ts'], share: 0.02 },
      'REFER coverage',
    ],
    [
      'a picture, which has no lines',
      aChange([guard, aFile('a.png', null, { content: 'binary', additions: 7 })]),
      { shown: 3, changed: 10, unseen: ['a.png'], cause: 'coverage' },
      'REFER coverage',
    ],
    [
      'a file that Git LFS keeps elsewhere',
      aChange([guard, aFile('dist/app.js', pointer('+'), { status: 'added' })]),
      { shown: 3, changed: 6, unseen: ['dist/app.js'], cause: 'coverage' },
      'REFER coverage',
    ],
    [
      'another file behind the same pointer',
      aChange([guard, aFile('dist/app.js', [` ${lfs}`, ...pointer('-').slice(1), ...pointer('+', 'b').slice(1)])]),
      { shown: 3, changed: 7, unseen: ['dist/app.js'], cause: 'coverage' },
      'REFER coverage',
    ],
    [
      'a text that becomes a pointer',
      aChange([guard, aFile('src/a.ts', ['-export const a = 1', ...pointer('+')])]),
      { shown: 3, changed: 7, unseen: ['src/a.ts'], cause: 'coverage' },
      'REFER coverage',
    ],
    [
      'a text about pointers',
      aChange([guard, aFile('docs/lfs.md', ['+# Pointers', ...pointer('+')], { status: 'added' })]),
      { shown: 7, changed: 7, share: 1 },
      'PASS',
    ],
    [
      'another commit of a submodule, which is all that GitHub shows of it',
      aChange([guard, aFile('vendor/x', ['-Subproject commit a1', '+Subproject commit b2'], { content: 'submodule' })]),
      { shown: 3, changed: 5, unseen: ['vendor/x'], cause: 'coverage' },
      'REFER coverage',
    ],
    [
      'a generated file known to the base',
      aChange([guard, aFile('dist/app.js', many(5_000), { generated_at_base: true })]),
      { shown: 3, changed: 3, ignored: ['dist/app.js'], share: 1 },
      'PASS',
    ],
    [
      'a generated file in a protected path',
      aChange([guard, aFile('.github/x.js', many(5), { generated_at_base: true })]),
      { changed: 8, shown: 8, ignored: [] },
      'PASS',
    ],
    [
      'a new file under an old rule',
      aChange([guard, aFile('dist/new.js', many(5), { status: 'added', generated_at_base: true })]),
      { changed: 8, shown: 8, ignored: [] },
      'PASS',
    ],
    [
      'a binary',
      aChange([guard, aFile('logo.png', null, { content: 'binary', size: 90, blob_sha: 'abc' })]),
      { shown: 3, changed: 3, share: 0.99, unseen: ['logo.png'] },
      'REFER coverage',
    ],
    [
      'a submodule',
      aChange([guard, aFile('vendor/x', null, { content: 'submodule', blob_sha: 'abc' })]),
      { share: 0.99, unseen: ['vendor/x'] },
      'REFER coverage',
    ],
    [
      'a file of which nobody knows what changed',
      aChange([guard, aFile('src/odd.ts', null)]),
      { share: 0.99, unseen: ['src/odd.ts'] },
      'REFER coverage',
    ],
    [
      'a rename',
      aChange([guard, aFile('b.ts', [], { status: 'renamed', previous_path: 'a.ts', patch: '' })]),
      { shown: 3, changed: 3, share: 1 },
      'PASS',
    ],
    [
      'a changed mode',
      aChange([guard, aFile('run.sh', [], { patch: '', mode: '100644 to 100755' })]),
      { shown: 3, share: 1 },
      'PASS',
    ],
    [
      'a listing that is not complete',
      aChange([guard], { complete: false }),
      { cause: 'too_large' },
      'REFER too_large',
    ],
    [
      'a listing of exactly 3,000 files',
      aChange([guard, ...Array.from({ length: 2_999 }, (_, at) => aFile(`src/f${at}.ts`, ['+x']))]),
      { changed: 3_002, cause: 'too_large' },
      'REFER too_large',
    ],
    [
      'one hunk that is too big',
      aChange([guard, aFile('src/huge.ts', many(12_000))]),
      { shown: 3, changed: 12_003, unseen: ['src/huge.ts'], cause: 'too_large' },
      'REFER too_large',
    ],
  ])('%s', async (_title, change, coverage, outcome) => {
    expect(packed(change).coverage).toMatchObject(coverage)
    expect(await outcomeOf({ model: passing(), change })).toBe(outcome)
  })
})

describe('what may go unseen by the policy', () => {
  const logo = aFile('img/logo.png', null, { content: 'binary', size: 90, blob_sha: 'abc' })
  const change = aChange([guard, logo])
  const attempt = (...unseen_ok: string[]) => attemptFor(aContract({ verifier: { unseen_ok } }))

  test('is named, and keeps nothing from passing', async () => {
    expect(packed(change, { model: 'm', unseenOk: ['img/**'] }).coverage).toMatchObject({
      share: 1,
      unseen: [],
      excused: ['img/logo.png'],
    })
    expect(await verdictOf({ model: passing(), change, attempt: attempt('img/**') })).toMatchObject({
      verdict: { outcome: 'PASS' },
      examined: { remarks: ['img/logo.png was not read, which the policy allows.'] },
    })
  })

  test('is nothing else, and what is not read is told', async () => {
    expect(await verdictOf({ model: passing(), change, attempt: attempt('doc/**') })).toMatchObject({
      verdict: {
        outcome: 'REFER',
        reason_code: 'coverage',
        feedback: expect.stringContaining('Not read: img/logo.png.'),
      },
    })
  })

  test('closes no objection', async () => {
    const course = aCourse(aContract({ verifier: { unseen_ok: ['src/users.ts'] } }))
    await course.push(
      'a1',
      aModel((request) => saysPass(request, { findings: [blocking] })),
      aChange(),
    )
    const hidden = aChange([aFile('src/users.ts', null), aFile('src/more.ts', ['+export const more = 1'])])
    expect(told(await course.push('a2', passing(), hidden))).toBe('SOFT_FAIL')
  })
})

test('a deletion behind any amount of other lines is shown, or refers', async () => {
  const last = aFile('src/zz.ts', ['-  audit(user)'])
  const small = aChange([aFile('src/users.ts', guardLines), aFile('src/a.ts', many(500)), last])
  const model = passing()
  await verdictOf({ model, change: small })
  expect(
    promptText(model.requests[0] ?? { model: '', system: [], content: [], format: null, effort: 'low', max_tokens: 0 }),
  ).toContain('-│   audit(user)')
  const huge = aChange([...Array.from({ length: 60 }, (_, at) => aFile(`src/a${at}.ts`, many(900))), last])
  const { coverage } = packed(huge)
  expect(coverage.cause).toBe('too_large')
  expect(coverage.share).toBeLessThan(1)
  expect(coverage.unseen.length).toBeGreaterThan(0)
})

test('of what was not read, ten are named and the others counted', () => {
  const words = (count: number): string =>
    unreadWords({
      ...packed(aChange([guard])).coverage,
      unseen: Array.from({ length: count }, (_, at) => `f${at}`),
      cause: 'coverage',
    }) ?? ''
  expect(words(10)).toContain('f8, f9. A human')
  expect(words(11)).toContain('f8, f9 and 1 more. A human')
})

test('a file beyond the room makes a change too large, also beside one that cannot be read', () => {
  const change = aChange([aFile('src/odd.ts', null), aFile('src/huge.ts', many(12_000))])
  expect(packed(change).coverage).toMatchObject({ unseen: ['src/odd.ts', 'src/huge.ts'], cause: 'too_large' })
})

test('the list of files says of each what it is and whether it is shown', () => {
  const files = [
    guard,
    aFile('b.ts', [], { status: 'renamed', previous_path: 'a.ts', patch: '' }),
    aFile('run.sh', [], { patch: '', mode: '100644 to 100755' }),
    aFile('logo.png', null, { content: 'binary', size: 90, blob_sha: 'abc' }),
    aFile('x.bin', null, { content: 'binary' }),
    aFile('dist/app.js', ['+function price(order) {', '+  return 1', '-function total(order) {', '-}', '+}'], {
      generated_at_base: true,
    }),
    aFile('src/big.ts', null, { additions: 9 }),
  ]
  expect(packed(aChange(files, { complete: false })).manifest).toEqual([
    '"src/users.ts": modified, 3 changed lines',
    '"b.ts": renamed, 0 changed lines, was "a.ts"',
    '"run.sh": modified, 0 changed lines, mode 100644 to 100755',
    '"logo.png": modified, 0 changed lines, binary, 90 bytes, abc, not shown',
    '"x.bin": modified, 0 changed lines, binary, unknown bytes, , not shown',
    '"dist/app.js": modified, 5 changed lines, generated, not shown: 3 added, 2 removed; new: price; gone: total',
    '"src/big.ts": modified, 9 changed lines, not shown',
    'and further files that GitHub does not list',
  ])
  expect(packed(aChange([guard])).manifest).toHaveLength(1)
})

test('a generated file is told in counts and in at most twenty names of a kind, and no secret is among them', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const names = Array.from({ length: 25 }, (_, index) => `make${String.fromCodePoint(65 + index)}`)
  const lines = [token, ...names].map((name) => `+function ${name}() {`)
  const [told = ''] = packed(aChange([aFile('dist/app.js', lines, { generated_at_base: true })])).manifest
  expect(told).toMatch(/26 added, 0 removed; new: ⟦SECRET 1⟧, makeA, .* and 6 more$/)
  expect(told).not.toContain(token)
})

test('a line that looks like the head of a file is a line', () => {
  const patch = ['@@ -1,2 +1,2 @@', '--- a/other.ts', '+++ b/other.ts', ' end'].join('\n')
  const { chunks, coverage } = packed(aChange([aFile('src/a.ts', null, { patch, additions: 1, deletions: 1 })]))
  expect(coverage).toMatchObject({ shown: 2, changed: 2 })
  expect(chunks[0]?.files[0]?.hunks[0]?.lines.map(({ text }) => text)).toEqual([
    '-- a/other.ts',
    '++ b/other.ts',
    'end',
  ])
})

test('secrets never leave, and cannot be used to hide code', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const change = aChange([
    aFile('src/users.ts', [
      ...guardLines,
      `+const token = '${token}'`,
      '+const own = "the-configured-secret"',
      '+-----BEGIN PRIVATE KEY-----',
      '+grantEverything(user)',
      '+MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
      '+-----END PRIVATE KEY-----',
    ]),
  ])
  const model = passing()
  await verdictOf({ model, change, secrets: ['the-configured-secret'] })
  const prompt = model.requests.map(promptText).join()
  expect(prompt).not.toContain(token)
  expect(prompt).not.toContain('the-configured-secret')
  expect(prompt).toContain('grantEverything(user)')
  expect(prompt).toMatch(/const token = '⟦SECRET \d⟧'/)
})
