// Which approvals a merge needs, and which of them are there.
import type { Review } from '../../people/people.ts'
import { isIn } from '../../people/separation.ts'
import { changesRequestedBefore, type Facts } from './facts.ts'
import type { Reason } from '../decision.ts'

/** What the reviewers still owe; empty when nothing does. The first stage that is not satisfied is the one named. */
export function approvalsMissing(facts: Facts): Reason[] {
  const standing = changesRequestedBefore(facts.task, facts.attempt).map(({ by, head_sha }): Reason => ({
    code: 'changes_requested',
    subject: by,
    detail: head_sha,
  }))
  if (standing.length > 0) return standing
  const stage = unsatisfiedStage(facts)
  if (stage !== null) return [{ code: 'stage_missing', subject: stage.name, detail: stage.by.join(', ') || null }]
  if (!approvalNeeded(facts) || facts.approvals.length > 0) return []
  return [{ code: 'approval_missing', subject: null, detail: null }]
}

export function approvalNeeded({ policy, required }: Facts): boolean {
  if (policy.merge_requires !== 'success') return true
  return policy.verification.no_checks === 'require_human' && required.length === 0
}

export function unsatisfiedStage({ policy, approvals }: Facts): Facts['policy']['review']['stages'][number] | null {
  const unsatisfied = policy.review.stages.find(({ by, count }) => {
    const counted = approvals.filter((review) => by.length === 0 || by.some((name) => fits(policy, name, review)))
    return counted.length < count
  })
  return unsatisfied ?? null
}

/** A stage names logins, teams or roles. Without a list, lead means the admins and the other roles whoever may review. */
function fits(policy: Facts['policy'], name: string, { by: login, teams, permission }: Review): boolean {
  if (name !== 'lead' && name !== 'reviewer' && name !== 'verifier') return isIn([name], { login, teams })
  const members = policy.roles[name]
  if (members.length > 0) return isIn(members, { login, teams })
  return name === 'lead' ? permission === 'admin' : true
}
