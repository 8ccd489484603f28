// What holds for every history, whatever order things happen in.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from '../../src/core/canonical.ts'
import { emptyTail, seal, verifyChain } from '../../src/core/decision/record/chain.ts'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import { emptyTask, evolve, replay } from '../../src/core/decision/record/evolve.ts'
import { type Attempt, type TaskState } from '../../src/core/decision/model.ts'
import { rowNames, type RowName } from '../../src/core/decision/decision.ts'
import { touchedPaths } from '../../src/core/contract/scope.ts'
import { explain } from '../../src/core/words/timeline/explain.ts'
import { tries } from '../depth.ts'
import { histories, type Step } from './histories.ts'
import { at, play, verdict } from './play.ts'

const runs = { numRuns: tries(60) }
const judged = (task: TaskState): Attempt[] => task.attempts.filter(({ live, state }) => live && state !== 'SUPERSEDED')
const without = (attempt: Attempt): Attempt => ({ ...attempt, acts: [] })
const greenRow = (attempt: Attempt): boolean => attempt.decision?.status === 'success'

test('the generators reach every row of the table', () => {
  const seen = new Set<RowName>()
  const unseen = (): readonly RowName[] => rowNames.filter((row) => !seen.has(row))
  // From a seed on that reaches them soon.
  for (let seed = 233; seed < 263 && unseen().length > 0; seed += 1) {
    for (const { policy, steps } of fc.sample(histories, { numRuns: 100, seed })) {
      play(policy, steps, ({ events }) => {
        for (const event of events) if (event.type === 'DecisionConcluded') seen.add(event.data.row)
      })
    }
  }
  expect(unseen()).toEqual([])
})

test('replaying the record gives the live state, and its chain holds', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      const all: NewEvent[] = []
      const live = play(policy, steps, ({ events }) => void all.push(...events))
      const sealing = {
        stream: 's',
        task_id: live.task_id,
        at,
        actor: { kind: 'app', login: 'x', id: null },
        correlation_id: 'c',
      } as const
      const stored = seal(all, emptyTail, sealing)
      expect(replay(emptyTask(live.task_id), stored)).toEqual(live)
      expect(verifyChain(stored)).toBeNull()
      expect(explain(stored).every(({ text }) => text.length > 0)).toBe(true)
    }),
    runs,
  )
})

test('the same input a second time changes nothing', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      play(policy, steps, ({ task, input }) => {
        expect(decide(task, input, at)).toEqual([])
      })
    }),
    runs,
  )
})

test('the decision on record is the one that the table gives now', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      play(policy, steps, ({ task }) => {
        for (const attempt of judged(task)) expect(canonical(attempt.decision)).toBe(canonical(conclude(task, attempt)))
      })
    }),
    runs,
  )
})

test('without a human, success means that every required check passed on this very commit', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      play(policy, steps, ({ task }) => {
        for (const attempt of judged(task).filter((one) => greenRow(one) && one.acts.length === 0)) {
          const required = attempt.contract.policy.verification.checks.filter((check) => check.required)
          expect(required.map(({ name }) => attempt.checks[name]?.state)).toEqual(required.map(() => 'passed'))
          expect(attempt.tier1?.passed).toBe(true)
          expect(touchedPaths(attempt.files ?? []).length).toBeGreaterThan(0)
          expect(attempt.scope_violations).toEqual([])
        }
      })
    }),
    runs,
  )
})

test('a verdict never rescues what the checks, the scope or a human decided', () => {
  const above: readonly RowName[] = ['invalid', 'rejected', 'spent', 'scope', 'protected', 'tier1', 'checks']
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      const task = play(policy, steps)
      for (const attempt of judged(task)) {
        const { decision } = attempt
        if (decision === null || !above.includes(decision.row)) continue
        const verifier = { phase: 'answered', id: 'v', verdict: verdict('PASS', 1), shown: true } as const
        expect(conclude(task, { ...attempt, verifier }).status).not.toBe('success')
      }
    }),
    runs,
  )
})

test('adding a failure never turns what is not a success into one', () => {
  const failures: readonly ((attempt: Attempt) => Attempt)[] = [
    (one) => ({ ...one, checks: { ...one.checks, test: { id: 'f', name: 'test', state: 'failed', result: null } } }),
    (one) => ({ ...one, tier1: { id: 'f', passed: false, checks: [], findings: [], feedback: 'no' } }),
    (one) => ({ ...one, verifier: { phase: 'answered', id: 'f', verdict: verdict('SOFT_FAIL', 1), shown: true } }),
    (one) => ({ ...one, verifier: { phase: 'answered', id: 'f', verdict: verdict('HARD_FAIL', 1), shown: true } }),
    (one) => ({ ...one, gates: { ...one.gates, red_team: { id: 'f', verdict: 'BLOCK', summary: 'no' } } }),
    (one) => ({ ...one, scope_violations: [{ violation_type: 'denied', path: 'x', allowed: [], denied: ['x'] }] }),
    // Where the files are not known yet, that is what is waited for.
    (one) => (one.files === null ? one : { ...one, files: [] }),
    (one) => ({ ...one, builder_known: false }),
    (one) => ({ ...one, invalid: [{ code: 'policy_invalid', subject: null, detail: null }] }),
  ]
  fc.assert(
    fc.property(histories, fc.nat({ max: failures.length - 1 }), ({ policy, steps }, index) => {
      const task = play(policy, steps)
      for (const attempt of judged(task)) {
        const worse = failures[index]?.(attempt) ?? attempt
        expect(!greenRow(attempt) && conclude(task, worse).status === 'success').toBe(false)
      }
    }),
    runs,
  )
})

test('the verifier alone passes nothing: without tier 1 there is no success', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      const task = play(policy, steps)
      for (const attempt of judged(task)) {
        const verifier = { phase: 'answered', id: 'v', verdict: verdict('PASS', 1), shown: true } as const
        const alone: Attempt = { ...without(attempt), tier1: null, checks: {}, verifier }
        expect(conclude({ ...task, reviews: [] }, alone).status).not.toBe('success')
      }
    }),
    runs,
  )
})

test('what humans allowed for a commit dies with a push, which leaves the old conclusion as it was', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      const before = play(policy, steps)
      const push: Step = { kind: 'push', commit: 8, invalid: false, known: true }
      const after = play(policy, [...steps, push])
      for (const attempt of judged(before)) {
        const then = after.attempts.find(({ id }) => id === attempt.id)
        const allowing = then?.acts.filter(({ type }) => type !== 'REJECTION' && type !== 'RETRY_RESET') ?? []
        expect(allowing.filter(({ standing }) => standing === 'stands')).toEqual([])
        expect(then?.decision).toEqual(attempt.decision)
      }
      expect(after.attempts.at(-1)).toMatchObject({ live: true, acts: [] })
    }),
    runs,
  )
})

test('a commit that comes back is the same attempt: its rejection stands, its overrides stay void', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      const before = play(policy, steps)
      for (const attempt of judged(before)) {
        const away: Step = { kind: 'push', commit: 8, invalid: false, known: true }
        const commit = Number(attempt.head_sha[0])
        const back: Step = { kind: 'push', commit, invalid: false, known: true }
        const again = play(policy, [...steps, away, back])
        const same = again.attempts.filter(({ id }) => id === attempt.id)
        expect(same).toHaveLength(1)
        expect(same[0]?.live).toBe(true)
        const standing = (acts: typeof attempt.acts) =>
          acts.filter(({ standing }) => standing === 'stands').map(({ type }) => type)
        const kept = standing(attempt.acts).filter((type) => type === 'REJECTION' || type === 'RETRY_RESET')
        expect(standing(same[0]?.acts ?? [])).toEqual(kept)
      }
    }),
    runs,
  )
})

test('the order in which machines report does not matter', () => {
  const reports: readonly Step[] = [
    { kind: 'files', files: 'source' },
    { kind: 'tier1', passed: true },
    { kind: 'check', name: 'test', state: 'passed', run: 1 },
    { kind: 'check', name: 'lint', state: 'failed', run: 1 },
    { kind: 'verdict', outcome: 'SOFT_FAIL', confidence: 0.9 },
    { kind: 'gate', gate: 'red_team', verdict: 'PASS' },
  ]
  fc.assert(
    fc.property(histories, fc.shuffledSubarray([...reports], { minLength: reports.length }), ({ policy }, order) => {
      const open: Step = { kind: 'push', commit: 0, invalid: false, known: true }
      const one = play(policy, [open, ...reports]).attempts.at(0)
      const other = play(policy, [open, ...order]).attempts.at(0)
      expect(other?.decision).toEqual(one?.decision)
    }),
    runs,
  )
})

test('every decision but a plain success gives a reason', () => {
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      play(policy, steps, ({ task }) => {
        for (const { decision } of judged(task)) {
          if (decision?.status !== 'success') expect(decision?.reasons.length).toBeGreaterThan(0)
          else expect(decision.by === 'checks' || decision.reasons.length > 0).toBe(true)
        }
      })
    }),
    runs,
  )
})

const declared: readonly string[] = [
  'none RUNNING',
  'SUPERSEDED RUNNING',
  'RUNNING VERIFYING',
  'RUNNING FAILED',
  'RUNNING CANCELLED',
  'RUNNING SUPERSEDED',
  'VERIFYING RETRY',
  'VERIFYING FAILED',
  'VERIFYING SUCCESS',
  'VERIFYING CANCELLED',
  'VERIFYING SUPERSEDED',
  'RETRY VERIFYING',
  'RETRY FAILED',
  'FAILED VERIFYING',
  'SUCCESS VERIFYING',
  'SUCCESS FAILED',
  'CANCELLED VERIFYING',
]

test('no history reaches an undeclared transition', () => {
  const used = new Set<string>()
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      const task = play(policy, steps, ({ events }) => {
        for (const event of events) {
          if (event.type === 'TaskExecutionStateChanged') used.add(`${event.data.from} ${event.data.to}`)
          expect(event.type).not.toBe('ErrorOccurred')
        }
      })
      expect(task.invariants_broken).toEqual([])
    }),
    { numRuns: tries(250), seed: 4 },
  )
  expect([...used].filter((move) => !declared.includes(move))).toEqual([])
  expect(declared.filter((move) => !used.has(move))).toEqual([])
})

test('an undeclared transition on the record is a fault of ours that shows as a referral', () => {
  const task = play(policyOf(), [{ kind: 'push', commit: 0, invalid: false, known: true }])
  const attempt = task.attempts.at(0)
  if (attempt === undefined) throw new Error('no attempt')
  const forged: NewEvent = {
    type: 'TaskExecutionStateChanged',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: { from: 'RUNNING', to: 'SUCCESS' },
  }
  const after = evolve(task, forged, at)
  expect(after.attempts.at(0)?.state).toBe('RUNNING')
  expect(conclude(after, attempt)).toMatchObject({
    status: 'refer',
    row: 'invalid',
    reasons: [{ code: 'SYSTEM_INVARIANT_VIOLATED' }],
  })
})

const policyOf = () => fc.sample(histories, { numRuns: 1, seed: 1 })[0]?.policy ?? fail()
const fail = (): never => {
  throw new Error('no sample')
}
