// The moves of a task that people ask for: assign, start, submit, confirm, send back, reopen. No other door reaches
// `completed` or `verified`, and every door comes through here.
import type { NewEvent } from '../decision/record/events.ts'
import { blockersOf } from '../decision/gate/blocked.ts'
import { isThrough } from '../decision/gate/afterwards.ts'
import { taskMayMove } from '../decision/rules/transitions.ts'
import type { Attempt, TaskState, TaskStatus } from '../decision/model.ts'
import type { TaskVerb } from './command.ts'
import { barredFrom, grant, isOfNow, isOwnWord, refuse, rejectedThen, type Heard } from './judge.ts'
import { whoMay } from './naming.ts'
import { accountOf, isSame } from './people.ts'
import { atLeast } from './permission.ts'
import { actsSolo, builderCalled, isIn, separationFor } from './separation.ts'

export function judgeTask(heard: Heard, verb: TaskVerb, text: string, items: readonly string[] = []): NewEvent[] {
  const { task, attempt, saying } = heard
  if (verb === 'reassign' || verb === 'accept' || verb === 'split') return triage(heard, verb, text, items)
  const { from, to } = moves[verb]
  // What is confirmed, sent back or handed in is what its author had in front of them.
  const bound = verb === 'verify' || verb === 'reject' || verb === 'submit'
  const isNo = verb === 'reject' && isUnmerged(attempt)
  if (bound && !(saying.sha === attempt.head_sha && (isNo || isOfNow(heard))))
    return [
      ...(verb === 'reject' && text.trim() !== '' ? rejectedThen(heard, { sha: null, reason: text }, false) : []),
      refuse(heard, 'HEAD_MOVED', 'head_moved', attempt.head_sha, []),
    ]
  // A no to what is not merged is one wherever the task stands, which may be where another pull request of it has brought it.
  if (isNo) return sendBack(heard, text)
  const isDelivered = (verb === 'verify' || verb === 'reject') && isMergedUnreviewed(heard)
  const status = isDelivered ? 'completed' : task.status
  if (status !== from || !taskMayMove(from, to)) {
    return [refuse(heard, 'USER_COMMAND_REFUSED', 'undeclared_transition', `${task.status} to ${to}`, [])]
  }
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const by = saying.user.login
  switch (verb) {
    case 'assign':
      return lead(heard) ?? assigned(heard, text)
    case 'start':
      return assignee(heard) ?? blocked(heard) ?? [{ type: 'TaskStarted', ...at, data: { by, implicit: false } }]
    case 'submit':
      return (
        builder(heard) ?? [
          { type: 'TaskSubmitted', ...at, data: { by, summary: text, files_changed: [], implicit: false } },
        ]
      )
    case 'verify':
      return confirm(heard, text)
    case 'reject':
      return sendBack(heard, text)
    case 'reopen':
      return (
        lead(heard) ??
        reasoned(heard, text) ?? [
          { type: 'TaskReopened', ...at, data: { by, reason: text, assignee: task.assignee?.login ?? null } },
        ]
      )
  }
}

const moves = {
  assign: { from: 'pending', to: 'assigned' },
  start: { from: 'assigned', to: 'in_progress' },
  submit: { from: 'in_progress', to: 'review' },
  verify: { from: 'completed', to: 'verified' },
  reject: { from: 'completed', to: 'in_progress' },
  reopen: { from: 'verified', to: 'in_progress' },
} as const satisfies Record<Exclude<TaskVerb, Triage>, { from: TaskStatus; to: TaskStatus }>

/** A different identity confirms what was built and approved; what nobody else can confirm is labelled solo. */
function confirm(heard: Heard, notes: string): NewEvent[] {
  const { task, attempt, saying } = heard
  const refused = whoMayConfirm(heard)
  if (refused !== null) return [refused]
  if (isEscalated(task)) return [refuse(heard, 'SEPARATION_VIOLATED', 'awaits_lead', null, leadsOf(heard))]
  // What was closed without being merged delivers nothing.
  if (!attempt.live && attempt.merged === null) return [refuse(heard, 'USER_COMMAND_REFUSED', 'not_merged', null, [])]
  if (!isThatFar(heard)) return [refuse(heard, 'USER_COMMAND_REFUSED', 'completed_elsewhere', null, [])]
  const separation = separationFor(attempt.contract.policy, saying.census, task.builders)
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const { key, at: said_at, user } = saying
  const data = { key, by: user.login, user_id: user.id, notes, separation, at: said_at }
  const merger = attempt.merged?.by?.login ?? 'whoever merged it'
  const completed: NewEvent[] = isMergedUnreviewed(heard)
    ? [{ type: 'TaskCompleted', ...at, data: { by: merger, approvals: [] } }]
    : []
  return [...completed, { type: 'TaskVerified', ...at, data }]
}

/** Of several pull requests of a task only one that nothing else is missing of can be what is confirmed. */
function isThatFar({ task, attempt }: Heard): boolean {
  const isAlone = !task.attempts.some(
    ({ live, merged, pull, group }) => (live || merged !== null) && group === null && pull !== attempt.pull,
  )
  return isAlone || !attempt.live || isReady(attempt)
}

/** Also as a draft or closed it may come back. */
const isUnmerged = ({ live, merged }: Attempt): boolean => live || merged === null

const isReady = ({ decision }: Attempt): boolean => decision !== null && isThrough(decision)

/** Where nobody had to approve it, whoever merged it found it complete. */
const isMergedUnreviewed = ({ task, attempt }: Heard): boolean =>
  task.status === 'review' && attempt.merged !== null && attempt.decision?.status === 'success'

function whoMayConfirm(heard: Heard): NewEvent | null {
  const { task, attempt, saying } = heard
  const { policy } = attempt.contract
  const { user } = saying
  const { verifier, lead } = policy.roles
  const separation = separationFor(policy, saying.census, task.builders)
  const who = verifier.length > 0 ? verifier : [whoMay(saying.census, 'write', task.builders)]
  const named = isIn(verifier, user)
  if (!isOwnWord(heard)) return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'through_app', saying.through, who)
  if (user.kind === 'bot' && !named) return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'bot', null, who)
  if (verifier.length > 0 && !named && !isIn(lead, user)) {
    return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'not_in_role', 'roles.verifier', who)
  }
  if (user.kind === 'human' && !atLeast(user.permission, 'write')) {
    return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'permission', 'write', who)
  }
  const maker = builderCalled(task.builders, user)
  if (maker !== null) {
    const directed = maker.via.every((via) => via === 'owner')
    const may = user.kind === 'human' && directed && actsSolo(policy, saying.census, user, 'write')
    return may ? null : refuse(heard, 'SEPARATION_VIOLATED', 'builder', null, who)
  }
  if (hasApproved(heard) && separation === 'triple') return refuse(heard, 'SEPARATION_VIOLATED', 'approver', null, who)
  const shipped = task.attempts.some(
    ({ merged }) => merged?.by !== undefined && merged.by !== null && isSame(merged.by, user),
  )
  if (shipped && separation !== 'solo') return refuse(heard, 'SEPARATION_VIOLATED', 'merged_it', null, who)
  return null
}

/** Ever, by review or directly: what became of the approval since does not undo that it was given. */
function hasApproved({ task, saying: { user } }: Heard): boolean {
  const reviewed = task.reviews.some(
    (review) => review.counts && review.state === 'approved' && isSame(accountOf(review), user),
  )
  const direct = task.attempts
    .flatMap(({ acts }) => acts)
    .some(({ type, user: by, user_id }) => type === 'DIRECT_APPROVAL' && isSame({ id: user_id, login: by }, user))
  return reviewed || direct
}

/** Not confirmed: the commit is rejected and the task goes back to work. */
function sendBack(heard: Heard, reason: string): NewEvent[] {
  const barred = barredFrom(heard, 'write', false)
  if (barred !== null) return [barred]
  const unreasoned = reasoned(heard, reason)
  if (unreasoned !== null) return unreasoned
  const { task, attempt, saying } = heard
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const { login: by, id: user_id } = saying.user
  const no = grant(heard, 'REJECTION', [], reason, false)
  // What waited for nobody's confirmation was not sent back from one.
  const isDelivered = task.status === 'completed' || (attempt.live && isReady(attempt))
  if (isUnmerged(attempt) && (saying.again === true || !isDelivered)) return [no]
  const count = task.sent_back.length + 1
  const events: NewEvent[] = [{ type: 'VerificationRejected', ...at, data: { by, user_id, reason, count } }, no]
  if (count === SENT_BACK_MAX)
    events.push({ type: 'EscalationRaised', ...at, data: { why: 'sent_back_twice', to: leadsOf(heard) } })
  if (attempt.live) return events
  // No decision is made any more about what is merged or closed, so nothing else takes the task back.
  return [...events, { type: 'TaskSentBack', ...at, data: { from: task.status, by: saying.user.login, reason } }]
}

const reasoned = (heard: Heard, reason: string): NewEvent[] | null =>
  reason.trim() === '' ? [refuse(heard, 'USER_COMMAND_REFUSED', 'reason_missing', null, [])] : null

function lead(heard: Heard): NewEvent[] | null {
  const { roles } = heard.attempt.contract.policy
  const { user } = heard.saying
  const is = roles.lead.length > 0 ? isIn(roles.lead, user) : user.permission === 'admin'
  // A name that the policy lists may be a stranger's by now.
  const may = user.kind === 'human' && atLeast(user.permission, 'write')
  if (may && is && isOwnWord(heard)) return null
  return [refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'not_in_role', 'roles.lead', leadsOf(heard))]
}

const leadsOf = ({ attempt, saying }: Heard): readonly string[] => {
  const { lead } = attempt.contract.policy.roles
  return lead.length > 0 ? lead : [whoMay(saying.census, 'admin', null)]
}

/** Sent back so often, the task is not confirmed before a lead has decided how it goes on. */
const SENT_BACK_MAX = 2
export const isEscalated = ({ sent_back }: Pick<TaskState, 'sent_back'>): boolean => sent_back.length >= SENT_BACK_MAX

type Triage = Extract<TaskVerb, 'reassign' | 'accept' | 'split'>

function triage(heard: Heard, action: Triage, text: string, parts: readonly string[]): NewEvent[] {
  const barred = lead(heard)
  if (barred !== null) return barred
  const { task, attempt, saying } = heard
  if (!isEscalated(task)) return [refuse(heard, 'USER_COMMAND_REFUSED', 'not_escalated', null, [])]
  const { named = null, key, user } = saying
  if (action === 'reassign' && named === null)
    return [refuse(heard, 'USER_COMMAND_REFUSED', 'nobody_named', nameIn(text), [])]
  if (action === 'split' && parts.length === 0)
    return [refuse(heard, 'USER_COMMAND_REFUSED', 'parts_missing', null, [])]
  const unreasoned = action === 'accept' ? reasoned(heard, text) : null
  if (unreasoned !== null) return unreasoned
  const assignee = action === 'reassign' ? named : null
  const data = { key, by: user.login, action, reason: text, assignee, ...(action === 'split' ? { parts } : {}) }
  return [{ type: 'TriageDecided', attempt_id: attempt.id, head_sha: attempt.head_sha, data }]
}

/** Whom an assignment names, as they are called. */
export const nameIn = (text: string): string => text.trim().replace(/^@/, '')

function assigned(heard: Heard, text: string): NewEvent[] {
  const { attempt, saying } = heard
  const { named = null } = saying
  if (named === null) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nobody_named', nameIn(text), [])]
  const data = { by: saying.user.login, assignee: named.login, assignee_id: named.id, hat: 'builder', implicit: false }
  return [{ type: 'TaskAssigned', attempt_id: attempt.id, head_sha: attempt.head_sha, data }]
}

/** What has to be verified before it is begun. */
function blocked(heard: Heard): NewEvent[] | null {
  const names = blockersOf(heard.task).map(({ name }) => name)
  return names.length === 0 ? null : [refuse(heard, 'USER_COMMAND_REFUSED', 'blocked', names.join(', '), [])]
}

function assignee(heard: Heard): NewEvent[] | null {
  const { assignee } = heard.task
  if (assignee !== null && isSame(assignee, heard.saying.user) && isOwnWord(heard)) return null
  const who = assignee === null ? [] : [assignee.login]
  return [refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'not_in_role', 'assignee', who)]
}

function builder(heard: Heard): NewEvent[] | null {
  const { task, saying } = heard
  if (builderCalled(task.builders, saying.user) !== null) return null
  const who = task.builders.map(({ login }) => login)
  return [refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'not_in_role', 'builder', who)]
}
