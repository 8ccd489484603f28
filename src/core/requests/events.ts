// What can be on the record of a request: its own stream, beside that of the task that it becomes.
import type { GoalTask } from '../goals/goal.ts'
import type { RequestClosed, RequestStatus, RequestTerms, RequestWords } from './request.ts'

export type RequestEventData = {
  /** `by`: whoever wrote its issue. `at`, here and below: since when, or when it was said; older records do not have it. */
  RequestSubmitted: {
    number: number
    by: string
    user_id: number | null
    terms: RequestTerms
    words: RequestWords
    at?: string
  }
  /** Its issue was edited, closed or opened again, or the policy asks something else of requests by now. */
  RequestSeen: { words: RequestWords; closed: RequestClosed | null; terms: RequestTerms }
  RequestQuestioned: { key: string; by: string; user_id: number | null; question: string; at?: string }
  /** `body`: the text of its task, where that gets an issue of its own. */
  RequestApproved: {
    key: string
    by: string
    user_id: number | null
    notes: string
    solo: boolean
    body: string | null
    at?: string
  }
  /**
   * `key` and `reason` are null where its issue was closed, `by` as well where a merge did it. `at`: GitHub's time of the words or
   * of the closing. Older records have neither that nor `by_merge`.
   */
  RequestTurnedDown: {
    key: string | null
    by: string | null
    user_id: number | null
    reason: string | null
    shut: boolean
    at?: string
    by_merge?: boolean
  }
  RequestTaskMade: { task: GoalTask }
  /** Where its task stands by that one's own record. */
  RequestTaskMoved: { task: GoalTask }
  RequestStarted: { problem: string | null }
  RequestStateChanged: { from: RequestStatus; to: RequestStatus }
}
