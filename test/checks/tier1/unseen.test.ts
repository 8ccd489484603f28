// What tier 1 cannot see is said, and never taken for something that is in order.
import { describe, expect, test } from 'vitest'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import {
  added,
  check,
  failures,
  modified,
  patchOf,
  renamed,
  settings,
  workspaceOf,
  type Commit,
} from './small-workspace.ts'

test('a test in which one byte makes git tell no lines is one whose lines nobody saw', async () => {
  const commit = { 'a.test.ts': '\0\nit.skip("adds", () => {})\n', 'logo.dat': '\0\0' }
  const files = Object.keys(commit).map(modified)
  const report = await tier1(files, workspaceOf(commit), settings({ weakened_tests: 'fail' }), { patches: new Map() })
  expect(failures(report)).toEqual(['weakened_tests: a.test.ts changed, and its diff cannot be seen'])
  expect(report.warnings.join('\n')).not.toContain('logo.dat')
})

test.each([
  ['changed', modified('a.test.ts')],
  ['added', added('a.test.ts')],
  ['under a new name', renamed('b.test.ts', 'a.test.ts')],
])('nor did anybody see them where the test is %s', async (_title, file) => {
  const strict = settings({ weakened_tests: 'fail' })
  const report = await tier1([file], workspaceOf({ 'a.test.ts': '\0' }), strict, { patches: new Map() })
  expect(failures(report)).toEqual(['weakened_tests: a.test.ts changed, and its diff cannot be seen'])
})

describe('a secret in a file of which no diff shows the lines', () => {
  // In parts, or whoever looks for secrets would find it here.
  const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('')
  const told = async (commit: Commit, changed: Parameters<typeof settings>[0] = {}) => {
    const files = Object.keys(commit).map(added)
    const report = await tier1(files, workspaceOf(commit), settings(changed), { patches: new Map() })
    return { failures: failures(report), warnings: report.warnings.filter((one) => one.startsWith('Secrets')) }
  }
  const wide = (text: string, order: 'utf16le' | 'utf16be') => {
    const bytes = Buffer.from(text, 'utf16le')
    return order === 'utf16le' ? bytes : bytes.swap16()
  }

  test.each([
    ['beside a byte of nothing', `one\ntoken = '${token}' // \0\n`],
    ['behind a byte of nothing', `one\n\0${token}\0`],
    ['in wide characters without a mark', wide(`one\nTOKEN=${token}\n`, 'utf16le')],
    ['in wide characters the other way round', wide(`one\nTOKEN=${token}\n`, 'utf16be')],
    ['in plain text that nobody compared', `one\n${token}`],
  ])('%s is found at its line', async (_title, content) => {
    const words = 'secrets: prod.env line 2 looks as if it held a secret'
    expect(await told({ 'prod.env': content })).toEqual({ failures: [words], warnings: [] })
  })

  test('is not looked for where it is expected, and nothing is said of a picture without one', async () => {
    const allowed = { secrets_allowed: ['prod.env'] }
    expect(await told({ 'prod.env': `\0${token}`, 'logo.png': '\0\0' }, allowed)).toEqual({
      failures: [],
      warnings: [],
    })
  })

  test('is not looked for in what nobody opens, which is said', async () => {
    expect(await told({ 'film.mp4': { kind: 'too_large', size: 5_000_000 } })).toEqual({
      failures: [],
      warnings: [
        'Secrets were not looked for, because no diff shows the lines of these files and they were not opened: film.mp4.',
      ],
    })
  })

  test('is found behind a diff that is too large for anybody', async () => {
    const patches = new Map([
      ['data/a.csv', patchOf(`+${'a'.repeat(33 * 1024 * 1024)}`)],
      ['src/key.env', patchOf(`+${token}`)],
    ])
    const commit: Commit = { 'data/a.csv': { kind: 'too_large', size: 33 * 1024 * 1024 }, 'src/key.env': token }
    const report = await tier1(Object.keys(commit).map(modified), workspaceOf(commit), settings(), { patches })
    expect(failures(report)).toEqual(['secrets: src/key.env line 1 looks as if it held a secret'])
    expect(report.warnings.at(-1)).toMatch(/^Secrets were not looked for.*: data\/a.csv\.$/)
  })
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
