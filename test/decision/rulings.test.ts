// What the rows of the decision table say, and what they ask, where the table of cases does not reach.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import { actsInForce, changesRequestedBefore, factsOf, policyOver } from '../../src/core/decision/gate/facts.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import type { Act } from '../../src/core/people/act.ts'
import type { Review } from '../../src/core/people/people.ts'
import { ada, aPerson, aScene, type Scene } from '../people/scene.ts'
import { anAttempt, answered, aTask, checks, policyOf, rejection } from '../words/attempts.ts'

const tested: PolicyInput = { verification: { checks: ['test'], verifier: { enabled: false } } }
const reasons = (scene: Scene): string[] =>
  (scene.decision()?.reasons ?? []).map(({ code, subject }) => `${code} ${subject}`)
const passed = {
  checks: checks(['test', 'passed']),
  tier1: { id: 't', passed: true, checks: [], findings: [], feedback: null },
}

function said(given: Partial<Attempt>, policy: PolicyInput = tested, ofTask: Partial<TaskState> = {}): string[] {
  const attempt = anAttempt({ decision: null, ...passed, ...given }, policyOf(policy))
  const { status, row, reasons: why } = conclude({ ...aTask(attempt), ...ofTask }, attempt)
  return [
    `${status} ${row}`,
    ...why.map(({ code, subject, detail }) => [code, subject, detail].filter(Boolean).join(' ')),
  ]
}

describe('a task that waits for another', () => {
  const waits_for = [{ name: 'acme/shop#3', number: 3, title: 'Prices', open: true, status: 'in_progress' }] as const
  const waits = 'awaiting_dependency acme/shop#3 Prices'
  // prettier-ignore
  test.each<[string, Partial<Attempt>, string[]]>([
    ['waits though all is well', {}, ['pending pending', waits]],
    ['says so before what it waits for besides', { checks: {}, obstacle: 'merge_conflict' }, ['pending pending', waits, 'GIT_MERGE_CONFLICT', 'awaiting_check test']],
    ['waits for no check in vain', { checks: {}, waited: true }, ['pending pending', waits, 'awaiting_check test']],
    ['is told what failed in tier 1 first', { tier1: { ...passed.tier1, passed: false } }, ['retry tier1', 'VERIFICATION_TIER1_FAILED']],
  ])('%s', (_title, given, expected) => expect(said(given, tested, { waits_for })).toEqual(expected))
})

test('what only tier 1 sees is named check by check', () => {
  const failing = { ...passed.tier1, passed: false, feedback: 'it is broken' }
  const named = [
    { name: 'syntax', passed: false, detail: 'a.ts' },
    { name: 'size', passed: true, detail: null },
  ]
  expect(said({ tier1: { ...failing, checks: named } })).toEqual([
    'retry tier1',
    'VERIFICATION_TIER1_FAILED syntax a.ts',
  ])
  expect(said({ tier1: failing })).toEqual(['retry tier1', 'VERIFICATION_TIER1_FAILED it is broken'])
})

test('while it is read whom a stage asks, that is waited for, whoever asked for changes before', () => {
  const eve = aPerson('eve')
  const scene = aScene({ ...tested, review: { stages: [{ name: 'owners', by: ['code_owners'] }] } })
  scene.push('a1', { checks: { test: 'passed' } })
  const people = [{ stage: 'owners', groups: [['eve']], trouble: null }]
  scene.tell({ type: 'report_stages', attempt_id: scene.live().id, people })
  scene.reviews(eve, 'changes_requested')
  scene.push('b2', { checks: { test: 'passed' } })
  expect([scene.shown(), ...reasons(scene)]).toEqual([
    'pending review',
    'awaiting_stages owners',
    'changes_requested eve',
  ])
})

test('whoever grants new attempts invites a push where this one was stopped for good', () => {
  const scene = aScene({ verification: { checks: ['test'] } })
  scene.push('a1', { checks: { test: 'passed' } })
  scene.judged('HARD_FAIL')
  expect(scene.shown()).toBe('failed hard')
  scene.says(ada, '/retry it is worth another one')
  expect(scene.shown()).toBe('retry hard')
})

describe('a rejection', () => {
  const act = (reason: string, stage?: string): Act => ({
    ...rejection('bob', reason),
    ...(stage === undefined ? {} : { stage }),
  })
  // prettier-ignore
  test.each<[string, Act, string[]]>([
    ['names who said it', act('it leaks'), ['failed rejected', 'rejected_by bob it leaks']],
    ['names the stage first', act('it leaks', 'security'), ['failed rejected', 'stage_rejected security bob: it leaks', 'rejected_by bob it leaks']],
    ['without a reason names who said it alone', act('', 'security'), ['failed rejected', 'stage_rejected security bob', 'rejected_by bob']],
  ])('%s', (_title, one, expected) => expect(said({ acts: [one] })).toEqual(expected))

  test('that was carried along is of no stage', () => {
    const { head_sha, tree_sha } = anAttempt()
    const carried = [{ ...rejection('bob', 'it leaks'), stream: 'R1#8', head_sha, tree_sha }]
    expect(said({}, tested, { carried })).toEqual(['failed rejected', 'rejected_by bob it leaks'])
  })
})

describe('an objection says', () => {
  const finding = (line: number, level: 'blocking' | 'question' = 'blocking') => ({
    id: `f${line}`, path: 'src/cart.ts', side: 'new', line, quote: 'q', category: 'correctness', claim: 'ignores the voucher',
    failure_scenario: 's', fix: 'f', level, proven: true,
  }) as const // prettier-ignore
  const examined = (...findings: ReturnType<typeof finding>[]) => ({
    generator_agent_id: 'v', findings, probes: [], criterion_grades: {}, rubric: null, score: null,
    coverage: { shown: 1, changed: 1, ignored: [], unseen: [] }, evidence: { verified: 0, given: 0 }, confidence_parts: {},
    ledger: [], remarks: [], dropped: {}, reused: false, cost: { usd: 0, price_table: '', calls: [] },
  }) // prettier-ignore
  const judging = (include_verifier_feedback = true): PolicyInput => ({
    verification: { checks: ['test'], retry: { include_verifier_feedback } },
  })
  const one = 'src/cart.ts:3 ignores the voucher'
  const code = 'VERIFICATION_AGENT_REJECTED SOFT_FAIL'
  // prettier-ignore
  test.each<[string, ReturnType<typeof finding>[], PolicyInput, string]>([
    ['what and where', [finding(3)], judging(), `${code} ${one}`],
    ['the first of several, and how many more', [finding(3), finding(5), finding(6)], judging(), `${code} ${one} and 2 more`],
    ['nothing of what is only asked', [finding(1, 'question'), finding(3), finding(4, 'question')], judging(), `${code} ${one}`],
    ['what the verifier has to say, where nothing is found', [finding(1, 'question')], judging(), `${code} The total ignores the voucher.`],
    ['nothing where policy keeps it from whoever tries again', [finding(3)], judging(false), code],
  ])('%s', (_title, findings, policy, expected) => {
    const verifier = answered()
    if (verifier.phase !== 'answered') throw new Error('nobody answered')
    expect(said({ verifier: { ...verifier, examined: examined(...findings) } }, policy)).toEqual(['retry soft', expected])
  })
})

describe('screenshots', () => {
  const looking: PolicyInput = { ...tested, security: { vision: { enabled: true, kind: 'heuristic' } } }
  const screenshots: Attempt['screenshots'] = { run: '5.1', shots: [] }
  const lifted: Act = {
    ...rejection('ada', 'seen'),
    type: 'CHECK_OVERRIDE',
    covers: [{ subject: 'vision', result: 'unreported' }],
  }
  const gates: Attempt['gates'] = { vision: { id: 'g', verdict: 'PASS', summary: 's' } }
  // prettier-ignore
  test.each<[string, Partial<Attempt>, string[]]>([
    ['are awaited', {}, ['pending pending', 'awaiting_screenshots screenshots']],
    ['are missed in the end', { waited: true }, ['refer pending', 'VERIFICATION_CHECK_MISSING screenshots']],
    ['are looked at once they are there', { screenshots }, ['pending block', 'awaiting_gate vision']],
    ['are not awaited where somebody has looked', { gates }, ['success success']],
    ['are not awaited where somebody does without', { waited: true, acts: [lifted] }, ['success success', 'overridden_by ada seen']],
    ['are awaited again though somebody did without those before', { acts: [lifted] }, ['pending pending', 'awaiting_screenshots screenshots']],
    ['are looked at though somebody did without those before', { screenshots, acts: [lifted] }, ['pending block', 'awaiting_gate vision']],
  ])('%s', (_title, given, expected) => expect(said(given, looking)).toEqual(expected))
})

test("a guest's that was taken up waits until it is read what for, and then no more", () => {
  const ack: Act = { ...rejection('ada', 'welcome'), type: 'ACKNOWLEDGMENT' }
  expect(said({ guest: true, acts: [ack] })).toEqual(['pending pending', 'awaiting_task'])
  expect(said({ guest: true, acts: [ack] }, tested, { taken_up: { to: null } })).toEqual(['success success'])
})

test.each<[PolicyInput['merge_requires'], readonly ('success' | 'completed' | 'verified')[], string]>([
  ['success', [], 'success'],
  ['success', ['completed'], 'completed'],
  ['completed', ['verified', 'success'], 'verified'],
  ['verified', ['success'], 'verified'],
])('a policy that asks for %s, of a task of goals that ask for %j, asks for %s', (merge_requires, asked, expected) => {
  const attempt = anAttempt({}, policyOf({ merge_requires }))
  const goals = asked.map((one, index) => ({ number: index, merge_requires: one }))
  expect(policyOver({ ...aTask(attempt), goals }, attempt).merge_requires).toBe(expected)
})

test.each<[Act['standing'], boolean, boolean]>([
  ['stands', true, true],
  ['stands', false, true],
  ['voided', true, false],
  ['voided', false, true],
  ['revoked', true, false],
  ['revoked', false, false],
])('an act that is %s, of an attempt that is live: %s', (standing, live, isInForce) => {
  const act: Act = { ...rejection('ada', 'why'), type: 'CHECK_OVERRIDE', standing }
  expect(actsInForce(anAttempt({ live, acts: [act] }))).toEqual(isInForce ? [act] : [])
})

test('what it proposes stands among the reasons once, beside what cannot be read', () => {
  const invalid = (['policy_proposed', 'policy_invalid'] as const).map((code) => ({
    code,
    subject: null,
    detail: null,
  }))
  expect(said({ invalid })).toEqual(['refer invalid', 'policy_invalid', 'policy_proposed'])
  const attempt = anAttempt({ invalid })
  expect(factsOf(aTask(attempt), attempt)).toMatchObject({ invalid: [invalid[1]], proposed: [invalid[0]] })
})

describe('changes that were requested before', () => {
  const attempt = anAttempt({ ordinal: 2 })
  const before: Review = {
    id: 'r1', by: 'bob', user_id: 2, teams: [], permission: 'write', state: 'changes_requested', pull: 7, base_ref: 'main', merges_into: 'main',
    head_sha: '1'.repeat(40), tree_sha: '1'.repeat(40), body: '', counts: true, why_not: null, resolves_refer: false,
    solo: false, seq: 1, standing: 'stands',
  } // prettier-ignore
  test.each<[string, Partial<Review>, number]>([
    ['of another commit', {}, 1],
    ['of this commit, which nobody knew of then', { head_sha: attempt.head_sha }, 1],
    ['of another pull request', { pull: 8 }, 0],
    ['of somebody whose word does not count', { counts: false }, 0],
    ['that were none, but an approval', { state: 'approved' }, 0],
    ['that were taken back', { standing: 'dismissed' }, 0],
  ])('%s', (_title, given, count) => {
    expect(changesRequestedBefore({ ...aTask(attempt), reviews: [{ ...before, ...given }] }, attempt)).toHaveLength(
      count,
    )
  })
  test('of this commit are a rejection where it was known', () => {
    const rejected = { ...attempt, acts: [{ ...rejection('bob', 'no'), id: 'r1#REJECTION' }] }
    const reviews = [{ ...before, head_sha: attempt.head_sha }]
    expect(changesRequestedBefore({ ...aTask(rejected), reviews }, rejected)).toEqual([])
  })
})

describe('whoever may fill a stage', () => {
  function who(by: string[]): string[] {
    const scene = aScene({ ...tested, review: { stages: [{ name: 's', by }] } })
    scene.push('a1', { checks: { test: 'passed' } })
    return (scene.decision()?.who_can_unblock ?? []).map((one) => `${one.who}: ${one.words}`)
  }
  const review = 'an approving review of this commit'

  test('is named, but for whoever made it, and administrators only where leads are asked', () => {
    expect(who(['ada', 'agent[bot]', 'bob'])).toEqual([`ada, bob: ${review}`])
    const [admins, ...more] = who(['lead'])
    expect([admins, more]).toEqual([expect.stringMatching(/admin.*: an approving review of this commit$/), []])
    expect(who(['bob', 'lead'])).toEqual([`bob: ${review}`, admins])
  })

  test('is named by an administrator where only those who made it are asked', () => {
    const words = 'name somebody under `review.stages` who made no part of it, as agent[bot] did'
    expect(who(['agent[bot]'])).toEqual([expect.stringMatching(/admin/)])
    expect(who(['agent[bot]'])[0]).toContain(words)
  })
})

test.each([
  ['red_team', 'the gate is at work'],
  ['vision', 'the screenshots are being looked at'],
] as const)('while %s is asked, nobody has to do anything: %s', (gate, words) => {
  const scene = aScene({ ...tested, security: { [gate]: { enabled: true } } })
  scene.push('a1', { checks: { test: 'passed' } })
  expect(scene.shown()).toBe('pending block')
  expect(scene.decision()?.who_can_unblock[0]?.words).toBe(words)
})
