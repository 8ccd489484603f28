// What an attack leaves behind for the next one, and how an attacker's answer is read again from the record.
import { describe, expect, test } from 'vitest'
import type { GateFinding, GateReport } from '../../src/core/decision/gate-report.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import { readAttack } from '../../src/verifier/attack/answer.ts'
import { followed, leftByAttacks } from '../../src/verifier/attack/earlier.ts'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { aTask, anAttempt, rejection } from '../words/attempts.ts'
import { aFile } from './lab.ts'

const finding = (id: string, more: Partial<GateFinding> = {}): GateFinding => ({
  id,
  path: 'src/a.ts',
  side: 'new',
  line: 3,
  quote: 'open()',
  category: 'security',
  claim: 'It stays open.',
  failure_scenario: 'Somebody comes.',
  fix: '',
  level: 'blocking',
  proven: true,
  surface: 'security',
  severity: 'HIGH',
  confidence: 1,
  first_sha: 'a1',
  ...more,
})
const report = (findings: readonly GateFinding[], could_not_run: string | null = null): GateReport => ({
  evaluator: { login: '', agent_id: '', session_id: '', model_id: '', model_family: '' },
  generator_agent_id: '',
  findings,
  repaired: [],
  could_not_run,
  referred: null,
  dropped: {},
  remarks: [],
  coverage: { shown: 0, changed: 0 },
  reused: false,
  cost: { usd: 0, price_table: '', calls: [] },
})
const attacked = (ordinal: number, of: GateReport, more: Partial<Attempt> = {}): Attempt =>
  anAttempt({ ordinal, gates: { red_team: { id: `g${ordinal}`, verdict: 'BLOCK', summary: '', report: of } }, ...more })
const left = (...attempts: Attempt[]) => {
  const { standing, declined } = leftByAttacks(aTask(...attempts), anAttempt({ ordinal: 9 }))
  return [standing.map(({ id }) => id), [...declined]]
}
const overridden = (standing: 'stands' | 'revoked' | 'voided'): Pick<Attempt, 'acts'> => ({
  acts: [{ ...rejection('ada', 'fine'), type: 'VERIFIER_OVERRIDE', standing }],
})

describe('what earlier attacks left', () => {
  test.each<[string, Attempt[], [string[], string[]]]>([
    ['nothing', [], [[], []]],
    [
      'what the last one found',
      [attacked(1, report([finding('x')])), attacked(2, report([finding('y')]))],
      [['y'], []],
    ],
    [
      'nothing more where the last one found nothing',
      [attacked(1, report([finding('x')])), attacked(2, report([]))],
      [[], []],
    ],
    [
      'what stood before one that could not run',
      [attacked(1, report([finding('x')])), attacked(2, report([], 'away'))],
      [['x'], []],
    ],
    [
      'what stands in one that could not run',
      [attacked(1, report([finding('x'), finding('y')])), attacked(2, report([finding('y')], 'away'))],
      [['y'], []],
    ],
    [
      'what stood before one that gave no opinion',
      [attacked(1, report([finding('x')])), attacked(2, { ...report([]), referred: 'refused' })],
      [['x'], []],
    ],
    [
      'what somebody answered for while nobody could be asked',
      [attacked(1, report([finding('x')])), attacked(2, report([finding('x')], 'away'), overridden('stands'))],
      [[], ['x']],
    ],
    ['nothing of a later one', [attacked(10, report([finding('x')]))], [[], []]],
    ['nothing of another pull request', [attacked(1, report([finding('x')]), { pull: 77 })], [[], []]],
    [
      'what somebody answered for, and not again',
      [attacked(1, report([finding('x')]), overridden('stands'))],
      [[], ['x']],
    ],
    [
      'what somebody answered for on a commit that is gone',
      [attacked(1, report([finding('x')]), overridden('voided'))],
      [[], ['x']],
    ],
    [
      'what somebody took back their word on',
      [attacked(1, report([finding('x')]), overridden('revoked'))],
      [['x'], []],
    ],
  ])('%s', (_, attempts, expected) => {
    expect(left(...attempts)).toEqual(expected)
  })
})

test('a finding in a file that the change has no more is over, and one in a file that nobody shows is not', () => {
  const standing = [finding('x'), finding('y', { path: 'src/b.ts' })]
  const seen = followed(standing, [], ['src/b.ts'])
  expect([seen.claims.map(({ id }) => id), seen.repaired]).toEqual([['y'], ['x']])
})

test('a finding stands where its line stands now', () => {
  const shown = presentedFile(aFile('src/a.ts', ['+// new', '+', '+', '+', '+open()']), redactor([]))
  const seen = followed([finding('x')], [shown], [])
  expect(seen.claims.map(({ id, path, line }) => [id, path, line])).toEqual([['x', 'src/a.ts', 5]])
})

describe('an answer', () => {
  const long = 'x'.repeat(50_000)
  const one = {
    path: 'src/a.ts', side: 'new', line: 3.4, quote: long, category: 'security', claim: long, failure_scenario: long, fix: long,
    surface: 'security', severity: 'LOW', confidence: 7,
  } // prettier-ignore
  const text = (findings: object[], summary = long) =>
    JSON.stringify({ schema: 'v1', nonce: 'n1', suspicious_text: [], copied: [], findings, probes: [], summary })
  const read = (findings: object[]) => {
    const answer = readAttack(text(findings), 'n1', null)
    if (!answer.ok) throw new Error(answer.errors.join())
    return answer.value
  }

  test('of any length takes a page and no more', () => {
    const { findings, summary } = read([one])
    const [finding] = findings
    expect(finding).toMatchObject({ line: 3, confidence: 1, severity: 'LOW' })
    for (const part of [finding?.quote, finding?.claim, finding?.failure_scenario, finding?.fix, summary])
      expect(part?.length).toBeLessThanOrEqual(4_000)
    expect(read([{ ...one, confidence: -1 }]).findings[0]?.confidence).toBe(0)
  })

  test('of many findings keeps the gravest', () => {
    const short = { quote: 'open()', failure_scenario: 'x', fix: '' }
    const many = Array.from({ length: 40 }, (_, at) => ({
      ...one,
      ...short,
      claim: `${at}`,
      severity: at === 39 ? 'CRITICAL' : 'LOW',
    }))
    const { findings } = read(many)
    expect([findings.length, findings[0]?.claim, findings[1]?.claim]).toEqual([25, '39', '0'])
  })
})

describe('an answer that is on record', () => {
  const text = JSON.stringify({
    schema: 'v1',
    nonce: 'n1',
    suspicious_text: [],
    copied: [],
    findings: [],
    probes: [],
    summary: 'Nothing.',
  })
  test('has shown that it was read, and counts for the nonce that it was given', () => {
    expect(readAttack(text, 'n1', null)).toMatchObject({ ok: true, value: { summary: 'Nothing.' } })
    expect(readAttack(text, 'n2', null)).toEqual({ ok: false, errors: ['The nonce is another.'] })
  })
})
