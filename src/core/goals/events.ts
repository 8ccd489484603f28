// What can be on the record of a goal: its own stream, beside those of its tasks.
import type { Account } from '../people/people.ts'
import type { GoalStatus, GoalTask, GoalTerms } from './goal.ts'

export type GoalEventData = {
  /** `by`: whoever made the issue a goal. `at`, here and below: since when, or when it was said; older records do not have it. */
  GoalCreated: { number: number; title: string; by: string; user_id: number | null; terms: GoalTerms; at?: string }
  /** Its issue was edited, closed or opened again, or the policy asks something else of goals by now. */
  GoalSeen: { title: string; closed: GoalClosed | null; terms: GoalTerms; left_out: readonly string[] }
  /** A lead wants an issue to be one of its tasks, or none any more. */
  GoalTaskAsked: { key: string; by: string; number: number; linked: boolean; at?: string }
  /** GitHub does not let it be one, for good. */
  GoalTaskRefused: { number: number; why: string }
  GoalTaskLinked: { task: GoalTask }
  GoalTaskUnlinked: { number: number }
  /** Where a task stands by its own record. */
  GoalTaskMoved: { task: GoalTask }
  GoalStateChanged: { from: GoalStatus; to: GoalStatus }
  GoalVerified: {
    key: string
    by: string
    user_id: number | null
    notes: string
    evidence: readonly string[]
    at?: string
  }
  /** `fixes`: the titles of the tasks that are to mend it. */
  GoalRejected: {
    key: string
    by: string
    user_id: number | null
    reason: string
    fixes: readonly string[]
    at?: string
  }
  /** The issue of one of those tasks is there. */
  GoalFixMade: { rejection: string; index: number; number: number }
}
/** `lead`: who closed it was one then, and gave it up with that. `at`: GitHub's time of it; older records do not have it. */
export type GoalClosed = { readonly by: Account | null; readonly lead: boolean; readonly at?: string }
