// Plays a history twice, against the rules of the product and before the oracle, and tells of every green that the oracle
// does not allow. The two share nothing but the steps.
import { makeContract } from '../../src/core/contract/task/make-contract.ts'
import { policySchema, type Policy } from '../../src/core/contract/policy/policy.ts'
import type { Contract } from '../../src/core/contract/task/contract.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { liveAttempt } from '../../src/core/decision/rules/attempt.ts'
import { emptyTask, evolve } from '../../src/core/decision/record/evolve.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { TaskState } from '../../src/core/decision/model.ts'
import type { Person } from '../../src/core/people/people.ts'
import { inputOf } from './inputs.ts'
import { rejectionsIn } from '../../src/engine/between/carry.ts'
import { anOracle, type Someone } from './oracle.ts'
import { remember } from './remember.ts'
import type { Base, History, Rules, Step } from './steps.ts'

const at = '2026-01-05T09:00:00.000Z'
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

/** `greens`: after how many steps something was green. */
export type Played = { readonly wrong: Wrong | null; readonly greens: number }

export function play({ rules, steps }: History): Played {
  const contracts = { main: contractOf(rules, 'main'), lax: contractOf(rules, 'lax') }
  const ungoverned = rules.proposes ? 'main' : null
  const oracle = anOracle(rules, everybody)
  const names = everybody.map(({ id }) => `person-${id}`)
  const tasks = new Map<string, TaskState>([
    ['A', emptyTask('acme/shop#1')],
    ['B', emptyTask('acme/shop#3')],
  ])
  const streamOf = (pull: number): string => (pull === 3 ? 'B' : 'A')
  const taskOf = (pull: number): TaskState => tasks.get(streamOf(pull)) ?? emptyTask('nothing')
  const bases = new Map<number, Base>()
  const heads = new Map<number, string>()
  let greened = 0
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
      const input = inputOf(step, { task: taskOf(step.pull), base, ungoverned, contracts, person, index, heads })
      if (input?.type === 'open_attempt') heads.set(step.pull, input.head_sha)
      if (input !== null) tell(streamOf(step.pull), input)
      remember(oracle, step, base)
    }
    carryAll()
    const greens = [1, 2, 3].filter((pull) => isGreen(taskOf(pull), pull))
    if (greens.length > 0) greened += 1
    for (const pull of greens) {
      const why = oracle.mayBeGreen(pull)
      if (why !== null) return { wrong: { after: step, pull, why, row: rowOf(taskOf(pull), pull) }, greens: greened }
    }
  }
  return { wrong: null, greens: greened }
}

const isGreen = (task: TaskState, pull: number): boolean => liveAttempt(task, pull)?.decision?.status === 'success'
const rowOf = (task: TaskState, pull: number): string => liveAttempt(task, pull)?.decision?.row ?? 'none'

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
