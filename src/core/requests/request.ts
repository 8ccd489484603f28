// A request is what somebody wishes for, at an issue, before anybody entitled has let it become a task. Its state is a fold
// over its events; where its task stands is what that task's own record says, and is only copied here.
import { laterOf } from '../overtaken.ts'
import { hearing, refusedOnce, type Conversation } from '../people/conversation.ts'
import type { Account } from '../people/people.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { Slot } from '../decision/model.ts'
import type { GoalTask } from '../goals/goal.ts'
import type { Policy } from '../contract/policy/policy.ts'

export type RequestStatus =
  | 'none'
  | 'submitted'
  | 'needs_info'
  | 'triaged'
  | 'approved'
  | 'rejected'
  | 'in_work'
  | 'done'

/** What the policy of the default branch asks of requests. */
export type RequestTerms = Pick<Policy['intake'], 'approvers' | 'clarification' | 'task' | 'start'> & {
  readonly lead: readonly string[]
  readonly min_permission: Policy['override_policy']['min_permission']
}

/** What its issue says, as it stands now. `text` is a digest: whoever approves, approves these words. */
export type RequestWords = {
  readonly title: string
  readonly text: string
  readonly criteria: readonly string[]
  /** What is missing or unclear, in words. */
  readonly lacking: readonly string[]
}
/** Who closed its issue, or merged what did; null where GitHub does not tell. Older records have no time of it. */
export type RequestClosed = { readonly by: string | null; readonly at?: string; readonly by_merge?: boolean }
/** Why it is no more: somebody said so, or closed its issue. */
export type RequestTurnedDown = {
  readonly by: string | null
  readonly reason: string | null
  /** The issue was seen closed since. */
  readonly shut: boolean
  /** What was merged closed it, and nobody meant to. */
  readonly by_merge: boolean
}
export type RequestApproval = {
  readonly key: string
  readonly by: string
  readonly notes: string
  readonly solo: boolean
  readonly title: string
  readonly text: string
  /** The text of its task, where that gets an issue of its own. */
  readonly body: string | null
}

export type RequestState = Conversation & {
  readonly request_id: string
  readonly number: number
  readonly status: RequestStatus
  readonly by: Account | null
  readonly terms: RequestTerms
  readonly words: RequestWords
  readonly closed: RequestClosed | null
  /** Open until the issue says something else. */
  readonly question: { readonly by: string; readonly text: string; readonly about: string } | null
  readonly approval: RequestApproval | null
  /** Whose approval does not count any more, since the words were changed after it. */
  readonly outdated: string | null
  readonly turned_down: RequestTurnedDown | null
  /** When it was turned down or asked about last; empty where it never was, or an older record does not tell. */
  readonly halted_at: string
  /** What was said up to then is heard, but for what was about nothing; empty where an older record does not tell. */
  readonly heard_until: string
  readonly task: GoalTask | null
  /** How an agent was told; `problem` where GitHub did not let us. */
  readonly started: { readonly problem: string | null } | null
  readonly invariants_broken: readonly string[]
  readonly slots: Readonly<Record<string, Slot>>
}

const noTerms: RequestTerms = {
  approvers: [],
  clarification: 'warn',
  task: 'same',
  start: 'none',
  lead: [],
  min_permission: 'maintain',
}

export const emptyRequest = (request_id: string): RequestState => ({
  request_id,
  number: 0,
  status: 'none',
  by: null,
  terms: noTerms,
  words: { title: '', text: '', criteria: [], lacking: [] },
  closed: null,
  question: null,
  approval: null,
  outdated: null,
  turned_down: null,
  halted_at: '',
  heard_until: '',
  task: null,
  started: null,
  heard: [],
  refusals: {},
  invariants_broken: [],
  slots: {},
})

type OfRequest = Extract<NewEvent, { type: `Request${string}` | (typeof common)[number] }>
/** What is on the record of tasks too. */
const common = ['CommandRefused', 'OverrideDenied', 'SlotShown'] as const
const isOfRequest = (event: NewEvent): event is OfRequest =>
  event.type.startsWith('Request') || common.some((type) => type === event.type)

export const evolveRequest = (request: RequestState, event: NewEvent): RequestState =>
  isOfRequest(event) ? after(request, event) : broken(request, `${event.type} is no event of a request`)

function after(request: RequestState, event: OfRequest): RequestState {
  switch (event.type) {
    case 'RequestSubmitted': {
      const { number, by: login, user_id: id, terms, words, at: heard_until = '' } = event.data
      return moved({ ...request, number, by: { id, login }, terms, words, heard_until }, 'none', 'submitted')
    }
    case 'RequestSeen':
      return seen(request, event.data)
    case 'RequestQuestioned': {
      const { key, by, question: text, at } = event.data
      const [heard_until, halted_at] = [laterOf(request.heard_until, at), laterOf(request.halted_at, at)]
      return hearing({ ...request, heard_until, halted_at, question: { by, text, about: request.words.text } }, key)
    }
    case 'RequestApproved': {
      const { key, by, notes, solo, body, at } = event.data
      const { title, text } = request.words
      const approval = { key, by, notes, solo, body, title, text }
      const heard_until = laterOf(request.heard_until, at)
      const approved = { ...request, approval, heard_until, question: null, outdated: null, started: null }
      return hearing(moved(approved, request.status, 'approved'), key)
    }
    case 'RequestTurnedDown': {
      const { key, by, reason, shut, by_merge = false, at } = event.data
      const down = {
        ...request,
        question: null,
        approval: null,
        turned_down: { by, reason, shut, by_merge },
        halted_at: laterOf(request.halted_at, at),
      }
      const next = moved(down, request.status, 'rejected')
      return key === null ? next : hearing(next, key)
    }
    case 'RequestTaskMade':
      return { ...request, task: event.data.task }
    case 'RequestTaskMoved':
      return { ...request, task: event.data.task }
    case 'RequestStarted':
      return { ...request, started: { problem: event.data.problem } }
    case 'RequestStateChanged':
      return stateChanged(request, event.data)
    case 'CommandRefused':
    case 'OverrideDenied': {
      const { user: login, user_id: id = null, key } = event.data
      return hearing(refusedOnce(request, { id, login }), key)
    }
    case 'SlotShown': {
      const { slot, digest, ref } = event.data
      return { ...request, slots: { ...request.slots, [slot]: { digest, ref } } }
    }
  }
}

type DataOf<T extends OfRequest['type']> = Extract<OfRequest, { type: T }>['data']

function seen(request: RequestState, { words, closed, terms }: DataOf<'RequestSeen'>): RequestState {
  const { question, turned_down } = request
  return {
    ...request,
    words,
    closed,
    terms,
    question: question?.about === words.text ? question : null,
    turned_down: turned_down !== null && closed !== null ? { ...turned_down, shut: true } : turned_down,
  }
}

/** Approved words that were changed are approved no more, and what was turned down and opened again begins anew. */
function stateChanged(request: RequestState, { from, to }: DataOf<'RequestStateChanged'>): RequestState {
  const next = moved(request, from, to)
  if (to === 'submitted') return { ...next, turned_down: null, outdated: null }
  if (from === 'approved' && to === 'triaged')
    return { ...next, approval: null, outdated: request.approval?.by ?? null }
  return next
}

const transitions: Readonly<Record<RequestStatus, readonly RequestStatus[]>> = {
  none: ['submitted'],
  submitted: ['needs_info', 'triaged', 'rejected'],
  needs_info: ['triaged', 'rejected'],
  triaged: ['needs_info', 'approved', 'rejected'],
  approved: ['triaged', 'in_work', 'rejected'],
  rejected: ['submitted'],
  in_work: ['done'],
  done: ['in_work'],
}
export const requestMayMove = (from: RequestStatus, to: RequestStatus): boolean => transitions[from].includes(to)

function moved(request: RequestState, from: RequestStatus, to: RequestStatus): RequestState {
  if (request.status !== from || !requestMayMove(from, to))
    return broken(request, `the request cannot go from ${request.status} to ${to}`)
  return { ...request, status: to }
}

const broken = (request: RequestState, what: string): RequestState => ({
  ...request,
  invariants_broken: [...request.invariants_broken, what],
})
