// The first words about an attempt: what was decided, how many attempts there are, and, in shadow mode, that nothing of it
// stands in anybody's way.
import { attemptsUsed, isForgiven } from '../decision/gate/history.ts'
import { upTo } from '../visible.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import type { Decision } from '../decision/decision.ts'
import { sayDecision } from './say.ts'

const TITLE_MAX = 120

export const isShadow = ({ contract }: Attempt): boolean => contract.policy.mode === 'shadow'

export function headline(attempt: Attempt, decision: Decision): string {
  const said = sayDecision(decision)
  if (!isShadow(attempt)) return said
  return decision.status === 'pending'
    ? `Shadow mode, nothing is blocked: ${said}`
    : `Shadow mode, this would be: ${said}`
}

export const titleOf = (attempt: Attempt, decision: Decision): string =>
  cutBeforeCode(headline(attempt, decision), TITLE_MAX)

/** Half a piece of code is no code any more. */
function cutBeforeCode(text: string, max: number): string {
  if (text.length <= max) return text
  const spans = Array.from(text.matchAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g), ({ 0: span, index }) => ({
    index,
    end: index + span.length,
  }))
  const split = spans.find(({ index, end }) => index < max - 1 && end > max - 1)
  return `${upTo(text, split?.index ?? max - 1).trimEnd()}…`
}

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
