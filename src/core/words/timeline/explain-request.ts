// The timeline of a request, in words: who asked, what was unclear, who approved it, what became of it.
import type { NewEvent } from '../../decision/record/events.ts'
import { neutralLine } from '../text/neutral.ts'

export type RequestEvent = Extract<NewEvent, { type: `Request${string}` }>

export const isOfRequests = (event: NewEvent): event is RequestEvent => event.type.startsWith('Request')

export function requestSentence(event: RequestEvent): string | null {
  switch (event.type) {
    case 'RequestSubmitted':
      return `found the request “${neutralLine(event.data.words.title)}” by ${neutralLine(event.data.by)}`
    case 'RequestSeen':
      return event.data.closed === null ? 'found the request as it is now' : 'found the issue of the request closed'
    case 'RequestQuestioned':
      return `asked: ${neutralLine(event.data.question)}`
    case 'RequestApproved':
      return `approved the request${event.data.notes === '' ? '' : `: ${neutralLine(event.data.notes)}`}`
    case 'RequestTurnedDown':
      if (event.data.by_merge === true) return 'found the request closed by a merge'
      return event.data.reason === null ? 'withdrew the request' : `turned it down: ${neutralLine(event.data.reason)}`
    case 'RequestTaskMade':
      return `made it the task #${event.data.task.number}`
    case 'RequestTaskMoved':
      return `saw #${event.data.task.number} ${event.data.task.status.replaceAll('_', ' ')}`
    case 'RequestStarted':
      return event.data.problem === null
        ? 'handed it over'
        : `could not hand it over: ${neutralLine(event.data.problem)}`
    case 'RequestStateChanged':
      return `moved the request from ${event.data.from.replaceAll('_', ' ')} to ${event.data.to.replaceAll('_', ' ')}`
  }
}
