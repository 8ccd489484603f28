// A task in which everything that others write is hostile: names, paths, reasons, outputs, what a model says, what GitHub
// and policies are called.
import fc from 'fast-check'
import type { Policy } from '../../src/core/contract/policy/policy.ts'
import type { Attempt, CheckState, TaskState } from '../../src/core/decision/model.ts'
import type { VerdictOutcome } from '../../src/core/decision/verdict.ts'
import type { Reason } from '../../src/core/decision/decision.ts'
import type { Examined } from '../../src/core/decision/examined.ts'
import { anAttempt, answered, aTask, checks, policyOf, rejection } from './attempts.ts'

export type Hostile = { readonly task: TaskState; readonly attempt: Attempt; readonly texts: readonly string[] }

const text = (texts: readonly string[], at: number): string => texts[at % texts.length] ?? ''

export function hostileTask(
  texts: readonly string[],
  state: CheckState,
  outcome: VerdictOutcome,
  shape: number,
): Hostile {
  const t = (at: number): string => text(texts, at)
  const policy = hostilePolicy(t, shape)
  const name = policy.verification.checks[0]?.name ?? 'test'
  const attempt = anAttempt(
    {
      state: 'VERIFYING',
      decision: null,
      files: shape === 1 ? null : [{ path: t(1), previous_path: null, status: 'modified' }],
      scope_violations: shape === 2 ? [{ violation_type: 'denied', path: t(2), allowed: [t(3)], denied: [t(4)] }] : [],
      tier1: {
        id: 'x',
        passed: shape !== 3,
        feedback: t(5),
        unseen: [t(6)],
        findings: [{ path: t(7), line: 3, severity: 'HIGH', category: t(8), message: t(9) }],
        checks: [{ name: t(10), passed: shape !== 3, detail: t(11) }],
      },
      checks: checks([name, state, t(12)], [t(13), 'failed', t(14)]),
      verifier: shape === 4 ? { phase: 'unavailable', id: 'v', reason: 'transient', retry_at: null } : said(t, outcome),
      diff: { text: t(60), omitted_lines: shape },
      gates: { red_team: { id: 'g', verdict: 'BLOCK', summary: t(15) } },
      invalid: shape === 5 ? invalid(t) : [],
      remarks: [t(16)],
      refused: [{ source: t(17), why: t(18) }],
      assumed: [{ by: t(3), text: t(4) }],
      acts: [
        {
          ...rejection(t(19), t(20)),
          type: shape === 6 ? 'REJECTION' : 'CHECK_OVERRIDE',
          covers: [{ subject: `check:${t(21)}`, result: 'q' }],
        },
      ],
      policy_copy: [{ line: 2, message: t(22) }],
      merged_by: t(23),
      base_ref: t(24),
      check_name: `countersign (${t(24)})`,
      protection: 'none',
      builders: [{ id: null, login: t(25), kind: 'bot', permission: 'write', teams: [], via: ['author'] }],
      builder_known: shape !== 7,
    },
    policy,
  )
  const task: TaskState = {
    ...aTask(attempt),
    builders: attempt.builders,
    reviews: [0, 1].map((one) => review(t, one)),
  }
  return { task, attempt, texts }
}

function hostilePolicy(t: (at: number) => string, shape: number): Policy {
  const base = policyOf({ verification: { checks: ['test'] }, security: { red_team: { enabled: shape === 8 } } })
  const [check] = base.verification.checks
  if (check === undefined) throw new Error('no check')
  return {
    ...base,
    mode: shape === 9 ? 'shadow' : 'enforce',
    protected_paths: shape === 10 ? ['**'] : [],
    review: {
      stages: shape === 11 ? [{ name: t(30), by: [t(31)], count: 1, when: 'always' }] : [],
      same_person: false,
    },
    roles: { lead: ['lena', t(32)], reviewer: [t(33)], verifier: [] },
    verification: {
      ...base.verification,
      checks: [{ ...check, name: t(34) }],
      retry: { ...base.verification.retry, dispatch: 'mention', max_attempts: 1 + (shape % 3) },
    },
  }
}

const invalid = (t: (at: number) => string): Reason[] => [{ code: 'policy_invalid', subject: null, detail: t(35) }]

const review = (t: (at: number) => string, one: number): TaskState['reviews'][number] => ({
  id: `r${one}`,
  by: t(36 + one),
  teams: [],
  permission: 'write',
  state: one === 0 ? 'changes_requested' : 'approved',
  user_id: null,
  pull: 7,
  base_ref: 'main',
  merges_into: 'main',
  seq: 1,
  standing: 'stands',
  head_sha: 'e'.repeat(40),
  tree_sha: '',
  body: t(38),
  counts: one === 0,
  why_not: one === 0 ? null : t(39),
  resolves_refer: false,
  solo: false,
})

function said(t: (at: number) => string, outcome: VerdictOutcome): Attempt['verifier'] {
  const verifier = answered({
    outcome,
    feedback: t(40),
    reasoning: t(41),
    objections: ['f1'],
    evaluator: { login: t(42), agent_id: '', session_id: 's', model_id: t(43), model_family: '' },
  })
  return verifier.phase === 'answered' ? { ...verifier, examined: examined(t) } : verifier
}

const examined = (t: (at: number) => string): Examined => ({
  generator_agent_id: '',
  findings: [0, 1].map((one) => ({
    id: `f${one}`,
    path: t(44),
    side: 'new',
    line: 2,
    quote: t(45),
    category: 'other',
    claim: t(46),
    failure_scenario: t(47),
    fix: t(48),
    level: 'blocking',
    proven: one === 0,
  })),
  probes: [{ id: 'c1.p1', text: t(49), answer: 'not_met', proven: true, why: t(50) }],
  criterion_grades: {},
  rubric: null,
  score: null,
  coverage: { shown: 1, changed: 2, ignored: [t(51)], unseen: [t(52)] },
  evidence: { verified: 0, given: 0 },
  confidence_parts: {},
  ledger: [
    {
      id: 'l1',
      kind: 'finding',
      path: t(53),
      side: 'new',
      line: 1,
      quote: t(54),
      claim: t(55),
      first_sha: 'a',
      last_sha: 'b',
      status: 'open',
    },
  ],
  remarks: [t(56)],
  dropped: {},
  hashes: { contract: '', policy: '', rubric: '', patch: '', release: '' },
  reused: false,
  cost: {
    usd: 0,
    price_table: '',
    calls: [
      {
        purpose: 'p',
        model: t(57),
        prompt_hash: '',
        request_id: null,
        outcome: 'read',
        input: 1,
        cache_write: 0,
        cache_read: 0,
        output: 1,
        usd: 0,
        ms: 1,
      },
    ],
  },
})

export const states: fc.Arbitrary<CheckState> = fc.constantFrom('passed', 'failed', 'timed_out', 'missing', 'running')
export const outcomes: fc.Arbitrary<VerdictOutcome> = fc.constantFrom('PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER')
