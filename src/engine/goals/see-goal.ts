// A goal as GitHub has it: which issues are its tasks, whether it is open, and what the policy of the default branch asks.
// GitHub keeps which issue is whose; webhooks only say that it is worth a look.
import { goalLabelName } from '../../core/words/labels.ts'
import { isLead } from '../../core/goals/judge-goal.ts'
import type { Forge } from '../../ports.ts'
import { criteriaBelow } from '../criteria/settle-criteria.ts'
import { dependenciesBelow } from '../between/dependencies.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { placeOf, tellGoal } from '../issues/issue-record.ts'
import { personAt, policyOfIssues } from '../issues/policy-of-issues.ts'
import { standingOf } from '../issues/standing.ts'
import type { Told } from '../record.ts'

/** False where there is nothing to see, or nothing to judge it by. */
export async function seeGoal(engine: Engine<Forge>, forge: Forge, ref: TaskRef, told: Told): Promise<boolean> {
  const { repository, number } = placeOf(ref)
  const [issue, governed] = await Promise.all([forge.goals.read(number), policyOfIssues(engine, forge, repository)])
  if (issue === null || governed === null) return false
  const { goal: terms } = governed
  const { closed_by, elsewhere, title, by, open } = issue
  // Whoever takes the label away wants it to be none any more, as whoever closes it does.
  const isOpen = open && issue.is_goal
  const by_whom = open && !issue.is_goal ? await forge.labelledBy(number, goalLabelName, 'unlabeled') : closed_by
  const lead = by_whom !== null && isLead(terms, await personAt(forge, by_whom, governed))
  const inside = issue.tasks.filter((task) => !task.is_goal)
  if (isOpen) await dependenciesBelow(engine, forge, repository, inside)
  const { clarification } = governed.request
  if (isOpen) await criteriaBelow(engine, forge, repository, { goal: number, tasks: inside, clarification })
  const left_out = [
    ...issue.tasks
      .filter((task) => task.is_goal)
      .map((task) => `#${task.number} is a goal, and goals have no goals in them`),
    ...elsewhere.map((name) => `${name} lies in another repository, and is not counted`),
  ]
  const tasks = await Promise.all(inside.map((task) => standingOf(engine, repository, task)))
  const closed = isOpen ? null : { by: by_whom === null ? null : { id: by_whom.id, login: by_whom.login }, lead }
  await tellGoal(engine, ref, { type: 'see_goal', number, title, by, closed, terms, tasks, left_out }, told)
  return true
}
