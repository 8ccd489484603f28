// The command that judges mutants tells those that a test notices from those that none does.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { plant } from './ground.ts'
import { judgeMutants } from './judges.ts'
import { instrument } from './mutants.ts'
import { sampleOf } from './mutate.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-mutate-'))
afterAll(() => rmSync(folder, { recursive: true }))

function aFile(name: string, ...lines: string[]): string {
  const file = join(folder, name)
  writeFileSync(file, lines.join('\n'))
  return file
}

test('a mutant that a test notices is killed, any other survives', async () => {
  const source = aFile(
    'shop.ts',
    'const flags = { open: true }',
    'export const isOpen = (): boolean => flags.open',
    'export const isFew = (count: number): boolean => count < 10',
    'export const cheap = (prices: readonly number[]): number[] => prices.filter((price) => price <= 5)',
    'export const unread = (count: number): boolean => count === 1',
  )
  const judging = aFile(
    'shop.test.ts',
    "import { expect, test } from 'vitest'",
    "import { cheap, isFew, isOpen } from './shop.ts'",
    "test('open', () => expect(isOpen()).toBe(true))",
    "test.each([[3, true], [30, false]])('%i', (count, few) => expect(isFew(count)).toBe(few))",
    "test('cheap', () => expect(cheap([5, 9])).toMatchInlineSnapshot())",
    "test('always red', () => expect(isFew(1)).toBe(false))",
  )
  const ground = { sources: [source], tests: [judging] }
  const told: string[] = []
  const judged = await judgeMutants(ground, plant(ground).mutants, 1, ({ becomes }) => void told.push(becomes))
  expect(judged.map(({ line, becomes, outcome, by }) => [line, becomes, outcome, by])).toEqual([
    [1, 'false', 'killed', 'open'],
    [3, 'count <= 10', 'survived', null],
    [4, 'prices', 'killed', 'cheap'],
    [4, 'price < 5', 'killed', 'cheap'],
    [5, 'count !== 1', 'survived', null],
  ])
  expect(told).toEqual(judged.map(({ becomes }) => becomes))
})

test.each<[string, string, string[]]>([
  ['a condition', 'if (ready) go()', ['ready -> true', 'ready -> false', 'go() -> void 0']],
  ['a choice', 'const a = b ? c : d', ['b -> true', 'b -> false']],
  ['words that are compared', "const a = b === 'on'", ["b === 'on' -> b !== 'on'"]],
  ['several conditions', 'const a = b && !c', ['b && !c -> b || !c', '!c -> c']],
  ['parentheses around a side', 'const a = b && (c ?? d)', ['b && (c ?? d) -> b || (c ?? d)']],
  ['numbers', 'const a = b - c * 2', ['b - c * 2 -> b + c * 2', 'c * 2 -> c / 2']],
  ['one number', 'const a = 8 * 1024 * 1024', []],
  ['texts that are joined', "const a = 'b' + c", []],
  ['a table that is a set', 'const a = { b: true } as const satisfies Record<B, true>', []],
  ['a table of choices', 'const a = { b: true } as const satisfies Record<B, boolean>', ['true -> false']],
  ['types', 'type A = true; const a = b as true', []],
  ['a call that is waited for', 'await go()', ['await go() -> void 0']],
  ['lists', 'const a = b.some(c).filter(d)', ['b.some(c).filter(d) -> b.some(c)', 'b.some(c) -> b.every(c)']],
  ['the larger of two', 'const a = [Math.max(b, c), z.max(3)]', ['Math.max(b, c) -> Math.min(b, c)']],
  ['a chain that may end early', 'const a = b?.filter((c) => c > 1)', ['c > 1 -> c >= 1']],
])('%s', (_title, source, changes) => {
  const { mutants } = instrument(source, 5)
  expect(mutants.map(({ was, becomes }) => `${was} -> ${becomes}`)).toEqual(changes)
  expect(mutants.map(({ id }) => id)).toEqual(changes.map((_change, index) => index + 5))
})

test('a statement that is switched does not go on with the line before', () => {
  expect(instrument('const a = b\ngo()', 0).text).toBe('const a = b\nvoid (__mutant(0)?(void 0):(go()))')
})

test('a sample is the same for the same seed', () => {
  const mutants = Array.from({ length: 50 }, (_, id) => ({
    id,
    line: 1,
    column: 1,
    was: '',
    becomes: '',
    file: 'a.ts',
  }))
  const ids = (seed: number) => sampleOf(mutants, 5, seed).map(({ id }) => id)
  expect(ids(1)).toHaveLength(5)
  expect(ids(1)).toEqual(ids(1))
  expect(ids(1)).not.toEqual(ids(2))
})
