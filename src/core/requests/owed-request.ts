// What the state of a request owes the world. Derived from state, never from events, so that whatever a crash left behind is
// found again.
import { digest } from '../canonical.ts'
import type { Shown } from '../decision/shown/owed.ts'
import { labelSlot, stickySlot } from '../decision/shown/slots.ts'
import { requestLabel, requestText, startText, taskText } from '../words/issues/request-page.ts'
import type { RequestState } from './request.ts'

export type StartWay = { readonly how: 'label' | 'assign' | 'mention'; readonly whom: string }
export type RequestOwed =
  | {
      readonly kind: 'show'
      readonly slot: string
      readonly digest: string
      readonly ref: string | null
      readonly shown: Shown
    }
  /** `body`: of an issue of its own; null where the issue of the request is the task. */
  | { readonly kind: 'make_task'; readonly approval: string; readonly title: string; readonly body: string | null }
  | {
      readonly kind: 'start'
      readonly approval: string
      readonly task: number
      readonly way: StartWay
      readonly words: string
    }
  | { readonly kind: 'close'; readonly reason: 'completed' | 'not_planned' }

/** Nothing is left to be done about it, until its task moves or its issue is opened again. */
export const isOver = ({ status }: RequestState): boolean => status === 'rejected' || status === 'done'

export function wayOf(start: string): StartWay | null {
  const [how = '', ...rest] = start.split(' ')
  const whom = rest.join(' ').trim()
  return how === 'label' || how === 'assign' || how === 'mention' ? { how, whom } : null
}

export function owedByRequest(request: RequestState): readonly RequestOwed[] {
  if (request.status === 'none') return []
  return [...handedOver(request), ...closing(request), ...shown(request)]
}

function handedOver(request: RequestState): RequestOwed[] {
  const { approval, task, started, terms } = request
  if (approval === null) return []
  const { key, title, body } = approval
  if (task === null)
    return [{ kind: 'make_task', approval: key, title, body: body === null ? null : taskText(request, body) }]
  const way = wayOf(terms.start)
  if (way === null || started !== null) return []
  return [{ kind: 'start', approval: key, task: task.number, way, words: startText(way.whom, task.number) }]
}

/** What is over is closed: the issue of a task that has its own closes with the request's outcome. */
function closing({ status, turned_down, task, number, closed }: RequestState): RequestOwed[] {
  if (status === 'rejected' && turned_down?.shut === false) return [{ kind: 'close', reason: 'not_planned' }]
  const isElsewhere = task !== null && task.number !== number
  return status === 'done' && isElsewhere && closed === null ? [{ kind: 'close', reason: 'completed' }] : []
}

function shown(request: RequestState): RequestOwed[] {
  const { number: pull } = request
  const wanted: readonly (readonly [string, Shown])[] = [
    [stickySlot(pull), { kind: 'sticky', pull, body: requestText(request) }],
    [labelSlot(pull), { kind: 'labels', pull, labels: [requestLabel(request)] }],
  ]
  return wanted.flatMap(([slot, what]): RequestOwed[] => {
    const known = request.slots[slot]
    if (known?.digest === digest(what)) return []
    return [{ kind: 'show', slot, digest: digest(what), ref: known?.ref ?? null, shown: what }]
  })
}
