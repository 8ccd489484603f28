// A goal as GitHub has it: which issues are its tasks, whether it is open, and what the policy of the default branch asks.
// GitHub keeps which issue is whose; webhooks only say that it is worth a look.
import { goalLabelName } from '../../core/words/labels.ts'
import type { GoalClosed } from '../../core/goals/events.ts'
import type { TaskSeen } from '../../core/goals/goal-board.ts'
import { isLead } from '../../core/goals/judge-goal.ts'
import type { Closing } from '../../core/issue-closing.ts'
import type { Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { criteriaBelow } from '../criteria/settle-criteria.ts'
import { dependenciesBelow } from '../between/dependencies.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { endingOf } from '../issues/ended.ts'
import { goalAt, goalRef, placeOf, tellGoal } from '../issues/issue-record.ts'
import { personAt, policyOfIssues, type IssuePolicy } from '../issues/policy-of-issues.ts'
import { standingOf } from '../issues/standing.ts'
import type { Told } from '../record.ts'

/** False where there is nothing to see, or nothing to judge it by. */
export async function seeGoal(engine: Engine<Forge>, forge: Forge, ref: TaskRef, told: Told): Promise<boolean> {
  const { repository, number } = placeOf(ref)
  const [issue, governed] = await Promise.all([forge.goals.read(number), policyOfIssues(engine, forge, repository)])
  if (issue === null || governed === null) return false
  const { goal: terms } = governed
  const { elsewhere, title, by } = issue
  const ending = await endingOf(forge, { ...issue, number, bears_label: issue.is_goal }, goalLabelName)
  const isOpen = ending === null
  const closed = ending && (await judgedOnce(engine, forge, ref, ending, governed))
  const goalsBelow = await goalsAmong(engine, repository, issue.tasks)
  const inside = issue.tasks.filter((task) => !goalsBelow.includes(task))
  if (isOpen) await dependenciesBelow(engine, forge, repository, inside)
  const { clarification } = governed.request
  if (isOpen) await criteriaBelow(engine, forge, repository, { goal: number, tasks: inside, clarification })
  const left_out = [
    ...goalsBelow.map((task) => `#${task.number} is a goal, and goals have no goals in them`),
    ...elsewhere.map((name) => `${name} lies in another repository, and is not counted`),
  ]
  const tasks = await Promise.all(inside.map((task) => standingOf(engine, repository, task)))
  await tellGoal(engine, ref, { type: 'see_goal', number, title, by, closed, terms, tasks, left_out }, told)
  return true
}

/**
 * What a lead said with it then holds, whatever becomes of their rights. Nobody gives up a goal that a merge closed, nor one that
 * is verified.
 */
async function judgedOnce(
  engine: Engine<Forge>,
  forge: Forge,
  ref: TaskRef,
  { by, at, by_merge }: Closing,
  governed: IssuePolicy,
): Promise<GoalClosed> {
  const { closed: known, status } = await goalAt(engine, ref)
  const isKnown = known !== null && known.by?.id === by?.id && (known.at ?? at) === at && at !== ''
  if (isKnown) return known
  const mayGiveUp = !by_merge && status !== 'verified'
  const lead = by !== null && mayGiveUp && isLead(governed.goal, await personAt(forge, by, governed))
  return { by: by && { id: by.id, login: by.login }, lead, at }
}

/** The label alone makes no goal of a task: anybody who may label could take it out of its goal with that. */
async function goalsAmong(
  engine: Engine,
  repository: Repository,
  tasks: readonly TaskSeen[],
): Promise<readonly TaskSeen[]> {
  const labelled = tasks.filter(({ is_goal }) => is_goal)
  const known = await Promise.all(labelled.map(({ number }) => isOnRecord(engine, repository, number)))
  return labelled.filter((_task, index) => known[index])
}

export const isGoalNow = async (
  engine: Engine,
  forge: Forge,
  repository: Repository,
  number: number,
): Promise<boolean> =>
  (await isOnRecord(engine, repository, number)) && (await forge.goals.read(number))?.is_goal === true

const isOnRecord = async (engine: Engine, repository: Repository, number: number): Promise<boolean> =>
  (await goalAt(engine, goalRef(repository, number))).status !== 'none'
