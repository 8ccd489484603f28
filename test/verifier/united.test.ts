// What several readers say they found becomes one list: each defect once, the gravest first, and only what is there.
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { isSame, readFindings, united, type FindReading } from '../../src/verifier/weighing/found.ts'
import { aFile } from './lab.ts'

const lines = Array.from({ length: 40 }, (_, at) => `+doSomething(${at % 20})`)
const presented = { files: [presentedFile(aFile('src/a.ts', lines), redactor([]))], checks: [] }

type Said = FindReading['findings'][number]
const said = (line: number, more: Partial<Said> = {}): Said => ({
  path: 'src/a.ts',
  side: 'new',
  line,
  quote: `doSomething(${(line - 1) % 20})`,
  category: 'correctness',
  claim: `Call ${line} is wrong.`,
  failure_scenario: 'It is called.',
  fix: '',
  severity: 'major',
  ...more,
})
const reading = (...findings: Said[]): FindReading => ({ findings, suspicious_text: [], presented, reach: 'near' })
const listed = (readings: readonly FindReading[], declined: readonly string[] = []) =>
  united(readings, new Set(declined)).claims.map(({ line, claim, level }) => [line, claim, level])

describe('what several readers found', () => {
  test('the gravest comes first, whoever found it', () => {
    const all = [
      reading(said(1, { severity: 'minor' }), said(10)),
      reading(said(5, { severity: 'critical' }), said(15, { severity: 'minor' })),
    ]
    expect(listed(all).map(([line]) => line)).toEqual([5, 10, 1, 15])
  })

  test('of the same defect the graver word counts', () => {
    expect(listed([reading(said(1, { severity: 'minor' })), reading(said(1, { severity: 'critical' }))])).toEqual([
      [1, 'Call 1 is wrong.', 'blocking'],
    ])
  })

  test('without a way in which it fails it is a question', () => {
    expect(listed([reading(said(1, { failure_scenario: ' ' }))])).toEqual([[1, 'Call 1 is wrong.', 'question']])
    expect(listed([reading(said(1, { severity: 'minor' }))])).toEqual([[1, 'Call 1 is wrong.', 'question']])
  })

  test('what is quoted and is not there is counted, by what was wrong with it', () => {
    const lost = [
      said(1, { quote: 'nothingOfTheKind()' }),
      said(2, { path: 'src/b.ts' }),
      said(3, { path: 'src/c.ts' }),
    ]
    expect(united([reading(...lost, said(9))], new Set())).toMatchObject({
      claims: [{ line: 9 }],
      dropped: { absent: 1, no_path: 2 },
    })
  })

  test('what a human has answered is not raised again', () => {
    const [first] = united([reading(said(1))], new Set()).claims
    expect(listed([reading(said(1), said(10))], [first?.id ?? ''])).toEqual([[10, 'Call 10 is wrong.', 'blocking']])
  })

  test('the line is where the quote stands, not where it was said to be', () => {
    expect(listed([reading(said(4, { line: 6 }))])).toEqual([[4, 'Call 4 is wrong.', 'blocking']])
  })
})

describe('the same defect', () => {
  const one = { ...said(10), id: 'x', proven: true, level: 'blocking' as const }
  const other = { ...one, id: 'y', category: 'test' as const, claim: 'The guard against nobody at all is gone here.' }
  test.each([
    ['the same quote in the same sense, however far away', { ...other, id: 'x', line: 39 }, true],
    ['three lines away, of one kind', { ...one, id: 'y', line: 13, claim: 'Something else altogether.' }, true],
    ['four lines away', { ...one, id: 'y', line: 14 }, false],
    ['in another file', { ...one, id: 'y', path: 'src/b.ts' }, false],
    ['on the other side', { ...one, id: 'y', side: 'old' as const }, false],
    ['of another kind and in other words', other, false],
    [
      'of another kind, in half of the words',
      { ...other, claim: 'Call it right, wrong or otherwise, for nobody at all knows any better word.' },
      true,
    ],
    ['of another kind, in less than half of the words', { ...other, claim: 'Call nobody or otherwise.' }, false],
    ['of another kind, without any word', { ...other, claim: '!!' }, false],
  ])('%s', (_title, second, same) => {
    const first = { ...one, claim: 'Call that wrong one' }
    expect([isSame(first, second), isSame(second, first)]).toEqual([same, same])
  })
})

describe('an answer', () => {
  const answer = (more: object): string =>
    JSON.stringify({
      schema: 'v1',
      nonce: 'n',
      suspicious_text: [],
      copied: [],
      findings: [],
      probes: [{ id: 'k1.p1', answer: 'met' }],
      ...more,
    })
  const control = { questions: [{ id: 'k1.p1', text: 'Is it?', answer: 'met' as const }], lines: [] }

  test('keeps the gravest twenty-five, and rounds their lines', () => {
    const many = Array.from({ length: 30 }, (_, at) => said(at + 1.4, { severity: at < 28 ? 'minor' : 'critical' }))
    const read = readFindings(answer({ findings: many }), 'n', control)
    if (!read.ok) throw new Error(read.errors.join())
    expect(read.value.findings.map(({ line }) => line).slice(0, 4)).toEqual([29, 30, 1, 2])
    expect(read.value.findings).toHaveLength(25)
  })

  test('cuts what is endless', () => {
    const long = 'x'.repeat(100_000)
    const read = readFindings(answer({ findings: [said(1, { failure_scenario: long, fix: long })] }), 'n', control)
    if (!read.ok) throw new Error(read.errors.join())
    const [first] = read.value.findings
    expect([first?.failure_scenario.length, first?.fix.length]).toEqual([600, 600])
  })

  test.each([
    ['of another shape', '[]', ['The answer is not one JSON object of the shape that is asked for.']],
    ['with another nonce', answer({ nonce: 'm' }), ['The nonce is another.']],
  ])('%s is none', (_title, text, errors) => {
    expect(readFindings(text, 'n', control)).toEqual({ ok: false, errors })
  })

  test('that gets a known question wrong is none, and one on record is not asked for it again', () => {
    const wrong = answer({ probes: [{ id: 'k1.p1', answer: 'not_met' }] })
    expect([readFindings(wrong, 'n', control).ok, readFindings(wrong, 'n', null).ok]).toEqual([false, true])
  })
})
