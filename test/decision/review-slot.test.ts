// Which reviews are written of an attempt, given what those of earlier commits left on the pull request.
import { expect, test } from 'vitest'
import type { Examined, Finding, LedgerItem } from '../../src/core/decision/examined.ts'
import type { GateFinding, GateReport } from '../../src/core/decision/gate-report.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import { attackSlot, reviewSlot } from '../../src/core/decision/shown/review-ref.ts'
import { reviewsOf } from '../../src/core/decision/shown/review-slot.ts'
import type { Verdict } from '../../src/core/decision/verdict.ts'
import { anAttempt, answered, aTask } from '../words/attempts.ts'

const evaluator = { login: 'v', agent_id: 'v', session_id: 's', model_id: 'm', model_family: 'f' }
const cost = { usd: 0, price_table: '', calls: [] }
const finding = (id: string): Finding => ({
  id,
  path: 'src/cart.ts',
  side: 'new',
  line: 3,
  quote: 'total',
  category: 'correctness',
  claim: 'ignores the voucher',
  failure_scenario: 'a voucher',
  fix: 'read it',
  level: 'blocking',
  proven: true,
})
const fixed = (id: string): LedgerItem => ({
  id,
  kind: 'finding',
  path: 'src/cart.ts',
  side: 'new',
  line: 3,
  quote: 'total',
  claim: 'ignores the voucher',
  first_sha: 'a',
  last_sha: 'b',
  status: 'fixed',
})
const examined = (findings: readonly Finding[], ledger: readonly LedgerItem[] = []): Examined => ({
  generator_agent_id: 'v',
  findings,
  probes: [],
  criterion_grades: {},
  rubric: null,
  score: null,
  coverage: { shown: 1, changed: 1, ignored: [], unseen: [] },
  evidence: { verified: 0, given: 0 },
  confidence_parts: {},
  ledger,
  remarks: [],
  dropped: {},
  reused: false,
  cost,
})
const judged = (outcome: Verdict['outcome'], found?: Examined): Partial<Attempt> => {
  const verifier = answered({ outcome, evaluator })
  return {
    verifier: verifier.phase === 'answered' && found !== undefined ? { ...verifier, examined: found } : verifier,
  }
}
function attacked(
  verdict: 'BLOCK' | 'PASS',
  found: readonly string[],
  repaired: readonly string[] = [],
): Partial<Attempt> {
  const findings = found.map((id): GateFinding => ({
    ...finding(id),
    surface: 'security',
    severity: 'HIGH',
    confidence: 1,
    first_sha: 'a',
  }))
  const report: GateReport = {
    evaluator,
    generator_agent_id: 'r',
    findings,
    repaired,
    could_not_run: null,
    referred: null,
    dropped: {},
    remarks: [],
    coverage: { shown: 1, changed: 1 },
    reused: false,
    cost,
  }
  return { gates: { red_team: { id: 'g', verdict, summary: 's', report } } }
}

/** What is shown where of the second of three attempts, given what the others' places hold. */
function shown(
  given: Partial<Attempt>,
  refs: { readonly [slot: string]: string } = {},
  earlier: Partial<Attempt> = {},
): string[] {
  const [first, now, later] = [
    anAttempt({ ordinal: 1, ...earlier }),
    anAttempt({ ordinal: 2, ...given }),
    anAttempt({ ordinal: 3 }),
  ]
  const slots = Object.fromEntries(Object.entries(refs).map(([slot, ref]) => [slot, { digest: 'd', ref }]))
  const task: TaskState = { ...aTask(first, now, later), slots }
  return Array.from(reviewsOf(task, now), ([slot, { review, threads, superseded }]) =>
    [
      `${slot}:`,
      review.body === null ? 'silent' : 'said',
      ...review.comments.map(({ fingerprint }) => fingerprint),
      ...review.closings.map(({ fingerprint }) => `closes ${fingerprint}`),
      ...Object.entries(threads).map((one) => `knows ${one.join('=')}`),
      ...(superseded === null ? [] : [`after ${superseded}`]),
    ].join(' '),
  )
}
const [verdict, attack] = [reviewSlot('t#2'), attackSlot('t#2')]
const before = { [reviewSlot('t#1')]: '41 f1=7', [attackSlot('t#1')]: '42 g1=8' }

// prettier-ignore
test.each<[string, Partial<Attempt>, Readonly<Record<string, string>>, string[]]>([
  ['nothing while nobody has answered', {}, before, []],
  ['nothing of a verdict that nothing stands behind', judged('SOFT_FAIL'), before, []],
  ['what the verifier objects to', judged('SOFT_FAIL', examined([finding('f1')])), {}, [`${verdict}: said f1`]],
  ['nothing of what passes', judged('PASS', examined([])), {}, []],
  ['what was said before is not said again', judged('SOFT_FAIL', examined([finding('f1'), finding('f2')])), before, [`${verdict}: said f2 knows f1=7 after 41`]],
  ['a thread is closed once it is fixed', judged('PASS', examined([], [fixed('f1')])), { [reviewSlot('t#1')]: '- f1=7' }, [`${verdict}: silent closes f1 knows f1=7`]],
  ['the review before is superseded though nothing is to be said', judged('PASS', examined([])), { [reviewSlot('t#1')]: '41' }, [`${verdict}: silent after 41`]],
  ['nothing where nothing was written before', judged('PASS', examined([])), { [reviewSlot('t#1')]: '-' }, []],
  ['nothing of what a later commit left', judged('SOFT_FAIL', examined([finding('f1')])), { [reviewSlot('t#3')]: '43 f1=9' }, [`${verdict}: said f1`]],
  ['nothing of what it left itself', judged('SOFT_FAIL', examined([finding('f1')])), { [verdict]: '43 f1=9' }, [`${verdict}: said f1`]],
  ['what blocks', attacked('BLOCK', ['g1', 'g2']), before, [`${attack}: said g2 knows g1=8 after 42`]],
  ['what the attack finds repaired', attacked('PASS', [], ['g1']), { [attackSlot('t#1')]: '- g1=8' }, [`${attack}: silent closes g1 knows g1=8`]],
  ['nothing of an attack that found nothing', attacked('PASS', []), {}, []],
  ['both, each in its own place', { ...judged('SOFT_FAIL', examined([finding('f1')])), ...attacked('BLOCK', ['g1']) }, {}, [`${verdict}: said f1`, `${attack}: said g1`]],
])('it shows %s', (_title, given, refs, expected) => expect(shown(given, refs)).toEqual(expected))

test('what was said at another pull request of the task was said elsewhere', () => {
  const given = judged('SOFT_FAIL', examined([finding('f1')]))
  expect(shown(given, before, { pull: 6 })).toEqual([`${verdict}: said f1`])
})

test('the newest review before is the one that is superseded, and each thread is known where it was opened last', () => {
  const attempts = [1, 2, 3].map((ordinal) => anAttempt({ ordinal }))
  const now = anAttempt({ ordinal: 4, ...judged('PASS', examined([])) })
  const slots = { [reviewSlot('t#1')]: '41 f1=7', [reviewSlot('t#2')]: '43 f1=9', [reviewSlot('t#3')]: '- f2=5' }
  const kept = Object.fromEntries(Object.entries(slots).map(([slot, ref]) => [slot, { digest: 'd', ref }]))
  const found = reviewsOf({ ...aTask(...attempts, now), slots: kept }, now).get(reviewSlot('t#4'))
  expect([found?.superseded, found?.threads]).toEqual([43, { f1: 9, f2: 5 }])
})
