// A state of the gallery, and how one is brought about by telling the rules what they would hear.
import { makeContract } from '../../src/core/contract/task/make-contract.ts'
import { policySchema, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { evolve, emptyTask } from '../../src/core/decision/record/evolve.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import type { Input, OpenAttempt } from '../../src/core/decision/rules/inputs.ts'
import type { TaskState } from '../../src/core/decision/model.ts'
import { owed, type Shown } from '../../src/core/decision/shown/owed.ts'
import { anOpening } from '../decision/opening.ts'

/** What is shown of a pull request, and what was answered to somebody. */
export type State = { readonly title: string; readonly shown: readonly Shown[]; readonly replies: readonly string[] }
export type Told = {
  readonly policy?: PolicyInput
  readonly opening?: Partial<OpenAttempt>
  readonly inputs?: (attempt_id: string) => readonly Input[]
}

const at = '2026-01-01T00:00:00Z'
const people = {
  admin: 1,
  maintain: 1,
  write: 2,
  complete: true,
  named: {
    admin: [{ id: 1, login: 'cleo' }],
    maintain: [{ id: 2, login: 'ada' }],
    write: [
      { id: 3, login: 'bob' },
      { id: 4, login: 'eve' },
    ],
  },
} as const
const soon = '2026-01-01T00:10:00Z'
const agent = { id: null, login: 'agent[bot]', kind: 'bot', permission: 'write', teams: [], via: ['author'] } as const

/** What GitHub shows of the newest commit; labels and comments are of the pull request. */
export function shownOf(task: TaskState): Shown[] {
  const head = task.attempts.at(-1)?.head_sha
  return owed(task, soon).flatMap((debt) =>
    debt.kind === 'show' && (debt.shown.kind !== 'check_run' || debt.shown.sha === head) ? [debt.shown] : [],
  )
}

export const told = (title: string, given: Told): State => ({ title, shown: shownOf(taskOf(given)), replies: [] })

export function taskOf({ policy = {}, opening = {}, inputs = () => [] }: Told): TaskState {
  const tell = (task: TaskState, input: Input): TaskState =>
    decide(task, input, at).reduce((state, event) => evolve(state, event, at), task)
  const head_sha = 'a'.repeat(40)
  const first = anOpening(contractUnder(policy), {
    head_sha,
    model_available: false,
    builders: [agent],
    census: people,
    ...opening,
  })
  const opened = tell(emptyTask('owner/repo#1'), first)
  const attempt_id = opened.attempts.at(-1)?.id ?? ''
  const files = [{ path: 'src/a.ts', previous_path: null, status: 'modified' }] as const
  const known: Input = { type: 'report_files', attempt_id, files, complete: true }
  return [known, ...inputs(attempt_id)].reduce(tell, opened)
}

function contractUnder(given: PolicyInput) {
  const policy = policySchema.parse({ verification: { checks: ['test'], verifier: { enabled: false } }, ...given })
  const reading = makeContract({ task_id: 'owner/repo#1', title: 'A task', body: 'Do it.', policy, blocks: [] })
  if ('unreadable' in reading) throw new Error('The contract of the gallery cannot be read')
  return reading.contract
}

export const tier1 = (attempt_id: string): Input => ({
  type: 'report_tier1',
  attempt_id,
  run: '1',
  passed: true,
  checks: [],
  findings: [],
  feedback: null,
})
const test = (attempt_id: string, state: 'passed' | 'failed'): Input => {
  const exit_code = state === 'passed' ? 0 : 1
  const output = state === 'passed' ? '12 passed' : 'AssertionError: expected 6, got 5'
  const result = { name: 'test', passed: state === 'passed', exit_code, output, duration_ms: 900, required: true }
  return { type: 'report_check', attempt_id, run: '1', name: 'test', state, result, output_ref: null }
}
export const passed = (attempt_id: string): Input[] => [tier1(attempt_id), test(attempt_id, 'passed')]
export const failed = (attempt_id: string): Input[] => [tier1(attempt_id), test(attempt_id, 'failed')]
