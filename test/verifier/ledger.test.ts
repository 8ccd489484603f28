// Objections from head to head as data: which are left open, which a human closed, and by what one is closed.
import { describe, expect, test } from 'vitest'
import type { Examined, LedgerItem, ProbeGrade } from '../../src/core/decision/examined.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import type { Answer } from '../../src/verifier/weighing/answer.ts'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { carried, leftBy, withNew } from '../../src/verifier/weighing/ledger.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { isContradicted, type Weighed } from '../../src/verifier/weighing/weigh.ts'
import { anAttempt, answered, aTask, rejection } from '../words/attempts.ts'
import { aFile } from './lab.ts'
import { nothing } from './nothing.ts'

const item = (given: Partial<LedgerItem> = {}): LedgerItem => ({
  id: 'f1',
  kind: 'finding',
  path: 'src/a.ts',
  side: 'new',
  line: 1,
  quote: 'const first = 1',
  claim: 'it is wrong',
  first_sha: 'a1',
  last_sha: 'a1',
  status: 'open',
  ...given,
})
// prettier-ignore
const examined = (ledger: readonly LedgerItem[]): Examined => ({
  generator_agent_id: 'g', findings: [], probes: [], criterion_grades: {}, rubric: null, score: null,
  coverage: { shown: 0, changed: 0, ignored: [], unseen: [] }, evidence: { verified: 0, given: 0 }, confidence_parts: {}, ledger,
  remarks: [], dropped: {}, hashes: { contract: '', policy: '', rubric: '', patch: '', release: '' }, reused: false,
  cost: { usd: 0, price_table: '', calls: [] },
})
const judged = (ordinal: number, ledger: readonly LedgerItem[], given: Partial<Attempt> = {}): Attempt => {
  const verifier = answered()
  if (verifier.phase !== 'answered') throw new Error('it was answered')
  return anAttempt({
    ordinal,
    head_sha: `a${ordinal}`,
    verifier: { ...verifier, examined: examined(ledger) },
    ...given,
  })
}
const override = (standing: 'stands' | 'revoked' | 'voided') => [
  { ...rejection('ada', 'r'), type: 'VERIFIER_OVERRIDE' as const, standing },
]
const now = anAttempt({ ordinal: 9, head_sha: 'a9' })

describe('what earlier heads left behind', () => {
  const left = (...attempts: Attempt[]) => {
    const { open, overruled, declined } = leftBy(aTask(...attempts, now), now)
    return [open.map(({ id }) => id), overruled.map(({ id }) => id), [...declined]]
  }
  // prettier-ignore
  test.each<[string, Attempt[], string[][]]>([
    ['what is open', [judged(1, [item(), item({ id: 'f2', status: 'fixed' }), item({ id: 'f3', status: 'withdrawn' })])], [['f1'], [], []]],
    ['by its newest word', [judged(1, [item()]), judged(2, [item({ status: 'fixed' })])], [[], [], []]],
    ['nothing of another pull request', [judged(1, [item()], { pull: 8 })], [[], [], []]],
    ['nothing of a head that was not judged', [judged(1, [item()], { verifier: { phase: 'idle' } })], [[], [], []]],
    ['what a human overruled is not open', [judged(1, [item()], { acts: override('stands') })], [[], ['f1'], ['f1']]],
    ['also where a push voided the override since', [judged(1, [item()], { acts: override('voided') })], [[], ['f1'], ['f1']]],
    ['an override that was taken back opens it again', [judged(1, [item()], { acts: override('revoked') })], [['f1'], [], []]],
    ['another act overrules nothing', [judged(1, [item()], { acts: [rejection('ada', 'r')] })], [['f1'], [], []]],
    ['what was overruled stays so', [judged(1, [item()], { acts: override('stands') }), judged(2, [item({ status: 'overridden' })])], [[], [], ['f1']]],
    ['a question that is answered with no once more is open', [judged(1, [item({ id: 'c1.p1', kind: 'probe' })], { acts: override('stands') }), judged(2, [item({ id: 'c1.p1', kind: 'probe', first_sha: 'a2' })])], [['c1.p1'], [], []]],
    ['not where it is only still open', [judged(1, [item({ id: 'c1.p1', kind: 'probe' })], { acts: override('stands') }), judged(2, [item({ id: 'c1.p1', kind: 'probe' })])], [[], ['c1.p1'], ['c1.p1']]],
  ])('%s', (_title, attempts, expected) => expect(left(...attempts)).toEqual(expected))

  test('at most fifty of each', () => {
    const many = Array.from({ length: 60 }, (_, index) => item({ id: `f${index}` }))
    expect(left(judged(1, many)).map(({ length }) => length)).toEqual([50, 0, 0])
    expect(left(judged(1, many, { acts: override('stands') })).map(({ length }) => length)).toEqual([0, 50, 60])
  })

  test('under the present head, as somebody closed it', () => {
    const { overruled } = leftBy(aTask(judged(1, [item()], { acts: override('stands') }), now), now)
    expect(overruled).toMatchObject([{ first_sha: 'a1', last_sha: 'a9', status: 'overridden' }])
  })
})

/** Spelled in two parts, since nothing in this repository is left over. */
const leftover = ['FIX', 'ME'].join('')
const weighed = (given: Partial<Weighed> = {}): Weighed => ({
  probes: [],
  places: new Map(),
  findings: [],
  dropped: {},
  evidence: { verified: 0, given: 0 },
  ...given,
})
const grade = (given: Partial<ProbeGrade> = {}): ProbeGrade => ({
  id: 'c1.p1',
  text: 'it is wrong',
  answer: 'met',
  proven: true,
  why: '',
  ...given,
})
const piece = (lines: readonly string[], answer: Partial<Answer> = {}, path = 'src/a.ts') => ({
  answer: { ...nothing, ...answer },
  presented: { files: [presentedFile(aFile(path, lines), redactor([]))], checks: [] },
})

describe('an objection is carried', () => {
  const one = (
    given: Partial<LedgerItem>,
    readings: ReturnType<typeof piece>[],
    result: Partial<Weighed> = {},
    unseen: string[] = [],
  ) => {
    const { ledger, standing } = carried(
      { items: [item(given)], readings, reach: 'near', unseen, sha: 'a9' },
      weighed(result),
    )
    const [{ status, why, last_sha } = item()] = ledger
    return [
      [status, why, last_sha].filter(Boolean).join(' '),
      ...standing.map(({ id, proven }) => `${id} ${proven ? 'proven' : 'unproven'}`),
    ]
  }
  const there = ['+const first = 1']
  const gone = ['+const other = 2']
  const probe = { id: 'c1.p1', kind: 'probe' } as const
  const repaired = (
    evidence: Answer['open_items'][number]['evidence'],
    status: 'fixed' | 'still_open' = 'fixed',
    id = 'f1',
  ) => ({ open_items: [{ id, evidence, why: '', status }] })
  const shown = [{ path: 'src/a.ts', side: 'new', line: 1, quote: 'const first = 1' } as const]

  // prettier-ignore
  test.each<[string, () => string[], string[]]>([
    ['as long as its quote stands', () => one({}, [piece(there)]), ['open a9', 'f1 proven']],
    ['also where it stands in one of several pieces', () => one({}, [piece(gone), piece(there)]), ['open a9', 'f1 proven']],
    ['until its quote is gone', () => one({}, [piece(gone)]), ['fixed a9']],
    ['where nobody could look whether it is gone', () => one({}, [piece(gone)], {}, ['src/a.ts']), ['open a9', 'f1 unproven']],
    ['until the repair is shown', () => one({}, [piece(there, repaired(shown))]), ['fixed a9']],
    ['until one of several pieces shows the repair', () => one({}, [piece(there), piece(there, repaired(shown))]), ['fixed a9']],
    ['where the repair is only claimed', () => one({}, [piece(there, repaired([]))]), ['open a9', 'f1 proven']],
    ['where the proof of the repair is not there', () => one({}, [piece(there, repaired([{ path: 'src/a.ts', side: 'new', line: 1, quote: 'const third = 3' }]))]), ['open a9', 'f1 proven']],
    ['where it is said to be still open', () => one({}, [piece(there, repaired(shown, 'still_open'))]), ['open a9', 'f1 proven']],
    ['where another one was repaired', () => one({}, [piece(there, repaired(shown, 'fixed', 'f2'))]), ['open a9', 'f1 proven']],
    ['until what is on record refutes it', () => one({ claim: `a ${leftover} was left` }, [piece(there)]), ['withdrawn against_record a9']],
    ['where only one piece refutes it', () => one({ claim: `a ${leftover} was left` }, [piece(there), piece([`+const first = 1 // ${leftover}`])]), ['open a9', 'f1 proven']],
    ['a question, until it is answered with yes', () => one(probe, [piece(there)], { probes: [grade()] }), ['fixed a9']],
    ['a question, while it is answered otherwise', () => one(probe, [piece(there)], { probes: [grade({ answer: 'cannot_tell' })] }), ['open a9']],
    ['a question, until nobody asks it any more', () => one(probe, [piece(there)], { probes: [grade({ text: 'another' })] }), ['withdrawn not_asked a9']],
    ['a question, until another has its place', () => one(probe, [piece(there)], { probes: [grade({ id: 'c2.p1' })] }), ['withdrawn not_asked a9']],
  ])('%s', (_title, found, expected) => expect(found()).toEqual(expected))
})

test('a claim that something was left over is refuted only where nothing was', () => {
  const files = (...lines: string[]) =>
    lines.map((line, index) => presentedFile(aFile(`src/${index}.ts`, [line]), redactor([])))
  const claim = `a ${leftover} was left`
  expect(isContradicted({ claim }, { files: files('+a', '+b'), checks: [] })).toBe(true)
  expect(isContradicted({ claim }, { files: files('+a', `+b // ${leftover}`), checks: [] })).toBe(false)
  expect(isContradicted({ claim }, { files: files('+a', `-b // ${leftover}`), checks: [] })).toBe(true)
  expect(isContradicted({ claim: 'it is wrong' }, { files: files('+a'), checks: [] })).toBe(false)
})

test('a claim that the tests fail is refuted where all of them passed', () => {
  const check = (state: string) => ({ name: state, state, exit_code: 0, text: '' })
  const refuted = (...states: string[]) =>
    isContradicted({ claim: 'the tests fail' }, { files: [], checks: states.map(check) })
  expect([refuted('passed', 'passed'), refuted('passed', 'failed'), refuted()]).toEqual([true, false, false])
})

describe('what a verdict leaves behind', () => {
  const finding = {
    id: 'f1',
    path: 'src/a.ts',
    side: 'new',
    line: 3,
    quote: 'q',
    category: 'other',
    claim: 'c',
    failure_scenario: 's',
    fix: '',
    level: 'blocking',
    proven: true,
  } as const
  const places = new Map([['c1.p1', { path: 'src/a.ts', side: 'old', line: 2, quote: 'p' } as const]])
  const left = (
    ledger: readonly LedgerItem[],
    findings: Parameters<typeof withNew>[1],
    probes: readonly ProbeGrade[],
  ) =>
    withNew(ledger, findings, { probes, places }, 'a9').map(
      ({ id, kind, status, first_sha, last_sha, side, line }) =>
        `${id} ${kind} ${status} ${first_sha} to ${last_sha}, ${side} ${line}`,
    )

  // prettier-ignore
  test.each<[string, () => string[], string[]]>([
    ['a finding that blocks', () => left([], [finding], []), ['f1 finding open a9 to a9, new 3']],
    ['no question of taste', () => left([], [{ ...finding, level: 'question' }], []), []],
    ['a question of the task that is answered with no, where it stands', () => left([], [], [grade({ answer: 'not_met' })]), ['c1.p1 probe open a9 to a9, old 2']],
    ['also where it stands nowhere', () => left([], [], [grade({ id: 'c2.p1', answer: 'not_met' })]), ['c2.p1 probe open a9 to a9, new 0']],
    ['none that is answered otherwise', () => left([], [], [grade({ answer: 'cannot_tell' })]), []],
    ['none of the rubric', () => left([], [], [grade({ id: 'r1.p1', answer: 'not_met' })]), []],
    ['what was known before, as open again', () => left([item({ status: 'fixed' })], [finding], []), ['f1 finding open a1 to a9, new 1']],
    ['and whatever was carried', () => left([item({ id: 'f2', status: 'fixed' })], [finding], []), ['f2 finding fixed a1 to a1, new 1', 'f1 finding open a9 to a9, new 3']],
  ])('%s', (_title, found, expected) => expect(found()).toEqual(expected))
})
