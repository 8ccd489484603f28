// A batch of events in the making, with the state as it will be once they are recorded.
import type { NewEvent } from '../record/events.ts'
import { evolve } from '../record/evolve.ts'
import type { TaskState } from '../model.ts'

export type Draft = { task: TaskState; readonly events: NewEvent[]; readonly at: string }

export function emit(draft: Draft, ...events: readonly NewEvent[]): void {
  for (const event of events) {
    draft.events.push(event)
    draft.task = evolve(draft.task, event, draft.at)
  }
}
