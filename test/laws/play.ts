// Plays a history twice, against the rules of the product and before the oracle, and tells of every green that the oracle
// does not allow. The two share nothing but the steps.
import { makeContract } from '../../src/core/contract/make-contract.ts'
import { policySchema, type Policy } from '../../src/core/contract/policy.ts'
import type { Contract } from '../../src/core/contract/contract.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { liveAttempt } from '../../src/core/decision/rules/attempt.ts'
import { emptyTask, evolve } from '../../src/core/decision/record/evolve.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import type { Command } from '../../src/core/people/command.ts'
import type { Saying } from '../../src/core/people/judge.ts'
import type { Builder, Person } from '../../src/core/people/people.ts'
import { rejectionsIn } from '../../src/engine/carry.ts'
import { anOracle, type Someone } from './oracle.ts'
import { remember } from './remember.ts'
import type { Base, CommandName, History, Rules, Step } from './steps.ts'

const at = '2026-01-05T09:00:00.000Z'
const census = { admin: 2, maintain: 2, write: 3, complete: true }
export const everybody: readonly Someone[] = [
  { id: 1, permission: 'maintain', kind: 'human' },
  { id: 2, permission: 'maintain', kind: 'human' },
  { id: 3, permission: 'write', kind: 'human' },
  { id: 4, permission: 'admin', kind: 'human' },
  { id: 5, permission: 'read', kind: 'human' },
  { id: 6, permission: 'write', kind: 'human' },
  { id: 7, permission: 'admin', kind: 'bot' },
]

export type Wrong = { readonly after: Step; readonly pull: number; readonly why: string; readonly row: string }

export function play({ rules, steps }: History): Wrong | null {
  const contracts = { main: contractOf(rules, 'main'), lax: contractOf(rules, 'lax') }
  const oracle = anOracle(rules, everybody)
  const names = everybody.map(({ id }) => `person-${id}`)
  const tasks = new Map<string, TaskState>([
    ['A', emptyTask('acme/shop#1')],
    ['B', emptyTask('acme/shop#3')],
  ])
  const streamOf = (pull: number): string => (pull === 3 ? 'B' : 'A')
  const taskOf = (pull: number): TaskState => tasks.get(streamOf(pull)) ?? emptyTask('nothing')
  const bases = new Map<number, Base>()
  const told: { stream: string; input: Input }[] = []
  const tell = (stream: string, input: Input): void => {
    const task = tasks.get(stream) ?? emptyTask('nothing')
    const events = decide(task, input, at)
    tasks.set(
      stream,
      events.reduce((state, event) => evolve(state, event, at), task),
    )
    told.push({ stream, input })
  }
  const person = (who: number): Person => {
    const { id, permission, kind } = everybody[who] ?? everybody[0] ?? fail()
    return { id, login: names[who] ?? '', permission, kind, teams: [] }
  }
  const carryAll = (): void => {
    for (const [stream, other] of [
      ['A', 'B'],
      ['B', 'A'],
    ] as const) {
      for (const attempt of tasks.get(stream)?.attempts.filter(({ live }) => live) ?? []) {
        for (const { rejection } of rejectionsIn(tasks.get(other) ?? emptyTask(''), attempt))
          tell(stream, { type: 'carry_rejection', rejection: { ...rejection, stream: other } })
      }
    }
  }
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'repeat') {
      const again = told.findLast(({ input }) => input.type !== 'carry_rejection')
      if (again !== undefined) tell(again.stream, again.input)
    } else if (step.kind === 'rename') names[step.who] = `renamed-${index}-${step.who}`
    else {
      if (step.kind === 'retarget') bases.set(step.pull, step.base)
      const base = bases.get(step.pull) ?? 'main'
      const input = inputOf(step, { task: taskOf(step.pull), base, contracts, person, index })
      if (input !== null) tell(streamOf(step.pull), input)
      remember(oracle, step, base)
    }
    carryAll()
    const wrong = wrongGreen(step, oracle, taskOf)
    if (wrong !== null) return wrong
  }
  return null
}

function wrongGreen(
  after: Step,
  oracle: ReturnType<typeof anOracle>,
  taskOf: (pull: number) => TaskState,
): Wrong | null {
  for (const pull of [1, 2, 3]) {
    const decision = liveAttempt(taskOf(pull), pull)?.decision
    if (decision?.status !== 'success') continue
    const why = oracle.mayBeGreen(pull)
    if (why !== null) return { after, pull, why, row: decision.row }
  }
  return null
}

type Scene = {
  readonly task: TaskState
  readonly base: Base
  readonly contracts: Readonly<Record<Base, Contract>>
  readonly person: (who: number) => Person
  readonly index: number
}
type OfPull = Exclude<Step, { kind: 'repeat' } | { kind: 'rename' }>

function inputOf(step: OfPull, scene: Scene): Input | null {
  const live = liveAttempt(scene.task, step.pull)
  const attempt = live ?? scene.task.attempts.findLast(({ pull }) => pull === step.pull)
  if (step.kind === 'push') return opening(step.pull, step.tree, step.commit, step.known, scene)
  if (attempt === undefined) return null
  switch (step.kind) {
    case 'retarget':
    case 'reopen': {
      const [tree = '0', commit = '0'] = attempt.head_sha
      if (step.kind === 'retarget' && live === undefined) return null
      return opening(step.pull, Number(tree), Number(commit), attempt.builder_known, scene)
    }
    case 'close':
      return { type: 'end_attempt', attempt_id: attempt.id, why: 'closed' }
    case 'say':
      return {
        type: 'give_command',
        pull: step.pull,
        command: commandOf(step.command),
        saying: sayingOf(step, attempt, scene),
      }
    case 'reason':
      return {
        type: 'give_command',
        pull: step.pull,
        command: { name: 'reason', reason: 'so' },
        saying: sayingOf(step, attempt, scene),
      }
    case 'label':
      return {
        type: 'set_label',
        pull: step.pull,
        act: step.act,
        added: step.added,
        saying: sayingOf(step, attempt, scene),
      }
    case 'review': {
      const saying = sayingOf(step, attempt, scene)
      const state = step.approves ? 'approved' : 'changes_requested'
      const tree_sha = step.stale ? '' : attempt.tree_sha
      return {
        type: 'submit_review',
        pull: step.pull,
        review: { state, head_sha: saying.sha, tree_sha, body: '' },
        saying,
      }
    }
    case 'dismiss': {
      const author = scene.person(step.whose).id
      const review = scene.task.reviews.findLast((one) => one.pull === step.pull && one.user_id === author)
      if (review === undefined) return null
      return { type: 'dismiss_review', pull: step.pull, review_id: review.id, saying: sayingOf(step, attempt, scene) }
    }
    case 'files':
    case 'tier1':
    case 'check':
    case 'verdict':
    case 'shown':
    case 'made_by':
      return live === undefined ? null : reportOf(step, live, scene)
  }
}

type Report = Extract<OfPull, { kind: 'files' | 'tier1' | 'check' | 'verdict' | 'shown' | 'made_by' }>
const paths = {
  source: ['src/a.ts'],
  outside: ['vendor/x.js'],
  protected: ['.github/workflows/ci.yml'],
  empty: [],
  cut: ['src/a.ts'],
}

function reportOf(step: Report, { id: attempt_id, head_sha, check_name }: Attempt, { person, index }: Scene): Input {
  switch (step.kind) {
    case 'files': {
      const files = paths[step.files].map((path) => ({ path, previous_path: null, status: 'modified' }) as const)
      return { type: 'report_files', attempt_id, files, complete: step.files !== 'cut' }
    }
    case 'tier1': {
      const checks = [{ name: 'syntax', passed: step.passed, detail: null }]
      return {
        type: 'report_tier1',
        attempt_id,
        run: `${step.run}${step.passed}`,
        passed: step.passed,
        checks,
        findings: [],
        feedback: null,
      }
    }
    case 'check':
      return {
        type: 'report_check',
        attempt_id,
        run: `${step.run}${step.state}`,
        name: 'test',
        state: step.state,
        result: null,
        output_ref: null,
      }
    case 'verdict': {
      const evaluator = { login: 'v', agent_id: 'v', session_id: 'v', model_id: 'm', model_family: 'f' }
      const confidence = step.sure ? 0.95 : 0.1
      const said = { reason_code: null, reasoning: 'r', feedback: 'f', objections: [], votes: null, evaluator }
      return { type: 'report_verdict', attempt_id, verdict: { outcome: step.outcome, confidence, ...said } }
    }
    case 'shown':
      return { type: 'show_slot', attempt_id, slot: `check:${head_sha}:${check_name}`, digest: `d${index}`, ref: null }
    case 'made_by': {
      const builder: Builder = { ...person(step.who), via: ['pusher'] }
      return { type: 'add_builder', attempt_id, builder, sha: head_sha }
    }
  }
}

function opening(pull: number, tree: number, commit: number, known: boolean, { base, contracts }: Scene): Input {
  const head_sha = `${tree}${commit}`.repeat(20)
  const maker: Builder = { id: 100, login: 'agent[bot]', kind: 'bot', permission: 'write', teams: [], via: ['author'] }
  return {
    type: 'open_attempt', repository: 'R1', pull, title: 't', head_sha, tree_sha: `tree-${tree}`, base_ref: base,
    merges_into: base, merges_base: false, head_branch: null, guest: false, sources: [], head_at: at, group: null,
    check_name: base === 'main' ? 'countersign' : `countersign (${base})`, protection: null,
    contract: contracts[base], policy_source: { sha: base, problems: [] }, invalid: [], remarks: [],
    builders: [maker], builder_known: known, model_available: true, announced: null, census,
  } // prettier-ignore
}

type Voice = { readonly who: number; readonly stale?: boolean; readonly through?: boolean; readonly kind: string }

function sayingOf({ who, stale, through, kind }: Voice, attempt: Attempt, { person, index }: Scene): Saying {
  const sha = stale === true ? 'f'.repeat(40) : attempt.head_sha
  const source = kind === 'review' ? 'review' : kind === 'label' ? 'label' : 'comment'
  return {
    key: `k${index}`,
    user: person(who),
    sha,
    source,
    census,
    text: 'said',
    at,
    through: through === true ? 'some-app' : null,
  }
}

function commandOf(name: CommandName): Command {
  const [reason, sha] = ['because', null]
  switch (name) {
    case 'override':
      return { name, checks: [], verifier: false, reason, sha }
    case 'override-test':
      return { name: 'override', checks: ['test'], verifier: false, reason, sha }
    case 'override-verifier':
      return { name: 'override', checks: [], verifier: true, reason, sha }
    case 'approve':
    case 'reject':
    case 'ack':
    case 'retry':
      return { name, reason, sha }
    case 'revoke':
      return { name }
    case 'confirm':
      return { name: 'task', verb: 'verify', text: reason }
  }
}

const policies = new Map<string, Contract>()

function contractOf(rules: Rules, base: Base): Contract {
  const key = `${base} ${JSON.stringify(rules)}`
  const known = policies.get(key)
  if (known !== undefined) return known
  const reading = makeContract({
    task_id: 'acme/shop#1',
    title: 't',
    body: 'b',
    policy: policyOf(rules, base),
    policy_hash: key,
    blocks: [],
  })
  if ('unreadable' in reading) throw new Error('unreadable')
  policies.set(key, reading.contract)
  return reading.contract
}

const policyOf = ({ verifier, requires, direct, overridable, separation }: Rules, base: Base): Policy =>
  policySchema.parse({
    merge_requires: requires,
    separation,
    verification: {
      checks: [{ name: 'test', command: 'test', required: base === 'main' }],
      verifier: { enabled: verifier },
      retry: { max_attempts: 100 },
    },
    scope: { deny: ['vendor/**'] },
    override_policy: {
      direct_approval_allowed: direct,
      check_override_allowed: overridable,
      verifier_override_allowed: overridable,
    },
  })

const fail = (): never => {
  throw new Error('nobody')
}
