// What somebody asked for and did not get, as it is recorded.

/** Something a person asked for and did not get: which rule stood against it, and who may instead. */
export type Refusal = {
  key: string
  user: string
  user_id?: number | null
  command: string
  code: RefusalCode
  why: RefusalWhy
  detail: string | null
  who_may: readonly string[]
  /** When it was asked for; older records do not have it. */
  at?: string
}
export type RefusalCode = 'OVERRIDE_NOT_PERMITTED' | 'SEPARATION_VIOLATED' | 'HEAD_MOVED' | 'USER_COMMAND_REFUSED'
// prettier-ignore
export type RefusalWhy =
  | 'bot' | 'permission' | 'builder' | 'approver' | 'head_moved' | 'reason_missing' | 'forbidden_by_policy'
  | 'not_in_role' | 'unknown_check' | 'nothing_to_override' | 'nothing_to_acknowledge' | 'nothing_to_take_back'
  | 'not_builder' | 'assumption_missing' | 'nothing_to_complete' | 'nobody_named' | 'through_app' | 'not_its_author' | 'same_evidence' | 'verifier_off' | 'no_attempt' | 'undeclared_transition'
  | 'blocked' | 'own_request' | 'request_unclear' | 'request_edited' | 'question_missing' | 'awaits_lead' | 'not_escalated' | 'parts_missing' | 'no_task_named' | 'goals_do_not_nest' | 'not_linked' | 'too_many_tasks' | 'notes_missing' | 'integration_not_green' | 'overtaken' | 'merged_it' | 'not_merged' | 'completed_elsewhere'
