// What is looked at around a change, and in which order: the rules of choosing, before anything is packed.
import { describe, expect, test } from 'vitest'
import type { FileChange } from '../../src/verifier/change/change.ts'
import { chooseAround } from '../../src/verifier/context/choose.ts'
import { aFile } from './lab.ts'

const repository = (files: Readonly<Record<string, string | null>>, searchable = true) => ({
  paths: Object.keys(files),
  textOf: (path: string) => files[path] ?? null,
  searchable,
})
const chosen = (changed: readonly FileChange[], files: Readonly<Record<string, string | null>>) =>
  chooseAround(changed, repository(files)).candidates.map(
    ({ path, from, to, why, name }) => `${path} ${from}-${to} ${why}${name === '' ? '' : ` ${name}`}`,
  )
const definition = ['-export function priceOf(count) { return 1 }', '+export function priceOf(count) { return 2 }']
const price = (more: Partial<FileChange> = {}, path = 'src/shop/price.ts') => aFile(path, definition, more)
const calls = (count: number): string => Array.from({ length: count }, () => 'export const one = priceOf(1)').join('\n')
const numbered = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `const value${from + at} = ${from + at}`).join('\n')

describe('the changed file', () => {
  test.each([
    [120, 'a.ts 1-120 file'],
    [121, 'a.ts 1-25 imports'],
  ])('of %i lines', (count, expected) => {
    const change = aFile('a.ts', ['+const value1 = 1'])
    expect(chosen([change], { 'a.ts': numbered(count) })[0]).toBe(expected)
  })

  test.each<[string, Partial<FileChange>]>([
    ['that is new', { status: 'added' }],
    ['that is gone', { status: 'removed' }],
    ['that is no text', { content: 'binary' }],
  ])('%s is not shown once more', (_title, more) => {
    expect(chosen([price(more)], { 'src/shop/price.ts': calls(3) })).toEqual([])
  })

  test('is not searched for who uses what changed in it', () => {
    const other = aFile('src/shop/till.ts', ['+const other = 1'])
    const files = { 'src/shop/till.ts': `${numbered(200)}\n${calls(1)}`, 'src/shop/bill.ts': calls(1) }
    expect(chosen([price(), other], files).filter((one) => one.includes('caller'))).toEqual([
      'src/shop/bill.ts 1-1 caller priceOf',
    ])
  })
})

describe('who uses what changed', () => {
  const callersIn = (files: Readonly<Record<string, string | null>>) =>
    chooseAround([price()], repository(files)).candidates.map(({ path, from, worth }) => [path, from, worth])

  test('is looked for in its folder first, then under the same top, then anywhere, by name', () => {
    const files = { 'b/x.ts': calls(1), 'a/x.ts': calls(1), 'src/z.ts': calls(1), 'src/shop/z.ts': calls(1) }
    expect(callersIn(files)).toEqual([
      ['src/shop/z.ts', 1, 90],
      ['src/z.ts', 1, 87],
      ['a/x.ts', 1, 84],
      ['b/x.ts', 1, 81],
    ])
  })

  test('counts once in a line, and a dozen times in all', () => {
    expect(callersIn({ 'a/x.ts': 'export const all = [priceOf(1), priceOf(2)]' })).toEqual([['a/x.ts', 1, 90]])
    const many = Array.from({ length: 14 }, (_, at) => [`a/${String(at).padStart(2, '0')}.ts`, calls(1)])
    expect(callersIn(Object.fromEntries(many))).toHaveLength(12)
  })

  test('is not looked for beyond the sixtieth place in one file', () => {
    const documents = (lines: number): string =>
      `${Array.from({ length: lines }, () => 'import { priceOf } from "x"').join('\n')}\n${calls(1)}`
    expect(callersIn({ 'a/x.ts': documents(59) })).toEqual([['a/x.ts', 60, 90]])
    expect(callersIn({ 'a/x.ts': documents(60) })).toEqual([])
  })

  test('is not looked for in what nobody wrote, in what is huge, and in what is no text', () => {
    const huge = (characters: number): string => `${calls(1)}\n${' '.repeat(characters - calls(1).length - 1)}`
    const files = {
      'dist/x.ts': calls(1),
      'web/node_modules/x/index.js': calls(1),
      'go.sum': 'priceOf',
      'a/app.min.js': calls(1),
      'a/full.ts': huge(400_000),
      'a/huge.ts': huge(400_001),
      'a/none.ts': null,
    }
    expect(callersIn(files).map(([path]) => path)).toEqual(['a/full.ts'])
  })

  test('with a sign in its name that means something else elsewhere', () => {
    const change = aFile('src/a.ts', ['-export const total$ = 1', '+export const total$ = 2'])
    expect(
      chosen([change], { 'src/b.ts': 'export const x = total$ + 1', 'src/c.ts': 'export const y = total + 1' }),
    ).toEqual(['src/b.ts 1-1 caller total$'])
  })

  test('where nothing is named, nobody', () => {
    expect(chooseAround([aFile('a.md', ['+12'])], repository({ 'b.ts': calls(1) }, false))).toEqual({
      candidates: [],
      notes: [],
    })
    expect(chooseAround([price()], repository({ 'b.ts': calls(1) }, false)).notes).toEqual([
      'the other files of the repository could not be searched',
    ])
  })
})

describe('beside a new file', () => {
  const added = (path: string) => aFile(path, ['+const a = 1'], { status: 'added' })
  const siblings = (path: string, files: Readonly<Record<string, string | null>>) =>
    chosen([added(path)], files).filter((one) => one.includes('sibling'))

  test('the one that is called most alike, of its kind, in its folder, up to sixty lines', () => {
    const files = {
      'src/list-users.ts': numbered(100),
      'src/remove-user.ts': numbered(3),
      'src/add-user.md': 'text',
      'lib/add-user.ts': numbered(3),
    }
    expect(siblings('src/remove-order.ts', files)).toEqual(['src/remove-user.ts 1-3 sibling'])
    expect(siblings('src/list-orders.ts', files)).toEqual(['src/list-users.ts 1-60 sibling'])
  })

  test('none where it cannot be read, for tests, and for more than two files', () => {
    expect(siblings('src/a-one.ts', { 'src/a-two.ts': null })).toEqual([])
    expect(siblings('src/a.test.ts', { 'src/b.test.ts': 'x' })).toEqual([])
    const three = ['a/x.ts', 'b/x.ts', 'c/x.ts'].map(added)
    const beside = { 'a/y.ts': 'x', 'b/y.ts': 'x', 'c/y.ts': 'x' }
    expect(chosen(three, beside).filter((one) => one.includes('sibling'))).toHaveLength(2)
  })
})
