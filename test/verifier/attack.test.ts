// What an attack leaves behind for the next one, and how an attacker's answer is read again from the record.
import { describe, expect, test } from 'vitest'
import type { GateFinding, GateReport } from '../../src/core/decision/gate-report.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import { readAttack } from '../../src/verifier/attack/answer.ts'
import { followed, leftByAttacks } from '../../src/verifier/attack/earlier.ts'
import { aTask, anAttempt, rejection } from '../words/attempts.ts'

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
