// Objections from head to head as data: which are left open, which a human closed, and by what one is closed.
import { describe, expect, test } from 'vitest'
import type { Examined, LedgerItem, ProbeGrade } from '../../src/core/decision/examined.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import { silence, type Answer } from '../../src/verifier/weighing/answer.ts'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { raisedOn, repairs, whereabouts } from '../../src/verifier/weighing/repair.ts'
import { carried, leftBy, raisedBy, withNew } from '../../src/verifier/weighing/ledger.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { recordOn, type Weighed } from '../../src/verifier/weighing/weigh.ts'
import { anAttempt, answered, aTask, rejection } from '../words/attempts.ts'
import { aFile, guardLines } from './lab.ts'

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

  test('all of them, however many', () => {
    const many = Array.from({ length: 60 }, (_, index) => item({ id: `f${index}` }))
    expect(left(judged(1, many)).map(({ length }) => length)).toEqual([60, 0, 0])
    expect(left(judged(1, many, { acts: override('stands') })).map(({ length }) => length)).toEqual([0, 60, 60])
  })

  test('under the present head, as somebody closed it', () => {
    const { overruled } = leftBy(aTask(judged(1, [item()], { acts: override('stands') }), now), now)
    expect(overruled).toMatchObject([{ first_sha: 'a1', last_sha: 'a9', status: 'overridden' }])
  })
})

const weighed = (given: Partial<Weighed> = {}): Weighed => ({
  probes: [],
  places: new Map(),
  findings: [],
  unfound: [],
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
  answer: { ...silence, ...answer },
  presented: { files: [presentedFile(aFile(path, lines), redactor([]))], checks: [] },
})

const raisedOf = (lines: readonly string[], quote: string) =>
  raisedOn({ path: 'src/a.ts', side: 'new', line: 1, quote }, piece(lines).presented, 'c')

describe('an objection is carried', () => {
  const one = (
    given: Partial<LedgerItem>,
    readings: ReturnType<typeof piece>[],
    result: Partial<Weighed> = {},
    unseen: string[] = [],
  ) => {
    const { ledger, standing } = carried(
      { items: [item(given)], readings, reach: 'near', unseen, sha: 'a9', contract: 'c' },
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
  const many = (count: number) => Array.from({ length: count }, (_, at) => `+const value${at} = ${at}`)
  const nowhere = { path: '', quote: '' }
  const around = (...lines: string[]) => raisedOf(['+const zeroth = 0', ...lines], lines[0]?.slice(1) ?? '')
  const raised = around(...there)
  const long = around('+if (first > 1) throw new Error(text)')
  const mended = ['+const first = 1', '+if (first > 1) fail()']
  const mendAt = { path: 'src/a.ts', side: 'new', line: 2, quote: 'if (first > 1) fail()' } as const
  const mend = [mendAt]
  const shown = [{ path: 'src/a.ts', side: 'new', line: 1, quote: 'const first = 1' } as const]

  // prettier-ignore
  test.each<[string, () => string[], string[]]>([
    ['as long as its quote stands', () => one({}, [piece(there)]), ['open a9', 'f1 proven']],
    ['also where it stands in one of several pieces', () => one({}, [piece(gone), piece(there)]), ['open a9', 'f1 proven']],
    ['until its quote is gone', () => one({}, [piece(gone)]), ['fixed a9']],
    ['where nobody could look whether it is gone', () => one({}, [piece(gone)], {}, ['src/a.ts']), ['open a9', 'f1 unproven']],
    ['until the repair is shown', () => one({}, [piece(mended, repaired(mend))]), ['fixed a9']],
    ['until one of several pieces shows the repair', () => one({}, [piece(there), piece(mended, repaired(mend))]), ['fixed a9']],
    ['where the proof of the repair is what it quotes itself', () => one({}, [piece(there, repaired(shown))]), ['open a9', 'f1 proven']],
    ['where the proof of the repair stood there before', () => one({ raised }, [piece(['+const zeroth = 0', ...there], repaired([{ path: 'src/a.ts', side: 'new', line: 1, quote: 'const zeroth = 0' }]))]), ['open a9', 'f1 proven']],
    ['where the proof of the repair is far from it', () => one({ raised }, [piece([...there, ...many(30), '+const mended = true'], repaired([{ path: 'src/a.ts', side: 'new', line: 32, quote: 'const mended = true' }]))]), ['open a9', 'f1 proven']],
    ['where the proof of the repair is in another file', () => one({ raised }, [piece(there, repaired([{ path: 'src/b.ts', side: 'new', line: 1, quote: 'const mended = true' }])), piece(['+const mended = true'], {}, 'src/b.ts')]), ['open a9', 'f1 proven']],
    ['where the proof of the repair is a comment', () => one({ raised }, [piece([...there, '+// this is now mended'], repaired([{ path: 'src/a.ts', side: 'new', line: 2, quote: '// this is now mended' }]))]), ['open a9', 'f1 proven']],
    ['where its line only got parentheses', () => one({ raised }, [piece(['+const first = (1)'])]), ['open a9', 'f1 proven']],
    ['where its line was broken in two', () => one({ raised }, [piece(['+const first =', '+  1;'])]), ['open a9', 'f1 proven']],
    ['where its line only got another name', () => one({ raised }, [piece(['+const second = 1', '+const other = 2'])]), ['open a9', 'f1 unproven']],
    ['where its line moved to another file', () => one({ raised: long, quote: long.lines[0] ?? '' }, [piece(['+if (first > 1) throw new Error(text)'], {}, 'src/moved.ts')]), ['open a9', 'f1 proven']],
    ['where its file is only named otherwise', () => one({ raised }, [piece(there, {}, 'lib/a.ts')]), ['open a9', 'f1 proven']],
    ['where its line was only shown, and is no more', () => one({ raised: { ...raised, changed: false } }, [piece(gone)]), ['open a9', 'f1 unproven']],
    ['where the repair is only claimed', () => one({}, [piece(there, repaired([]))]), ['open a9', 'f1 proven']],
    ['where the proof of the repair is not there', () => one({}, [piece(there, repaired([{ path: 'src/a.ts', side: 'new', line: 1, quote: 'const third = 3' }]))]), ['open a9', 'f1 proven']],
    ['where it is said to be still open', () => one({}, [piece(there, repaired(shown, 'still_open'))]), ['open a9', 'f1 proven']],
    ['where another one was repaired', () => one({}, [piece(there, repaired(shown, 'fixed', 'f2'))]), ['open a9', 'f1 proven']],
    ['whatever is on record', () => one({ claim: 'the tests fail' }, [piece(there)]), ['open a9', 'f1 proven']],
    ['where its lines are gone and it is said to be open', () => one({}, [piece(gone, repaired([], 'still_open'))]), ['open a9', 'f1 unproven']],
    ['a question, until it is answered with yes', () => one({ ...probe, ...nowhere }, [piece(there)], { probes: [grade()] }), ['fixed a9']],
    ['a question, while what it quotes stands, though it is answered with yes', () => one(probe, [piece(there)], { probes: [grade()] }), ['open a9', 'c1.p1 proven']],
    ['a question, until its yes shows other code in the place', () => one(probe, [piece(mended)], { probes: [grade()], places: new Map([['c1.p1', mendAt]]) }), ['fixed a9']],
    ['a question, until its yes shows that in one of several pieces', () => one(probe, [piece(there), piece(mended)], { probes: [grade()], places: new Map([['c1.p1', mendAt]]) }), ['fixed a9']],
    ['a question, while it is answered otherwise', () => one(probe, [piece(there)], { probes: [grade({ answer: 'cannot_tell' })] }), ['open a9', 'c1.p1 proven']],
    ['a question, also where it is worded otherwise under the same contract', () => one({ ...probe, raised }, [piece(there)], { probes: [grade({ text: 'another' })] }), ['open a9', 'c1.p1 proven']],
    ['a question, until nobody asks it any more', () => one(probe, [piece(there)], { probes: [grade({ text: 'another' })] }), ['withdrawn not_asked a9']],
    ['a question, until another has its place', () => one(probe, [piece(there)], { probes: [grade({ id: 'c2.p1' })] }), ['withdrawn not_asked a9']],
  ])('%s', (_title, found, expected) => expect(found()).toEqual(expected))
})

test('the record is told where a claim says that the tests fail and all of them passed', () => {
  const check = (state: string) => ({ name: state, state, exit_code: 0, text: '' })
  const told = (...states: string[]) => recordOn('the tests fail', { files: [], checks: states.map(check) })
  expect([told('passed', 'passed'), told('passed', 'failed'), told()]).toEqual([
    'every check on record passed',
    null,
    null,
  ])
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
    findings: Parameters<typeof raisedBy>[0]['findings'],
    probes: readonly ProbeGrade[],
    objected: readonly string[] = probes.map(({ id }) => id),
  ) => {
    const objections = objected.map((id) => {
      const category = id === 'advice' ? ('advice' as const) : ('probe' as const)
      return { id, proven: false, text: 'x', category, path: null, line: null }
    })
    const raised = raisedBy({
      findings,
      weighed: { probes, places },
      objections,
      readings: [],
      sha: 'a9',
      contract: 'c',
    })
    return withNew(ledger, raised, 'a9').map(
      ({ id, kind, status, first_sha, last_sha, side, line }) =>
        `${id} ${kind} ${status} ${first_sha} to ${last_sha}, ${side} ${line}`,
    )
  }

  // prettier-ignore
  test.each<[string, () => string[], string[]]>([
    ['a finding that blocks', () => left([], [finding], []), ['f1 finding open a9 to a9, new 3']],
    ['no question of taste', () => left([], [{ ...finding, level: 'question' }], []), []],
    ['a question of the task that is answered with no, where it stands', () => left([], [], [grade({ answer: 'not_met' })]), ['c1.p1 probe open a9 to a9, old 2']],
    ['also where it stands nowhere', () => left([], [], [grade({ id: 'c2.p1', answer: 'not_met' })]), ['c2.p1 probe open a9 to a9, new 0']],
    ['none that is answered otherwise', () => left([], [], [grade({ answer: 'cannot_tell' })]), []],
    ['none of the rubric that nobody objects to', () => left([], [], [grade({ id: 'r1.p1', answer: 'not_met' })], []), []],
    ['those of the rubric where their score is too low', () => left([], [], [grade({ id: 'r1.p1', answer: 'not_met' })], ['score']), ['r1.p1 probe open a9 to a9, new 0']],
    ['advice that names no line', () => left([], [], [], ['advice']), ['advice finding open a9 to a9, new 0']],
    ['what was known before, as open again', () => left([item({ status: 'fixed' })], [finding], []), ['f1 finding open a1 to a9, new 1']],
    ['and whatever was carried', () => left([item({ id: 'f2', status: 'fixed' })], [finding], []), ['f2 finding fixed a1 to a1, new 1', 'f1 finding open a9 to a9, new 3']],
  ])('%s', (_title, found, expected) => expect(found()).toEqual(expected))
})

describe('an objection to lines that the change leaves alone, and breaks', () => {
  const presentedOf = (lines: readonly string[]) => presentedFile(aFile('src/users.ts', lines), redactor([]))
  const callers = presentedFile(aFile('src/purge.ts', [' for (const one of all) remove(one)']), redactor([]))
  const before = { files: [presentedOf(guardLines)], around: [callers], checks: [] }
  const evidence = { path: 'src/purge.ts', side: 'new', line: 1, quote: 'for (const one of all) remove(one)' } as const
  const item = { ...evidence, raised: raisedOn(evidence, before, 'contract') }
  const better = [...guardLines.slice(0, 3), '+  if (user === null) return nothing', ...guardLines.slice(3)]
  const after = { files: [presentedOf(better)], around: [callers], checks: [] }
  const repairsBy = (line: number, quote: string, presented = after): boolean => {
    const where = whereabouts(item, presented.files, [])
    return repairs(item, { path: 'src/users.ts', side: 'new', line, quote }, presented, where, 'near')
  }

  test('is not gone because these lines are out of sight', () => {
    expect(item.raised).toMatchObject({ beside: true, changed: false })
    expect(whereabouts(item, after.files, [])).toEqual({ state: 'unsure' })
  })

  test('is repaired by code that was not there, and by nothing that was', () => {
    expect(repairsBy(3, 'if (user === null) return nothing')).toBe(true)
    expect(repairsBy(2, 'if (!me.isAdmin) throw new Forbidden()')).toBe(false)
    expect(repairsBy(2, 'if (!me.isAdmin) throw new Forbidden()', before)).toBe(false)
    const quoted = { ...evidence }
    expect(repairs(item, quoted, after, whereabouts(item, after.files, []), 'near')).toBe(false)
  })
})
