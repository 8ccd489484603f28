// A goal as GitHub has it: which issues are its tasks, whether it is open, and what the policy of the default branch asks.
// GitHub keeps which issue is whose; webhooks only say that it is worth a look.
import type { GoalTask, GoalTerms } from '../../core/goals/goal.ts'
import { isLead } from '../../core/goals/judge-goal.ts'
import type { Policy } from '../../core/contract/policy.ts'
import type { Maker, Person } from '../../core/people/people.ts'
import type { Repository } from '../../core/news.ts'
import type { TaskState } from '../../core/decision/model.ts'
import type { Forge } from '../../ports.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { refOf } from '../own-task.ts'
import type { Told } from '../record.ts'
import { governedBy } from '../terms.ts'
import { placeOf, tellGoal } from './goal-record.ts'

const TASKS_MAX = 20

/** What goals are judged by; null where the default branch has no policy, or has switched it off. */
export async function policyOfGoals(
  engine: Engine,
  forge: Forge,
  repository: Repository,
): Promise<{ readonly policy: Policy; readonly terms: GoalTerms } | null> {
  const texts = await forge.policy(null)
  if (texts.own === null && texts.organisation === null) return null
  const { policy } = await governedBy(engine, repository, texts)
  if (policy.mode === 'off') return null
  const { integration_checks, max_tasks = TASKS_MAX, merge_requires = 'verified' } = policy.goals
  return { policy, terms: { lead: policy.roles.lead, integration_checks, max_tasks, merge_requires } }
}

export const teamsIn = (names: readonly string[]): readonly string[] => names.filter((name) => name.includes('/'))

export const personAt = (forge: Forge, by: Maker, { lead }: GoalTerms): Promise<Person> =>
  forge.person(by, teamsIn(lead))

/** False where there is nothing to see, or nothing to judge it by. */
export async function seeGoal(engine: Engine<Forge>, forge: Forge, ref: TaskRef, told: Told): Promise<boolean> {
  const { repository, number } = placeOf(ref)
  const [issue, governed] = await Promise.all([forge.goals.read(number), policyOfGoals(engine, forge, repository)])
  if (issue === null || governed === null) return false
  const { terms } = governed
  const { closed_by, elsewhere, title, by, open } = issue
  const lead = closed_by !== null && isLead(terms, await personAt(forge, closed_by, terms))
  const inside = issue.tasks.filter((task) => !task.is_goal)
  const left_out = [
    ...issue.tasks
      .filter((task) => task.is_goal)
      .map((task) => `#${task.number} is a goal, and goals have no goals in them`),
    ...elsewhere.map((name) => `${name} lies in another repository, and is not counted`),
  ]
  const tasks = await Promise.all(inside.map((task) => standingOf(engine, repository, task)))
  const closed = open ? null : { by: closed_by === null ? null : { id: closed_by.id, login: closed_by.login }, lead }
  await tellGoal(engine, ref, { type: 'see_goal', number, title, by, closed, terms, tasks, left_out }, told)
  return true
}

/** Where a task stands, by its own record. */
export async function standingOf(
  engine: Engine,
  repository: Repository,
  { number, title }: Pick<GoalTask, 'number' | 'title'>,
): Promise<GoalTask> {
  const { task } = await load(engine, refOf(repository, `${repository.key}#${number}`))
  const { status, attempts } = task
  const pull = attempts.findLast(({ group }) => group === null)?.pull ?? null
  return { number, title, status: status === 'none' ? 'pending' : status, pull, who: whoIn(task) }
}

function whoIn({ status, assignee, confirmers, attempts }: TaskState): string | null {
  if (status !== 'verified') return assignee?.login ?? null
  return (
    attempts.findLast(({ confirmed_by }) => confirmed_by !== null)?.confirmed_by?.by ?? confirmers.at(-1)?.login ?? null
  )
}
