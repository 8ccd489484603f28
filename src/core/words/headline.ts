// The first words about an attempt: what was decided, how many attempts there are, and, in shadow mode, that nothing of it
// stands in anybody's way.
import { attemptsUsed, isForgiven } from '../decision/gate/history.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import type { Decision } from '../decision/decision.ts'
import { bytesOf } from './text/fit.ts'
import { cutInert } from './text/neutral.ts'
import { plural } from './text/plural.ts'
import { sayDecision } from './say.ts'

const TITLE_MAX = 120
/** GitHub takes 255 bytes. */
const titleSize = (title: string): number => Math.max(title.length, bytesOf(title) / 2)

export const isShadow = ({ contract }: Attempt): boolean => contract.policy.mode === 'shadow'

export function headline(attempt: Attempt, decision: Decision): string {
  const said = `${sayDecision(decision)}${waitingSince(attempt, decision)}`
  if (!isShadow(attempt)) return said
  return decision.status === 'pending'
    ? `Shadow mode, nothing is blocked: ${said}`
    : `Shadow mode, this would be: ${said}`
}

/** A stage of people may take days, so it is said since when it is their turn. */
const waitingSince = ({ decided_at }: Attempt, { reasons: [first] }: Decision): string =>
  first?.code === 'stage_missing' ? ` since ${decided_at.slice(0, 16).replace('T', ' ')} UTC` : ''

export const titleOf = (attempt: Attempt, decision: Decision): string =>
  cutInert(headline(attempt, decision), TITLE_MAX, titleSize)

/** Nothing where attempts are not what is counted. */
export function attemptLine(task: TaskState, attempt: Attempt, { row }: Decision): string {
  if (attempt.group !== null) return ''
  const { max_attempts } = attempt.contract.policy.verification.retry
  if (row === 'spent') return 'The task had failed before this commit.'
  if (isForgiven(task, attempt)) return 'New attempts were granted after this one; it is not counted.'
  const nth = attemptsUsed(task, attempt) + 1
  if (!attempt.limited) return `Attempt ${nth}.`
  return nth > max_attempts ? `Past the ${max_attempts} attempts of this task.` : `Attempt ${nth} of ${max_attempts}.`
}

/** Somebody has to say something, and for how long that is waited for. */
export function parkedLine({ live, state, decided_at, group, contract }: Attempt, { status }: Decision): string {
  if (status !== 'refer' || !live || group !== null || state === 'CANCELLED') return ''
  const since = decided_at.slice(0, 16).replace('T', ' ')
  return `Waits for a person since ${since} UTC, for ${spanOf(contract.policy.park_wait)} at most; then it ends as cancelled, and a push begins anew.`
}

const units: readonly (readonly [seconds: number, one: string, many: string])[] = [
  [86_400, 'day', 'days'],
  [3_600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
  [1, 'second', 'seconds'],
]

function spanOf(seconds: number): string {
  const [size, one, many] = units.find(([unit]) => seconds % unit === 0) ?? [1, 'second', 'seconds']
  return plural(seconds / size, one, many)
}
