// What an input means for a request: new events, or none where it says nothing new. First the facts that it brings, then
// where they put the request. The same input twice changes nothing the second time.
import { equal } from '../canonical.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { GoalTask } from '../goals/goal.ts'
import type { Closing } from '../issue-closing.ts'
import type { Maker } from '../people/people.ts'
import { judgeRequest, type RequestAct } from './judge-request.ts'
import { evolveRequest, requestMayMove } from './request.ts'
import type { RequestState, RequestStatus, RequestTerms, RequestWords } from './request.ts'

export type RequestInput =
  /** The issue as GitHub has it. */
  | {
      readonly type: 'see_request'
      readonly number: number
      readonly by: Pick<Maker, 'id' | 'login'>
      readonly closed: (Omit<Closing, 'by'> & { readonly by: Pick<Maker, 'id' | 'login'> | null }) | null
      readonly words: RequestWords
      readonly terms: RequestTerms
    }
  | { readonly type: 'report_task'; readonly task: GoalTask }
  | { readonly type: 'note_task'; readonly approval: string; readonly task: GoalTask }
  | { readonly type: 'note_start'; readonly approval: string; readonly problem: string | null }
  | ({ readonly type: 'give_request_command' } & RequestAct)
  | { readonly type: 'show_slot'; readonly slot: string; readonly digest: string; readonly ref: string | null }

type Draft = { request: RequestState; readonly events: NewEvent[]; readonly at: string }

export function decideRequest(request: RequestState, input: RequestInput, at = ''): readonly NewEvent[] {
  const draft: Draft = { request, events: [], at }
  told(draft, input)
  if (draft.events.length > 0) follow(draft)
  return draft.events
}

const nowhere = { attempt_id: null, head_sha: null }

function emit(draft: Draft, event: NewEvent): void {
  draft.events.push(event)
  draft.request = evolveRequest(draft.request, event)
}

function told(draft: Draft, input: RequestInput): void {
  const { request } = draft
  switch (input.type) {
    case 'see_request':
      return seen(draft, input)
    case 'report_task':
      if (request.task?.number === input.task.number && !equal(request.task, input.task))
        emit(draft, { type: 'RequestTaskMoved', ...nowhere, data: { task: input.task } })
      return
    case 'note_task':
      if (request.approval?.key === input.approval && request.task === null)
        emit(draft, { type: 'RequestTaskMade', ...nowhere, data: { task: input.task } })
      return
    case 'note_start':
      if (request.approval?.key === input.approval && request.started === null)
        emit(draft, { type: 'RequestStarted', ...nowhere, data: { problem: input.problem } })
      return
    case 'give_request_command':
      if (!request.heard.includes(input.saying.key)) judged(draft, judgeRequest(request, input))
      return
    case 'show_slot': {
      const { slot, digest, ref } = input
      if (request.slots[slot]?.digest !== digest)
        emit(draft, { type: 'SlotShown', ...nowhere, data: { slot, digest, ref } })
    }
  }
}

/** Whoever approves needs no answer any more: no state is passed over. */
function judged(draft: Draft, event: NewEvent): void {
  if (event.type === 'RequestApproved' && draft.request.status === 'needs_info')
    emit(draft, { type: 'RequestStateChanged', ...nowhere, data: { from: 'needs_info', to: 'triaged' } })
  emit(draft, event)
}

/** An issue that is closed before it became a task was withdrawn; by a merge it is only turned down, and nobody did. */
function seen(draft: Draft, input: Extract<RequestInput, { type: 'see_request' }>): void {
  const { number, terms, words, by } = input
  const { closed: ending } = input
  const who = ending === null || ending.by_merge ? null : ending.by
  const closed = ending && { by: ending.by?.login ?? null, at: ending.at, ...(ending.by_merge && { by_merge: true }) }
  if (draft.request.status === 'none') {
    const data = { number, by: by.login, user_id: by.id, terms, words, at: draft.at }
    emit(draft, { type: 'RequestSubmitted', ...nowhere, data })
  }
  const now = { words, closed, terms }
  if (!equal({ ...draft.request, ...now }, draft.request)) emit(draft, { type: 'RequestSeen', ...nowhere, data: now })
  follow(draft)
  const { task, status } = draft.request
  if (closed === null || task !== null || !requestMayMove(status, 'rejected')) return
  const by_merge = closed.by_merge === true ? { by_merge: true } : {}
  const data = {
    key: null,
    by: who?.login ?? null,
    user_id: who?.id ?? null,
    reason: null,
    shut: true,
    at: closed.at,
    ...by_merge,
  }
  emit(draft, { type: 'RequestTurnedDown', ...nowhere, data })
}

/** No state is passed over. */
function follow(draft: Draft): void {
  for (let to = next(draft.request); to !== null; to = next(draft.request))
    emit(draft, { type: 'RequestStateChanged', ...nowhere, data: { from: draft.request.status, to } })
}

function next(request: RequestState): RequestStatus | null {
  const to = wanted(request)
  return to !== request.status && requestMayMove(request.status, to) ? to : null
}

function wanted(request: RequestState): RequestStatus {
  const { status, task, turned_down, closed } = request
  switch (status) {
    case 'none':
      return status
    case 'submitted':
    case 'needs_info':
    case 'triaged':
      return isUnclear(request) ? 'needs_info' : 'triaged'
    case 'approved':
      if (task !== null && hasBegun(task)) return 'in_work'
      return isOutdated(request) ? 'triaged' : status
    case 'rejected':
      return turned_down?.shut === true && closed === null ? 'submitted' : status
    case 'in_work':
    case 'done':
      return task?.status === 'verified' ? 'done' : 'in_work'
  }
}

const isUnclear = ({ words, terms, question }: RequestState): boolean =>
  question !== null || (terms.clarification === 'block' && words.lacking.length > 0)

/** Its issue is the task, so what was approved is what stands there. */
const isOutdated = ({ approval, words }: RequestState): boolean =>
  approval !== null && approval.body === null && approval.text !== words.text

export const hasBegun = ({ status }: GoalTask): boolean =>
  status !== 'none' && status !== 'pending' && status !== 'assigned'
