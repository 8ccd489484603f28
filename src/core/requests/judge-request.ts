// Who may let a request become a task, turn it down or ask back. A machine never does, whoever's token it holds, and nobody
// approves what they asked for themselves while there is anybody else.
import type { NewEvent } from '../decision/record/events.ts'
import { ownerOf } from '../people/roster.ts'
import type { RefusalWhy } from '../decision/record/refusal.ts'
import type { Policy } from '../contract/policy/policy.ts'
import { isOvertaken } from '../overtaken.ts'
import type { RequestVerb } from '../people/command.ts'
import { refuse } from '../people/judge.ts'
import type { Saying } from '../people/saying.ts'
import { isLead, leadWords } from '../goals/judge-goal.ts'
import { whoMay } from '../people/naming.ts'
import { mayBeSame, sameLogin, type Census, type Person } from '../people/people.ts'
import { atLeast } from '../people/permission.ts'
import { actsSolo, isIn } from '../people/separation.ts'
import type { RequestState, RequestStatus, RequestTerms } from './request.ts'

export type RequestAct = {
  readonly verb: Exclude<RequestVerb, 'status'>
  readonly text: string
  readonly saying: Saying
  readonly terms: RequestTerms
  /** Apps and bots with a person behind them, and how many people have to be different ones. */
  readonly policy: Pick<Policy, 'identities' | 'separation' | 'roles'>
  /** When its title or its text was written last, as GitHub has it; null where they are as it was opened. */
  readonly edited_at: string | null
  /** The text of the issue, for a task that gets one of its own; null where it takes too long to read. */
  readonly body: string | null
}

const nowhere = { attempt_id: null, head_sha: null }

export function judgeRequest(request: RequestState, act: RequestAct): NewEvent {
  const isOwn = asked(request, act)
  const barred = act.verb === 'reject' && isOwn && act.saying.user.kind === 'human' ? null : notEntitled(act)
  if (barred !== null) return barred
  switch (act.verb) {
    case 'approve':
      return approved(request, act, isOwn)
    case 'reject':
      return turnedDown(request, act)
    case 'ask':
      return questioned(request, act)
  }
}

const from = ({ saying }: RequestAct) => ({ attempt: null, saying })

const isEntitled = ({ approvers, min_permission, ...terms }: RequestTerms, user: Person): boolean =>
  isLead(terms, user) ||
  (approvers.length === 0
    ? atLeast(user.permission, min_permission)
    : isIn(approvers, user) && atLeast(user.permission, 'write'))

/** Who may, in words; whoever is left out may not. */
export function approverWords(terms: RequestTerms, census: Census | null, except: Person | null = null): string[] {
  const named = [...terms.approvers, ...(terms.approvers.length > 0 ? leadWords(terms) : terms.lead)]
  const others = [...new Set(named)].filter((name) => except === null || !sameLogin(name, except.login))
  if (terms.approvers.length > 0) return others
  const makers = except === null ? null : [{ ...except, via: [] }]
  const anybody =
    census === null ? `somebody with ${terms.min_permission} permission` : whoMay(census, terms.min_permission, makers)
  return [...others.filter((name) => !anybody.split(/, | or /).some((one) => sameLogin(one, name))), anybody]
}

function notEntitled(act: RequestAct): NewEvent | null {
  const { terms, saying, policy } = act
  const { user, through, census } = saying
  const who = approverWords(terms, census)
  const denied = (why: RefusalWhy, detail: string | null): NewEvent =>
    refuse(from(act), 'OVERRIDE_NOT_PERMITTED', why, detail, who)
  if (user.kind === 'bot') return denied('bot', null)
  if (through !== null && !policy.identities.apps.some((app) => sameLogin(app, through)))
    return denied('through_app', through)
  if (isEntitled(terms, user)) return null
  return terms.approvers.length > 0
    ? denied('not_in_role', 'intake.approvers')
    : denied('permission', terms.min_permission)
}

/** Whoever wrote it, and the person behind a bot that did. */
function asked({ by }: RequestState, { saying: { user }, policy }: RequestAct): boolean {
  if (by === null) return false
  const owner = ownerOf(policy.identities, by.login)
  return mayBeSame(by, user) || (owner !== null && sameLogin(owner, user.login))
}

function approved(request: RequestState, act: RequestAct, isOwn: boolean): NewEvent {
  const { saying, terms, text, edited_at, body, policy } = act
  const { user, census, key, at } = saying
  const { lacking } = request.words
  if (terms.clarification === 'block' && request.status === 'needs_info' && lacking.length > 0)
    return refuse(from(act), 'USER_COMMAND_REFUSED', 'request_unclear', lacking.join('; '), [])
  const barred = notNow(request, act, 'approved', ['triaged', 'needs_info'])
  if (barred !== null) return barred
  if (isOvertaken(request.halted_at, saying)) return refuse(from(act), 'USER_COMMAND_REFUSED', 'overtaken', null, [])
  if (edited_at !== null && edited_at >= at) return refuse(from(act), 'HEAD_MOVED', 'request_edited', null, [])
  if (terms.task === 'new' && body === null)
    return refuse(from(act), 'USER_COMMAND_REFUSED', 'request_unclear', takesTooLong, [])
  const solo = isOwn && actsSolo(policy, census, user, terms.min_permission)
  if (isOwn && !solo)
    return refuse(from(act), 'SEPARATION_VIOLATED', 'own_request', null, approverWords(terms, census, user))
  const data = {
    key,
    by: user.login,
    user_id: user.id,
    notes: text,
    solo,
    body: terms.task === 'new' ? body : null,
    at,
  }
  return { type: 'RequestApproved', ...nowhere, data }
}

export const takesTooLong = 'its text takes too long to read: shorten it'

function turnedDown(request: RequestState, act: RequestAct): NewEvent {
  const barred = notNow(request, act, 'rejected', ['submitted', 'needs_info', 'triaged', 'approved'])
  if (barred !== null) return barred
  const { text: reason, saying } = act
  if (reason.trim() === '') return refuse(from(act), 'USER_COMMAND_REFUSED', 'reason_missing', null, [])
  const { key, user } = saying
  const data = { key, by: user.login, user_id: user.id, reason, shut: request.closed !== null, at: saying.at }
  return { type: 'RequestTurnedDown', ...nowhere, data }
}

function questioned(request: RequestState, act: RequestAct): NewEvent {
  const barred = notNow(request, act, 'needs_info', ['triaged', 'needs_info'])
  if (barred !== null) return barred
  const { text: question, saying } = act
  if (question.trim() === '') return refuse(from(act), 'USER_COMMAND_REFUSED', 'question_missing', null, [])
  const { key, user, at } = saying
  return { type: 'RequestQuestioned', ...nowhere, data: { key, by: user.login, user_id: user.id, question, at } }
}

/** Before there is a task it may be turned down; afterwards the task is what is judged. */
function notNow(
  request: RequestState,
  act: RequestAct,
  to: RequestStatus,
  ok: readonly RequestStatus[],
): NewEvent | null {
  const { status, task } = request
  const isLate = to === 'rejected' && task !== null
  if (ok.includes(status) && !isLate) return null
  return refuse(
    from(act),
    'USER_COMMAND_REFUSED',
    'undeclared_transition',
    `${status.replaceAll('_', ' ')} to ${to.replaceAll('_', ' ')}`,
    [],
  )
}
