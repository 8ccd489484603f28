// Whom a pull request asks for a review: the stage whose turn it is and nobody else, or somebody where no check stands behind
// a success. Whoever made the change is never asked.
import { factsOf } from '../gate/facts.ts'
import { stageInTurn, stagesNow, type StageNow } from '../gate/stages.ts'
import { requestSlot } from './slots.ts'
import { sameLogin } from '../../people/people.ts'
import { isLeads, isRole } from '../../people/stage-people.ts'
import type { Decision } from '../decision.ts'
import type { Attempt, TaskState } from '../model.ts'

export type ReviewAsked = {
  readonly pull: number
  /** Logins and org/team. Those that were asked before and are not among them are asked no more. */
  readonly from: readonly string[]
  /** The administrators are asked too. */
  readonly admins: boolean
  readonly not: readonly string[]
  /** How often they have answered: whoever did is asked again by being asked anew. */
  readonly round: number
}

export function reviewAsked(task: TaskState, attempt: Attempt, decision: Decision): ReviewAsked[] {
  const { pull, contract } = attempt
  const not = task.builders.map(({ login }) => login)
  if (isUnlooked(decision)) {
    const { lead } = contract.policy.roles
    return [{ pull, from: lead, admins: lead.length === 0, not, round: 0 }]
  }
  // What is in nobody's way calls nobody.
  const asked = decision.row === 'review' && contract.policy.mode !== 'shadow' ? whom(task, attempt, decision) : null
  if (asked !== null) return [{ pull, ...asked, not: [...not, ...asked.not] }]
  return isReviewed(decision) && isStillAsked(task, attempt)
    ? [{ pull, from: [], admins: false, not: [], round: 0 }]
    : []
}

/** Whoever was asked and did not answer need not look any more. While machines are at work, they may have to again. */
const isReviewed = ({ row }: Decision): boolean =>
  row === 'success' || row === 'confirmation' || row === 'block' || row === 'parallel'

function isStillAsked(task: TaskState, { pull, contract }: Attempt): boolean {
  const asked = task.slots[requestSlot(pull)]?.ref?.split(',') ?? []
  const answered = task.reviews.filter((one) => one.pull === pull).flatMap(({ by, teams }) => [by, ...teams])
  const isAnswered = (name: string): boolean => answered.some((one) => sameLogin(one, name))
  return contract.policy.review.stages.length > 0 && asked.some((name) => !isAnswered(name))
}

/** A success that no check stands behind is looked at by somebody, although it does not wait for that. */
const isUnlooked = ({ status, by, warnings }: Decision): boolean =>
  status === 'success' && by !== 'human' && warnings.some(({ code }) => code === 'no_checks_ran')

type Whom = Pick<ReviewAsked, 'from' | 'admins' | 'not' | 'round'>

function whom(task: TaskState, attempt: Attempt, { reasons }: Decision): Whom | null {
  const stage = stageInTurn(stagesNow(task, attempt, factsOf(task, attempt).approvals))
  if (stage === null || stage.state !== 'waiting' || reasons[0]?.code !== 'stage_missing') return null
  // Whoever asked for changes is asked whether they are done, whichever team they did so for.
  const objected = reasons.flatMap(({ code, subject }) => (code === 'changes_requested' ? (subject ?? []) : []))
  const named = stage.missing.flat().filter((name) => !isRole(name))
  return {
    from: [...new Set([...named, ...objected])],
    admins: stage.missing.some((group) => group.some(isLeads)),
    not: stage.by.map(({ by }) => by),
    round: answers(task, attempt, stage),
  }
}

function answers({ reviews }: TaskState, { pull }: Attempt, { missing }: StageNow): number {
  const names = new Set(missing.flat().map((name) => name.toLowerCase()))
  return reviews
    .filter((one) => one.pull === pull && [one.by, ...one.teams].some((name) => names.has(name.toLowerCase())))
    .reduce((sum, { standing }) => sum + (standing === 'dismissed' ? 2 : 1), 0)
}
