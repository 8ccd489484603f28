// The timeline of a goal, in words: what was linked, how its tasks moved, who confirmed the whole.
import type { NewEvent } from '../../decision/record/events.ts'
import { neutralLine } from '../text/neutral.ts'

export type GoalEvent = Extract<NewEvent, { type: `Goal${string}` }>

export const isOfGoals = (event: NewEvent): event is GoalEvent => event.type.startsWith('Goal')

export function goalSentence(event: GoalEvent): string | null {
  switch (event.type) {
    case 'GoalCreated':
      return `opened the goal “${neutralLine(event.data.title)}”`
    case 'GoalSeen': {
      const { closed, title } = event.data
      return closed === null
        ? `found the goal “${neutralLine(title)}” as it is now`
        : 'found the issue of the goal closed'
    }
    case 'GoalTaskAsked':
      return `asked for #${event.data.number} to be ${event.data.linked ? 'linked' : 'unlinked'}`
    case 'GoalTaskRefused':
      return `left #${event.data.number} as it is: ${neutralLine(event.data.why)}`
    case 'GoalTaskLinked':
      return `linked the task #${event.data.task.number}: “${neutralLine(event.data.task.title)}”`
    case 'GoalTaskUnlinked':
      return `unlinked the task #${event.data.number}`
    case 'GoalTaskMoved':
      return `saw #${event.data.task.number} ${event.data.task.status.replaceAll('_', ' ')}`
    case 'GoalStateChanged':
      return `moved the goal from ${event.data.from} to ${event.data.to.replaceAll('_', ' ')}`
    case 'GoalVerified':
      return `confirmed the goal: ${[event.data.notes, ...event.data.evidence].map((one) => neutralLine(one)).join('; ')}`
    case 'GoalRejected':
      return `sent the goal back: ${neutralLine(event.data.reason)}`
    case 'GoalFixMade':
      return `made #${event.data.number} to mend it`
  }
}
