// Small files that a changed file names, and files beside it that name it.
import { describe, expect, test } from 'vitest'
import { linkedTo } from '../../src/verifier/context/linked.ts'
import { aFile } from './lab.ts'

const lines = (count: number, text = 'x'): string => Array.from({ length: count }, () => text).join('\n')
function linked(
  files: Readonly<Record<string, string | null>>,
  changed = ['src/price.ts'],
  known: readonly string[] = [],
) {
  const texts = { paths: Object.keys(files), textOf: (path: string) => files[path] ?? null, searchable: true }
  const found = linkedTo(
    changed.map((path) => aFile(path, ['+x'])),
    texts,
    new Set(known),
  )
  return found.map(({ path, lines: count }) => `${path} ${count}`)
}

describe('linked to a changed file is', () => {
  test.each<[string, Record<string, string | null>, string[]]>([
    ['one that it names', { 'src/price.ts': 'use rates', 'lib/rates.sql': lines(3) }, ['lib/rates.sql 3']],
    ['one that it names in large letters', { 'src/price.ts': 'RATES', 'lib/Rates.sql': 'x' }, ['lib/Rates.sql 1']],
    ['none that it does not name', { 'src/price.ts': 'use it', 'lib/rates.sql': 'x' }, []],
    ['none of a name that says nothing', { 'src/price.ts': 'utils', 'lib/utils.ts': 'x' }, []],
    ['none of a short name', { 'src/price.ts': 'tax', 'lib/tax.ts': 'x' }, []],
    ['one of a short enough name', { 'src/price.ts': 'rate', 'lib/rate.ts': 'x' }, ['lib/rate.ts 1']],
    ['one beside it that names it', { 'src/price.ts': '', 'src/shop.ts': 'the price' }, ['src/shop.ts 1']],
    ['none elsewhere that names it', { 'src/price.ts': '', 'lib/shop.ts': 'the price' }, []],
    ['one of 120 lines', { 'src/price.ts': 'rates', 'lib/rates.ts': lines(120) }, ['lib/rates.ts 120']],
    ['none of 121 lines', { 'src/price.ts': 'rates', 'lib/rates.ts': lines(121) }, []],
    ['none that cannot be read', { 'src/price.ts': 'rates', 'lib/rates.ts': null }, []],
    ['none that is huge', { 'src/price.ts': 'rates', 'lib/rates.ts': 'x'.repeat(400_001) }, []],
    ['one that is just not huge', { 'src/price.ts': 'rates', 'lib/rates.ts': 'x'.repeat(400_000) }, ['lib/rates.ts 1']],
    ['not itself', { 'src/price.ts': 'the price' }, []],
    ['nothing where it is huge itself', { 'src/price.ts': `rates ${'x'.repeat(400_000)}`, 'lib/rates.ts': 'x' }, []],
  ])('%s', (_title, files, expected) => {
    expect(linked(files)).toEqual(expected)
  })

  test('nothing that changed itself, or is shown for naming it', () => {
    const files = { 'src/price.ts': 'rates', 'src/rates.ts': 'price', 'src/shop.ts': 'price' }
    expect(linked(files, ['src/price.ts', 'src/rates.ts'], ['src/shop.ts'])).toEqual([])
  })

  test('one that is shown already where the changed file names it', () => {
    expect(linked({ 'src/price.ts': 'rates', 'src/rates.ts': 'x' }, ['src/price.ts'], ['src/rates.ts'])).toEqual([
      'src/rates.ts 1',
    ])
  })

  test('named by one of several changed files, or naming one of them', () => {
    const files = { 'src/price.ts': 'nothing', 'src/total.ts': 'rates', 'lib/rates.ts': 'x', 'src/shop.ts': 'total' }
    expect(linked(files, ['src/price.ts', 'src/total.ts'])).toEqual(['lib/rates.ts 1', 'src/shop.ts 1'])
  })

  test('eight of them at most', () => {
    const beside = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`src/file${at}.ts`, 'price']))
    expect(linked({ 'src/price.ts': '', ...beside })).toHaveLength(8)
  })
})
