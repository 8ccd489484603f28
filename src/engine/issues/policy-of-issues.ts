// What goals and requests are judged by: the policy of the default branch, since they lie on no branch.
import type { Policy } from '../../core/contract/policy/policy.ts'
import { personUnder } from '../../core/people/roster.ts'
import type { GoalTerms } from '../../core/goals/goal.ts'
import type { RequestTerms } from '../../core/requests/request.ts'
import type { Maker, Person } from '../../core/people/people.ts'
import type { Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import type { Engine } from '../engine.ts'
import { governedBy } from '../attempts/terms.ts'

const TASKS_MAX = 20

export type IssuePolicy = { readonly policy: Policy; readonly goal: GoalTerms; readonly request: RequestTerms }

/** Null where the default branch has no policy, or has switched it off. */
export async function policyOfIssues(
  engine: Engine,
  forge: Forge,
  repository: Repository,
): Promise<IssuePolicy | null> {
  const texts = await forge.policy(null)
  if (texts.own === null && texts.organisation === null) return null
  const { policy } = await governedBy(engine, repository, texts)
  if (policy.mode === 'off') return null
  const { integration_checks, max_tasks = TASKS_MAX, merge_requires = 'verified' } = policy.goals
  const { lead } = policy.roles
  const { approvers, clarification, task, start } = policy.intake
  const { min_permission } = policy.override_policy
  return {
    policy,
    goal: { lead, integration_checks, max_tasks, merge_requires },
    request: { approvers, clarification, task, start, lead, min_permission },
  }
}

export async function personAt(
  forge: Forge,
  by: Maker,
  { policy, request }: Pick<IssuePolicy, 'policy' | 'request'>,
): Promise<Person> {
  const teams = [...request.lead, ...request.approvers].filter((name) => name.includes('/'))
  return personUnder(policy.identities, await forge.person(by, teams), by.login)
}
