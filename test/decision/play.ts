// Plays abstract steps against the rules: each becomes an input for whatever attempt is open.
import { anOpening } from './opening.ts'
import { makeContract } from '../../src/core/contract/task/make-contract.ts'
import type { Policy } from '../../src/core/contract/policy/policy.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { emptyTask, evolve } from '../../src/core/decision/record/evolve.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import type { VerdictOutcome } from '../../src/core/decision/verdict.ts'
import type { Reason } from '../../src/core/decision/decision.ts'
import type { ActSource } from '../../src/core/people/act.ts'
import type { Command } from '../../src/core/people/command.ts'
import type { Builder, Person } from '../../src/core/people/people.ts'
import type { Step } from './histories.ts'

export const at = '2026-01-05T09:00:00.000Z'
const census = { admin: 1, maintain: 2, write: 3, complete: true }

export const persons: readonly Person[] = [
  { id: null, login: 'ada', kind: 'human', permission: 'maintain', teams: [] },
  { id: null, login: 'abe', kind: 'human', permission: 'maintain', teams: [] },
  { id: null, login: 'bob', kind: 'human', permission: 'write', teams: [] },
  { id: null, login: 'cleo', kind: 'human', permission: 'admin', teams: [] },
  { id: null, login: 'dan', kind: 'human', permission: 'read', teams: [] },
  { id: null, login: 'builder', kind: 'human', permission: 'maintain', teams: [] },
  { id: null, login: 'helper[bot]', kind: 'bot', permission: 'admin', teams: [] },
]

export type Moved = { readonly task: TaskState; readonly events: readonly NewEvent[]; readonly input: Input }

/** Plays the steps and says after each what it was told and what came of it. */
export function play(
  policy: Policy,
  steps: readonly Step[],
  after: (moved: Moved, before: TaskState) => void = () => {},
): TaskState {
  let task = emptyTask('acme/shop#7')
  for (const [index, one] of steps.entries()) {
    const input = inputOf(policy, task, one, index)
    if (input === null) continue
    const events = decide(task, input, at)
    const before = task
    task = events.reduce((state, event) => evolve(state, event, at), task)
    after({ task, events, input }, before)
  }
  return task
}

const paths: Record<string, string[]> = {
  source: ['src/a.ts'],
  empty: [],
  outside: ['vendor/x.js'],
  protected: ['.github/workflows/ci.yml'],
}
const shaOf = (commit: number): string => String(commit).repeat(40)

function inputOf(policy: Policy, task: TaskState, one: Step, index: number): Input | null {
  if (one.kind === 'push') return opening(policy, one)
  const attempt = task.attempts.findLast(({ live }) => live)
  if (attempt === undefined) return null
  const attempt_id = attempt.id
  switch (one.kind) {
    case 'files':
      return {
        type: 'report_files',
        attempt_id,
        files: (paths[one.files] ?? []).map((path) => ({ path, previous_path: null, status: 'modified' })),
        complete: true,
      }
    case 'tier1':
      return {
        type: 'report_tier1',
        attempt_id,
        run: `t${one.passed}`,
        passed: one.passed,
        checks: [{ name: 'syntax', passed: one.passed, detail: null }],
        findings: [],
        feedback: null,
      }
    case 'check':
      return report(attempt_id, one)
    case 'verdict':
      return { type: 'report_verdict', attempt_id, verdict: verdict(one.outcome, one.confidence) }
    case 'outage':
      return {
        type: 'report_unavailable',
        attempt_id,
        session_id: `o${index}`,
        reason: 'transient',
        retry_at: one.again ? at : null,
      }
    case 'gate':
      return {
        type: 'report_gate',
        attempt_id,
        gate: one.gate,
        run: `g${one.verdict}`,
        verdict: one.verdict,
        summary: 's',
        elapsed_ms: 1,
      }
    case 'wait':
      return { type: 'end_wait', attempt_id, what: one.what }
    case 'ahead':
      return {
        type: 'report_ahead',
        attempt_id,
        pulls: one.pulls.map((pull) => ({ pull, paths: ['src/a.ts'], more: 0 })),
      }
    case 'close':
      return { type: 'end_attempt', attempt_id, why: 'closed' }
    case 'show':
      return {
        type: 'show_slot',
        attempt_id,
        slot: `check:${attempt.head_sha}:countersign`,
        digest: `d${index}`,
        ref: null,
      }
    case 'say':
      return {
        type: 'give_command',
        pull: 1,
        command: commandOf(one.command),
        saying: saying(attempt, one, index, 'comment'),
      }
    case 'label':
      return {
        type: 'set_label',
        pull: 1,
        act: one.act,
        added: one.added,
        saying: saying(attempt, one, index, 'label'),
      }
    case 'dismiss': {
      const review_id = task.reviews.at(-1)?.id
      if (review_id === undefined) return null
      return { type: 'dismiss_review', pull: 1, review_id, saying: saying(attempt, one, index, 'review') }
    }
    case 'review': {
      const about = saying(attempt, one, index, 'review')
      const state = one.approves ? 'approved' : 'changes_requested'
      return {
        type: 'submit_review',
        pull: 1,
        review: { state, head_sha: about.sha, tree_sha: about.sha, body: '' },
        saying: about,
      }
    }
  }
}

function opening(policy: Policy, { commit, invalid, known }: Extract<Step, { kind: 'push' }>): Input {
  const reading = makeContract({ task_id: 'acme/shop#7', title: 't', body: 'b', policy, blocks: [] })
  if ('unreadable' in reading) throw new Error('unreadable')
  const why: Reason[] = invalid ? [{ code: 'policy_invalid', subject: null, detail: null }] : []
  const maker: Builder = {
    id: null,
    login: 'builder',
    kind: 'human',
    permission: 'maintain',
    teams: [],
    via: ['author'],
  }
  const bot: Builder = { id: null, login: 'agent[bot]', kind: 'bot', permission: 'write', teams: [], via: ['pusher'] }
  const given = { invalid: why, builders: [maker, bot], builder_known: known, census }
  return anOpening(reading.contract, { head_sha: shaOf(commit), ...given })
}

function report(attempt_id: string, { name, state, run }: Extract<Step, { kind: 'check' }>): Input {
  const told = state === 'passed' || state === 'failed' || state === 'timed_out' ? state : 'missing'
  return { type: 'report_check', attempt_id, run: `${run}${told}`, name, state: told, result: null, output_ref: null }
}

export function verdict(
  outcome: VerdictOutcome,
  confidence: number,
): Extract<Input, { type: 'report_verdict' }>['verdict'] {
  const evaluator = { login: 'countersign[bot]', agent_id: 'v', session_id: 's', model_id: 'm', model_family: 'f' }
  return {
    outcome,
    reason_code: null,
    confidence,
    reasoning: 'r',
    feedback: 'f',
    objections: [],
    votes: null,
    evaluator,
  }
}

function saying(attempt: Attempt, { who, stale }: { who: number; stale: boolean }, index: number, source: ActSource) {
  const user = persons[who]
  if (user === undefined) throw new Error('nobody')
  const sha = stale ? 'f'.repeat(40) : attempt.head_sha
  return { key: `k${index}`, user, sha, source, census, text: 'said', at, through: null } as const
}

function commandOf(name: string): Command {
  const reason = 'because'
  const sha = null
  const override = (checks: string[], verifier: boolean): Command => ({
    name: 'override',
    checks,
    verifier,
    reason,
    sha,
  })
  const commands: Record<string, Command> = {
    override: override([], false),
    'override-test': override(['test'], false),
    'override-tier1': override(['tier1'], false),
    'override-verifier': override([], true),
    approve: { name: 'approve', reason, sha },
    reject: { name: 'reject', reason, sha },
    ack: { name: 'ack', reason, sha },
    retry: { name: 'retry', reason, sha },
    revoke: { name: 'revoke' },
    verify: { name: 'verify' },
    confirm: { name: 'task', verb: 'verify', text: reason },
  }
  return commands[name] ?? { name: 'help' }
}
