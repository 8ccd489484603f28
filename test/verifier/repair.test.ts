// What is remembered of the lines that an objection was raised on, where they are after the next push, and what repairs them.
import { describe, expect, test } from 'vitest'
import type { Raised } from '../../src/core/decision/examined.ts'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { presentedFile, type PresentedFile } from '../../src/verifier/change/presented.ts'
import { raisedOn, repairs, whereabouts } from '../../src/verifier/weighing/repair.ts'
import { aFile } from './lab.ts'

const shown = (path: string, lines: readonly string[]): PresentedFile => presentedFile(aFile(path, lines), redactor([]))
const presentedOf = (files: readonly PresentedFile[], around: readonly PresentedFile[] = []) => ({
  files,
  around,
  checks: [],
})
const calls = (sign: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${sign}const value${from + at} = compute(${from + at})`)
const quoteOf = (line: number): string => `const value${line} = compute(${line})`
const at = (line: number, more: object = {}) =>
  ({ path: 'src/a.ts', side: 'new', line, quote: quoteOf(line), ...more }) as const

describe('what is remembered of an objection', () => {
  const long = [shown('src/a.ts', calls('+', 1, 100)), shown('src/b.ts', calls('+', 1, 3))]

  test('its own lines, the lines within twenty of them, and the contract', () => {
    const raised = raisedOn(at(50), presentedOf(long), 'c1')
    expect([raised.lines, raised.changed, raised.contract, raised.beside]).toEqual([
      [quoteOf(50)],
      true,
      'c1',
      undefined,
    ])
    // Twenty before, its own, and twenty after.
    expect(raised.around).toHaveLength(41)
    const [lowest] = raisedOn(at(30), presentedOf(long), 'c1').around.slice(-1)
    expect(raised.around).toContain(lowest)
  })

  test('no more than there is before the first and behind the last line', () => {
    expect(raisedOn(at(1), presentedOf(long), 'c1').around).toHaveLength(21)
    expect(raisedOn(at(100), presentedOf(long), 'c1').around).toHaveLength(21)
  })

  test('of lines that stand there more than once those that are nearest to where they were said to be', () => {
    const twice = [...calls('+', 1, 30), '+again(all)', ...calls('+', 31, 60), '+again(all)', ...calls('+', 61, 90)]
    const first = (line: number) =>
      raisedOn({ ...at(line), quote: 'again(all)' }, presentedOf([shown('src/a.ts', twice)]), 'c').around[0]
    const markOf = (line: number) =>
      raisedOn(at(line), presentedOf([shown('src/a.ts', calls('+', line, line))]), 'c').around[0]
    expect([first(20), first(70)]).toEqual([markOf(11), markOf(41)])
  })

  test('on the old side what was removed', () => {
    const lines = [...calls(' ', 1, 5), ...calls('-', 6, 6), '+const another = 1', ...calls(' ', 7, 40)]
    const raised = raisedOn({ ...at(6), side: 'old' }, presentedOf([shown('src/a.ts', lines)]), 'c')
    expect([raised.lines, raised.changed, raised.around.length]).toEqual([[quoteOf(6)], true, 26])
  })

  test('lines that the change left alone are told from such as it made', () => {
    const lines = [...calls(' ', 1, 2), ...calls('+', 3, 4)]
    const quote = [quoteOf(2), quoteOf(3)].join('\n')
    const changed = (line: number, text = quoteOf(line)) =>
      raisedOn({ ...at(line), quote: text }, presentedOf([shown('src/a.ts', lines)]), 'c').changed
    expect([changed(1), changed(3), changed(2, quote)]).toEqual([false, true, true])
  })

  test('of code without its comment, and of a comment as it stands', () => {
    const lines = ['+run(everything) // for now', '+// nothing of the kind']
    const linesOf = (line: number, quote: string) =>
      raisedOn({ ...at(line), quote }, presentedOf([shown('src/a.ts', lines)]), 'c').lines
    expect(linesOf(1, 'run(everything)')).toEqual(['run(everything)'])
    expect(linesOf(2, 'nothing of the kind')).toEqual(['// nothing of the kind'])
  })

  test('of a long quote ten lines', () => {
    const quote = Array.from({ length: 15 }, (_, index) => quoteOf(index + 1)).join('\n')
    expect(raisedOn({ ...at(1), quote }, presentedOf(long), 'c').lines).toHaveLength(10)
  })

  test('what is quoted from a file beside the change is remembered by every line of the change', () => {
    const change = [shown('src/a.ts', [...calls(' ', 1, 3), ...calls('+', 4, 5)]), shown('src/b.ts', calls('-', 7, 7))]
    const beside = [shown('src/used.ts', [' export const used = 1']), shown('src/else.ts', [' export const more = 2'])]
    const quoted = { path: 'src/used.ts', side: 'new', line: 1, quote: 'export const used = 1' } as const
    const raised = raisedOn(quoted, presentedOf(change, beside), 'c')
    expect({ ...raised, around: raised.around.length }).toEqual({
      lines: [],
      changed: false,
      beside: true,
      around: 3,
      contract: 'c',
    })
    // What stands in another file than the one that is named is nowhere.
    expect(raisedOn({ ...quoted, path: 'src/else.ts' }, presentedOf(change, beside), 'c')).toEqual({
      lines: [],
      changed: true,
      around: [],
      contract: 'c',
    })
  })

  test.each([
    [500, 500],
    [501, 0],
  ])('of a change of %i lines beside it %i are remembered', (count, remembered) => {
    const change = [shown('src/a.ts', calls('+', 1, count))]
    const beside = [shown('src/used.ts', [' export const used = 1'])]
    const quoted = { path: 'src/used.ts', side: 'new', line: 1, quote: 'export const used = 1' } as const
    expect(raisedOn(quoted, presentedOf(change, beside), 'c').around).toHaveLength(remembered)
  })
})

type Item = Parameters<typeof whereabouts>[0]
const item = (files: readonly PresentedFile[], line: number, more: Partial<Item> = {}): Item => ({
  ...at(line),
  raised: raisedOn({ ...at(line), ...more }, presentedOf(files), 'c'),
  ...more,
})

describe('after the next push the lines of an objection', () => {
  const before = [shown('src/a.ts', calls('+', 1, 40))]
  const where = (files: readonly PresentedFile[], of = item(before, 10), unseen: readonly string[] = []) =>
    whereabouts(of, files, unseen)

  test.each<[string, PresentedFile[], object]>([
    ['are where they were', before, { state: 'there', path: 'src/a.ts', line: 10 }],
    [
      'moved down',
      [shown('src/a.ts', [...calls('+', 50, 60), ...calls('+', 1, 40)])],
      { state: 'there', path: 'src/a.ts', line: 21 },
    ],
    [
      'are broken in two',
      [shown('src/a.ts', [...calls('+', 1, 9), '+const value10 =', '+  compute(10)'])],
      { state: 'there', path: 'src/a.ts', line: 10 },
    ],
    [
      'went to another file',
      [shown('src/a.ts', calls('+', 1, 9)), shown('src/c.ts', ['+// here', ...calls('+', 10, 10)])],
      { state: 'there', path: 'src/c.ts', line: 2 },
    ],
    [
      'stood in another file before',
      [shown('src/a.ts', calls('+', 1, 9)), shown('src/c.ts', calls(' ', 10, 10))],
      { state: 'gone' },
    ],
    ['are gone', [shown('src/a.ts', [...calls('+', 1, 9), ...calls('+', 60, 70)])], { state: 'gone' }],
  ])('%s', (_title, files, expected) => {
    expect(where(files)).toEqual(expected)
  })

  test('are not known to be gone where nobody could look, where they were none of the change, and without a quote', () => {
    const gone = [shown('src/a.ts', calls('+', 60, 70))]
    expect(where(gone, item(before, 10), ['src/a.ts'])).toEqual({ state: 'unsure' })
    expect(where(gone, item([shown('src/a.ts', calls(' ', 1, 40))], 10))).toEqual({ state: 'unsure' })
    expect(where(gone, { ...item(before, 10), quote: ' ' })).toEqual({ state: 'unsure' })
  })

  test('are followed by their rarest word, as a whole, and only where a push has put them', () => {
    const from = [shown('src/a.ts', ['+export const everything = open(all, the, doors)'])]
    const of = item(from, 1, { quote: 'export const everything = open(all, the, doors)' })
    const to = (...lines: string[]) => where([shown('src/c.ts', lines)], of).state
    expect(to('+export const everything = open(all, the, doors)')).toBe('there')
    expect(to('+export const everything = open(all)')).toBe('gone')
    expect(to('+one()', ' export const everything = open(all, the, doors)')).toBe('gone')
    // A part of it that was added there and a part that was there before are not what was moved.
    expect(to(' export const everything =', '+  open(all, the, doors) // everything')).toBe('gone')
  })

  test('of the old side are followed by what is removed elsewhere', () => {
    const from = [shown('src/a.ts', ['-export const everything = open(all)'])]
    const old = { quote: 'export const everything = open(all)', side: 'old' as const }
    const of = { ...item(from, 1, old), raised: raisedOn({ ...at(1), ...old }, presentedOf(from), 'c') }
    const to = (line: string) => where([shown('src/c.ts', [line])], of).state
    expect([to('-export const everything = open(all)'), to('+export const everything = open(all)')]).toEqual([
      'there',
      'gone',
    ])
  })

  test('that look much alike nearby are not known to be gone, and farther away they are', () => {
    // The same under another name.
    const alike = '+const other = compute(10)'
    const other = (line: number) => [...Array.from({ length: line - 1 }, () => '+run()'), alike]
    const state = (line: number) => where([shown('src/a.ts', other(line))]).state
    expect([state(30), state(31)]).toEqual(['unsure', 'gone'])
  })

  test('are followed when they are short only to a file of the same name', () => {
    const short = { quote: 'open(all)' }
    const from = [shown('src/a.ts', ['+open(all)'])]
    const to = (path: string) => where([shown(path, ['+open(all)'])], item(from, 1, short)).state
    expect([to('lib/a.ts'), to('src/c.ts')]).toEqual(['there', 'gone'])
  })
})

describe('an objection is repaired', () => {
  const before = [shown('src/a.ts', calls('+', 1, 60))]
  const raised = item(before, 10)
  const after = [
    shown('src/a.ts', [
      ...calls('+', 1, 9),
      '+const safe10 = checked(10)',
      ...calls('+', 11, 60),
      '+const far = away(61)',
    ]),
  ]
  const gone = { state: 'gone' } as const
  const shows = (line: number, quote: string, more: object = {}) => ({ ...at(line), quote, ...more })
  const does = (evidence: ReturnType<typeof shows>, of = raised, where: Parameters<typeof repairs>[3] = gone) =>
    repairs(of, evidence, presentedOf(after), where, 'near')

  test('by other code in its place, and not by what stood there before or is not there', () => {
    expect(does(shows(10, 'const safe10 = checked(10)'))).toBe(true)
    expect(does(shows(11, quoteOf(11)))).toBe(false)
    expect(does(shows(10, 'const safe10 = unchecked(10)'))).toBe(false)
  })

  test('near the lines where they still stand, and anywhere in its file where they are gone', () => {
    const there = (line: number) => ({ state: 'there', path: 'src/a.ts', line }) as const
    const far = shows(61, 'const far = away(61)')
    expect([does(far), does(far, raised, there(41)), does(far, raised, there(40))]).toEqual([true, true, false])
    expect(does(far, raised, { state: 'there', path: 'src/b.ts', line: 61 })).toBe(false)
    expect(does(far, { ...raised, path: 'src/b.ts' })).toBe(false)
  })

  test('by nothing but code of the change where it had no quote', () => {
    const mixed = [shown('src/a.ts', [...calls(' ', 1, 1), '+const safe10 = checked(10)'])]
    const none = { ...raised, quote: '' }
    const by = (line: number, quote: string) => repairs(none, shows(line, quote), presentedOf(mixed), gone, 'near')
    expect([by(2, 'const safe10 = checked(10)'), by(1, quoteOf(1))]).toEqual([true, false])
  })

  test('by a quote of which one line is new', () => {
    const quote = [quoteOf(9), 'const safe10 = checked(10)'].join('\n')
    expect(does(shows(9, quote))).toBe(true)
    const mixed = [shown('src/a.ts', [...calls(' ', 9, 9), '+const safe10 = checked(10)'])]
    expect(repairs({ ...raised, quote: '' }, shows(1, quote), presentedOf(mixed), gone, 'near')).toBe(true)
  })

  test('beside the change by other code of the change alone, and by nothing where too much of it is remembered', () => {
    const change = [shown('src/a.ts', [...calls(' ', 1, 1), ...calls('+', 2, 2)])]
    const used = [shown('src/used.ts', [' export const used = 1'])]
    const quoted = { path: 'src/used.ts', side: 'new', line: 1, quote: 'export const used = 1' } as const
    const beside = { ...quoted, raised: raisedOn(quoted, presentedOf(change, used), 'c') }
    const now = [shown('src/a.ts', [...calls(' ', 1, 1), ...calls('+', 2, 3)])]
    const by = (line: number, kept: Raised = beside.raised) =>
      repairs({ ...beside, raised: kept }, shows(line, quoteOf(line)), presentedOf(now), gone, 'near')
    expect([by(1), by(2), by(3), by(3, { ...beside.raised, around: [] })]).toEqual([false, false, true, false])
  })

  test('of an objection from before lines were remembered by anything but the lines that it quotes', () => {
    const { raised: _old, ...old } = raised
    expect(does(shows(10, 'const safe10 = checked(10)'), old)).toBe(true)
    expect(repairs(old, shows(10, quoteOf(10)), presentedOf(before), gone, 'near')).toBe(false)
  })
})
