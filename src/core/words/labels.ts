// The labels: one for the state, flags beside it, and those that people set. What each is called, its colour and what it
// says where a repository lists its labels.
import type { Attempt, TaskState } from '../decision/model.ts'
import { isEscalated } from '../people/judge-task.ts'
import type { Decision, DecisionStatus } from '../decision/decision.ts'
import { isShadow } from './headline.ts'
import { actOfLabel, labelPrefix, type LabelAct } from '../people/act.ts'

/** GitHub takes a description of at most 100 characters. */
export type Label = { readonly name: string; readonly color: string; readonly description: string }

const states = {
  pending: ['fbca04', 'Checks or the AI review are at work'],
  success: ['0e8a16', 'May merge: confirmed by checks or by somebody with a name'],
  retry: ['d93f0b', 'Failed; the next push is another attempt'],
  failed: ['b60205', 'Failed; somebody has to act before it can merge'],
  refer: ['5319e7', 'A person is asked to decide'],
} as const satisfies Record<DecisionStatus, readonly [string, string]>

const flags = {
  'hard-fail': ['b60205', 'The AI review holds that the approach is wrong'],
  escalated: ['b60205', 'The leads were told'],
  unverified: ['fbca04', 'Merged, and nobody has confirmed yet what it delivers'],
  'no-checks': ['c5def5', 'Passed, and no check stands behind it'],
  solo: ['c5def5', 'Confirmed without a second person'],
} as const
type Flag = keyof typeof flags

const acts = {
  override: ['1d76db', 'Set by a person: lift what blocks this head; complete it with /reason'],
  approve: ['1d76db', 'Set by a person: approve this head directly; complete it with /reason'],
  reject: ['1d76db', 'Set by a person: block this head; complete it with /reason'],
  ack: ['1d76db', 'Set by a person: take up what a guest made; for what it touches complete it with /reason'],
} as const satisfies Record<LabelAct, readonly [string, string]>

export const ourLabels: readonly Label[] = Object.entries({ ...states, ...flags, ...acts }).map(
  ([name, [color, description]]) => ({ name: `${labelPrefix}${name}`, color, description }),
)

/** People set it on the issue that is to be a goal. */
export const isGoalLabel = (name: string): boolean => name.toLowerCase() === goalLabelName
export const goalLabelName = 'goal'

/** On an issue that is to become a task once somebody entitled approves it. */
export const isRequestLabel = (name: string): boolean => name.toLowerCase() === requestLabelName
export const requestLabelName = 'request'

/** Ours to set and to remove; those that people use as inputs are theirs. */
export const isStateLabel = (name: string): boolean =>
  name.toLowerCase().startsWith(labelPrefix) && actOfLabel(name) === undefined

/** What stands in nobody's way has no label: in shadow mode it would look like a gate. */
export function labelsOf(task: TaskState, attempt: Attempt, decision: Decision): string[] {
  if (isShadow(attempt)) return []
  const escalates =
    isEscalated(task) ||
    decision.row === 'hard' ||
    (decision.status === 'failed' && has(decision, 'reasons', 'POLICY_'))
  const raised: readonly (readonly [Flag, boolean])[] = [
    ['hard-fail', decision.row === 'hard'],
    ['escalated', escalates],
    ['no-checks', has(decision, 'warnings', 'no_checks_ran')],
    ['solo', has(decision, 'warnings', 'solo')],
  ]
  return [stateOf(decision), ...raised.flatMap(([flag, is]) => (is ? [flag] : []))].map(
    (name) => `${labelPrefix}${name}`,
  )
}

/** Merged is not done. */
export const labelsAfterwards = ({ status }: TaskState, attempt: Attempt): string[] =>
  isShadow(attempt) ? [] : [`${labelPrefix}${status === 'verified' ? 'success' : 'unverified'}`]

/** An outage is no failure of the change: it waits for the verifier. */
const stateOf = ({ row, status }: Decision): DecisionStatus =>
  row === 'unavailable' && status === 'retry' ? 'pending' : status

const has = (decision: Decision, where: 'reasons' | 'warnings', begin: string): boolean =>
  decision[where].some(({ code }) => code.startsWith(begin))
