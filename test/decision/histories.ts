// Random histories of one task, biased so that every row of the decision table is reached: a policy, and steps that
// commits, machines and people take. Steps are abstract; `play.ts` makes inputs of them.
import fc from 'fast-check'
import { persons } from './play.ts'
import { policySchema, type Policy, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { GateRecord } from '../../src/core/decision/model.ts'
import type { LabelAct } from '../../src/core/people/act.ts'
import type { VerdictOutcome } from '../../src/core/decision/verdict.ts'

const checkNames = ['test', 'lint'] as const

const checkOutcome = fc.constantFrom('passed', 'passed', 'passed', 'failed', 'timed_out', 'missing')
const outcome = fc.constantFrom<VerdictOutcome>('PASS', 'PASS', 'PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER')
const gateOutcome = fc.constantFrom<GateRecord['verdict']>('PASS', 'PASS_WITH_FINDINGS', 'BLOCK', 'REFER', 'SKIP')
const commandName = fc.constantFrom(
  'override',
  'override',
  'override-test',
  'override-tier1',
  'override-verifier',
  'approve',
  'reject',
  'ack',
  'retry',
  'revoke',
  'verify',
  'confirm',
)
const files = fc.constantFrom('source', 'source', 'source', 'source', 'empty', 'outside', 'protected')

export type Step =
  | { kind: 'push'; commit: number; invalid: boolean; known: boolean }
  | { kind: 'files'; files: string }
  | { kind: 'tier1'; passed: boolean }
  | { kind: 'check'; name: string; state: string; run: number }
  | { kind: 'verdict'; outcome: VerdictOutcome; confidence: number }
  | { kind: 'outage'; again: boolean }
  | { kind: 'gate'; gate: 'red_team' | 'vision'; verdict: GateRecord['verdict'] }
  | { kind: 'say'; who: number; command: string; stale: boolean }
  | { kind: 'label'; who: number; act: LabelAct; added: boolean; stale: boolean }
  | { kind: 'dismiss'; who: number; stale: boolean }
  | { kind: 'review'; who: number; approves: boolean; stale: boolean }
  | { kind: 'wait'; what: 'verification.wait' | 'park_wait' }
  | { kind: 'ahead'; pulls: readonly number[] }
  | { kind: 'close' }
  | { kind: 'show' }

const rarely = fc.integer({ min: 0, max: 11 }).map((n) => n === 0)
const mostly = fc.integer({ min: 0, max: 11 }).map((n) => n !== 0)
const who = fc.integer({ min: 0, max: persons.length - 1 })

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      commit: fc.integer({ min: 0, max: 5 }),
      invalid: rarely,
      known: mostly,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('files' as const), files }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tier1' as const), passed: mostly }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('check' as const),
      name: fc.constantFrom(...checkNames),
      state: checkOutcome,
      run: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('verdict' as const),
      outcome,
      confidence: fc.constantFrom(0.4, 0.7, 0.9, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outage' as const), again: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('gate' as const),
      gate: fc.constantFrom('red_team' as const, 'vision' as const),
      verdict: gateOutcome,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('say' as const), who, command: commandName, stale: rarely }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('review' as const), who, approves: mostly, stale: rarely }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      what: fc.constantFrom('verification.wait' as const, 'park_wait' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('ahead' as const), pulls: fc.constantFrom([], [12], [12, 13]) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'show' as const }) },
)

/** And what people do by labels, and take back. */
const talk: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: step },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('label' as const),
      who,
      act: fc.constantFrom<LabelAct>('override', 'reject'),
      added: fc.boolean(),
      stale: fc.constant(false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dismiss' as const), who, stale: fc.constant(false) }) },
)

const checkSets = [['test'], ['test', { name: 'lint', command: 'lint', required: false }], ['test', 'lint'], []]

export const policies: fc.Arbitrary<Policy> = fc
  .record({
    checks: fc.constantFrom(...checkSets),
    enabled: fc.constantFrom<'auto' | boolean>('auto', 'auto', true, false),
    when: fc.boolean(),
    requires: fc.constantFrom('success' as const, 'success' as const, 'completed' as const, 'verified' as const),
    gates: rarely,
    direct: fc.boolean(),
    everyone: fc.boolean(),
    stages: rarely,
    parallel: fc.constantFrom('off' as const, 'tell' as const, 'hold' as const),
    attempts: fc.constantFrom(1, 2, 3),
  })
  .map(({ checks, enabled, when, requires, gates, direct, everyone, stages, parallel, attempts }) => {
    const input: PolicyInput = {
      merge_requires: requires,
      verification: {
        checks: [...checks],
        verifier: { enabled, run_when_checks_fail: when },
        retry: { max_attempts: attempts, applies_to: everyone ? 'everyone' : 'agents' },
      },
      scope: { deny: ['vendor/**'], parallel },
      override_policy: { direct_approval_allowed: direct, reviews_are_direct_approval: direct },
      review: { stages: stages ? [{ name: 'design', by: ['bob'] }] : [] },
      security: { red_team: { enabled: gates }, vision: { enabled: gates } },
    }
    return policySchema.parse(input)
  })

/** A policy and the steps of a task; the first one opens it, the facts of that commit mostly follow. */
const historiesOf = (steps: fc.Arbitrary<Step>) =>
  fc.record({
    policy: policies,
    steps: fc
      .tuple(fc.array(steps, { maxLength: 6 }), fc.array(steps, { maxLength: 40 }))
      .map(([before, after]): Step[] => [
        { kind: 'push', commit: 0, invalid: false, known: true },
        ...before,
        { kind: 'files', files: 'source' },
        { kind: 'tier1', passed: true },
        ...after,
      ]),
  })
export const histories = historiesOf(step)
export const talkative = historiesOf(talk)
