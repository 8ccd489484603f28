// Plays one case through the very rules that the App uses: its facts become inputs, the inputs events, and the
// decision is whatever the rules conclude. Nothing in here knows a row of the table.
import { gateNames } from '../../../core/decision/gate-report.ts'
import { decide } from '../../../core/decision/rules/decide.ts'
import { evolve, emptyTask } from '../../../core/decision/record/evolve.ts'
import type { Input, OpenAttempt } from '../../../core/decision/rules/inputs.ts'
import type { CheckResult, TaskState } from '../../../core/decision/model.ts'
import type { Decision, Reason } from '../../../core/decision/decision.ts'
import type { Contract } from '../../../core/contract/task/contract.ts'
import { makeContract } from '../../../core/contract/task/make-contract.ts'
import { builtInPolicy, type Policy } from '../../../core/contract/policy/policy.ts'
import type { Builder, Person } from '../../../core/people/people.ts'
import { filesAndStages } from './case-stages.ts'
import type { Given, HumanGiven } from './case-format.ts'
import { verdictOf, verdicts } from './case-verdicts.ts'

const task_id = 'owner/repo#1'
const at = '2026-01-01T00:00:00Z'
const head = 'a'.repeat(40)
const older = 'b'.repeat(40)

type Events = ReturnType<typeof decide>
export type Played = {
  readonly decision: Decision
  readonly refused: number
  readonly task: TaskState
  /** What came of all that people said. */
  readonly said: Events
}

export function playCase(given: Given, policy: Policy): Played {
  const start = history(given)
  const opened = tell(start, opening(given, given.broken === 'policy' ? builtInPolicy : policy, head))
  const attempt_id = opened.attempts.at(-1)?.id ?? ''
  const listed = filesAndStages(opened, given).reduce(tell, opened)
  const reported = facts(given, policy, attempt_id).reduce(tell, listed)
  let task = reported
  const said: Events[number][] = []
  let refused = 0
  for (const [index, human] of given.humans.entries()) {
    const { accepted, events } = speak(task, human, given, `human-${index}`)
    task = after(task, events)
    said.push(...events)
    if (!accepted) refused += 1
  }
  const decision = task.attempts.find(({ id }) => id === attempt_id)?.decision
  if (!decision) throw new Error('The case reached no decision')
  return { decision, refused, task, said }
}

const after = (task: TaskState, events: Events): TaskState =>
  events.reduce((state, event) => evolve(state, event, at), task)
const tell = (task: TaskState, input: Input): TaskState => after(task, decide(task, input, at))

/** Earlier commits of the task, as real attempts: rejected by a human, and one stopped with proof if asked for. */
function history({ attempts_used, hard_failed, ...given }: Given): TaskState {
  const count = Math.max(attempts_used, hard_failed ? 1 : 0)
  const blank: Given = { ...given, attempts_used: 0, hard_failed: false, broken: 'none' }
  let task = emptyTask(task_id)
  for (let index = 0; index < count; index += 1) {
    const sha = `${index}`.padStart(40, 'c')
    const last = index === count - 1
    task = tell(task, opening({ ...blank, verdict: 'PASS' }, builtInPolicy, sha))
    const attempt_id = task.attempts.at(-1)?.id ?? ''
    const ending = hard_failed && last ? stopped(attempt_id) : [rejected(sha, `history-${index}`)]
    task = ending.reduce(tell, task)
  }
  return task
}

function stopped(attempt_id: string): Input[] {
  return [
    {
      type: 'report_files',
      attempt_id,
      files: [{ path: 'src/a.ts', previous_path: null, status: 'modified' }],
      complete: true,
    },
    { type: 'report_tier1', attempt_id, run: '1', passed: true, checks: [], findings: [], feedback: null },
    { type: 'report_verdict', attempt_id, verdict: verdictOf('HARD_FAIL', 1) },
  ]
}

function rejected(sha: string, key: string): Input {
  const user: Person = { id: null, login: 'earlier-reviewer', kind: 'human', permission: 'admin', teams: [] }
  const census = { admin: 1, maintain: 1, write: 1, complete: true }
  const saying = { key, user, sha, source: 'comment', census, text: '/reject', at, through: null } as const
  return { type: 'give_command', pull: 1, command: { name: 'reject', reason: 'not this way', sha: null }, saying }
}

function opening(given: Given, policy: Policy, head_sha: string): OpenAttempt {
  const problems = given.broken === 'policy' ? ['policy'] : []
  return {
    type: 'open_attempt',
    repository: 'R1',
    merges_into: 'main',
    merges_base: false,
    head_branch: null,
    guest: false,
    sources: [],
    pull: 1,
    title: 'A task',
    head_sha,
    tree_sha: head_sha,
    base_ref: 'main',
    check_name: 'countersign',
    head_at: '2026-01-01T00:00:00Z',
    group: null,
    contract: contractUnder(policy),
    policy_source: { sha: older, problems },
    invalid: invalid(given),
    builders: builders(given),
    builder_known: true,
    model_available: given.verdict !== 'none',
    announced: null,
    remarks: [],
    protection: null,
    census: { ...given.team, complete: true },
  }
}

/** Cases share policies, and a policy makes one contract. */
const contracts = new WeakMap<Policy, Contract>()

function contractUnder(policy: Policy): Contract {
  const known = contracts.get(policy)
  if (known !== undefined) return known
  const reading = makeContract({ task_id, title: 'A task', body: 'Do it.', policy, blocks: [] })
  if ('unreadable' in reading) throw new Error('A contract without a task block cannot be unreadable')
  contracts.set(policy, reading.contract)
  return reading.contract
}

function invalid({ broken }: Given): Reason[] {
  const codes = {
    none: null,
    policy: 'policy_invalid',
    proposal: 'policy_proposed',
    contract: 'contract_unreadable',
    invariant: 'SYSTEM_INVARIANT_VIOLATED',
  } as const satisfies Record<Given['broken'], Reason['code'] | null>
  const code = codes[broken]
  return code === null ? [] : [{ code, subject: broken === 'proposal' ? 'main' : null, detail: null }]
}

/** The author, and whoever among the humans is said to be a builder: of an agent's work they are its owners. */
function builders({ author, humans }: Given): Builder[] {
  const agent = author === 'agent'
  const made: Builder[] = [
    {
      id: null,
      login: agent ? 'agent[bot]' : 'author',
      kind: agent ? 'bot' : 'human',
      permission: 'none',
      teams: [],
      via: ['author'],
    },
  ]
  for (const human of humans.filter(({ builder }) => builder)) {
    made.push({ ...personOf(human, humans), via: [agent ? 'owner' : 'commit_author'] })
  }
  return made
}

/** What is said of a person once holds for everything that the person does in the case. */
function personOf({ by, permission, bot }: HumanGiven, humans: readonly HumanGiven[]): Person {
  const same = humans.filter((human) => human.by === by)
  return {
    id: null,
    login: by,
    kind: bot || same.some((human) => human.bot) ? 'bot' : 'human',
    permission: permission ?? same.find((human) => human.permission)?.permission ?? 'maintain',
    teams: [...new Set(same.flatMap(({ teams }) => teams))],
  }
}

function facts(given: Given, policy: Policy, attempt_id: string): Input[] {
  const inputs: Input[] = []
  if (given.tier1 !== 'running') {
    const passed = given.tier1 === 'passed'
    const checks = passed ? [] : [{ name: 'syntax_a.ts', passed, detail: 'as the case gives it' }]
    inputs.push({ type: 'report_tier1', attempt_id, run: '1', passed, checks, findings: [], feedback: null })
  }
  for (const [name, state] of Object.entries(given.checks)) {
    inputs.push({ type: 'start_check', attempt_id, run: '1', name })
    if (state === 'running') continue
    inputs.push({
      type: 'report_check',
      attempt_id,
      run: '1',
      name,
      state,
      result: resultOf(name, state),
      output_ref: null,
    })
  }
  inputs.push(...verdicts(given, policy, attempt_id))
  for (const gate of gateNames) {
    const verdict = given.gates[gate] ?? 'running'
    if (verdict === 'running') continue
    inputs.push({
      type: 'report_gate',
      attempt_id,
      gate,
      run: '1',
      verdict,
      summary: 'as the case gives it',
      elapsed_ms: 0,
    })
  }
  const pulls = given.ahead.map((pull) => ({ pull, paths: given.changed.slice(0, 1), more: 0 }))
  inputs.push({ type: 'report_ahead', attempt_id, pulls })
  if (given.waited) inputs.push({ type: 'end_wait', attempt_id, what: 'verification.wait' })
  inputs.push({ type: 'show_slot', attempt_id, slot: `check:${head}:countersign`, digest: 'shown', ref: null })
  return inputs
}

function resultOf(name: string, state: 'passed' | 'failed' | 'timed_out' | 'missing'): CheckResult | null {
  if (state === 'missing') return null
  const exit_code = state === 'passed' ? 0 : state === 'timed_out' ? 124 : 1
  return { name, passed: state === 'passed', exit_code, output: '', duration_ms: 0, required: true }
}

function speak(task: TaskState, human: HumanGiven, given: Given, key: string): { accepted: boolean; events: Events } {
  const user = personOf(human, given.humans)
  const sha = human.stale ? older : head
  const saying = {
    key,
    user,
    sha,
    source: 'comment',
    census: { ...given.team, complete: true },
    text: human.act,
    at,
    through: null,
  } as const
  const input = inputOf(human, { ...saying, source: human.act.startsWith('review') ? 'review' : 'comment' })
  const events = decide(task, input, at)
  const refusal = (event: (typeof events)[number]): boolean =>
    event.type === 'OverrideDenied' ||
    event.type === 'CommandRefused' ||
    (event.type === 'ReviewSubmitted' && !event.data.counts)
  const act = (event: (typeof events)[number]): boolean => event.type === 'HumanOverride'
  return { accepted: !events.some(refusal) || events.some(act), events }
}

type Saying = Extract<Input, { type: 'give_command' }>['saying']

function inputOf(human: HumanGiven, saying: Saying): Input {
  const { act, reason } = human
  const command = (given: Extract<Input, { type: 'give_command' }>['command']): Input => ({
    type: 'give_command',
    pull: 1,
    command: given,
    saying,
  })
  switch (act) {
    case 'override': {
      const checks = human.check === undefined ? [] : [human.check]
      return command({ name: act, checks, verifier: human.verifier, reason, sha: null })
    }
    case 'approve':
    case 'reject':
    case 'ack':
    case 'retry':
      return command({ name: act, reason, sha: null })
    case 'confirm':
      return command({ name: 'task', verb: 'verify', text: reason })
    case 'reverify':
      return command({ name: 'verify' })
    case 'revoke':
      return command({ name: 'revoke' })
    case 'review_approved':
    case 'review_changes_requested': {
      const state = act === 'review_approved' ? 'approved' : 'changes_requested'
      return {
        type: 'submit_review',
        pull: 1,
        review: { state, head_sha: saying.sha, tree_sha: saying.sha, body: reason },
        saying,
      }
    }
  }
}
