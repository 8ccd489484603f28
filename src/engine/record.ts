// RECORD: what somebody or something tells a task is decided on, and comes on the record.
import type { Actor, RecordedEvent } from '../core/decision/record/events.ts'
import type { Input } from '../core/decision/rules/inputs.ts'
import type { TaskState } from '../core/decision/model.ts'
import { appended } from './aggregates.ts'
import { issuesAbove } from './issues/issue-record.ts'
import { lookAhead } from './last-look.ts'
import { tellBehind } from './between/ahead.ts'
import { tellQueued } from './between/queued.ts'
import { tellWaiting } from './between/waiting.ts'
import { tasks, type Engine, type TaskRef } from './engine.ts'

/** We ourselves, where nobody else acted. */
export const app: Actor = { kind: 'app', login: 'countersign', id: null }

export type Told = { readonly actor: Actor; readonly correlation_id: string }
export type Recorded = { readonly task: TaskState; readonly events: readonly RecordedEvent[] }

export async function record(
  engine: Engine,
  ref: TaskRef,
  input: Input | readonly Input[],
  told: Told,
): Promise<Recorded> {
  const inputs = 'type' in input ? [input] : input
  const {
    before,
    state: task,
    events,
  } = await appended(engine, tasks, ref, inputs, told, (known, next) =>
    // What comes from checks was read just now.
    lookAhead(engine, ref, known, next, told.actor.kind === 'action'),
  )
  if (events.length === 0) return { task, events }
  engine.onRecorded(ref, task, events)
  for (const issue of issuesAbove(ref, task)) engine.onIssueTask(issue)
  abandon(engine, events)
  await tellWaiting(engine, ref, events)
  await tellBehind(engine, ref, task, events)
  await tellQueued(engine, ref, { before, next: task }, (group, again) => record(engine, group, again, told))
  return { task, events }
}

/** This only spares money: what is not ended here ends by itself, with an answer about a commit that is no longer judged. */
function abandon({ verifier }: Engine, events: readonly RecordedEvent[]): void {
  for (const { type, attempt_id } of events) {
    if (type === 'AttemptSuperseded' && attempt_id !== null) verifier.abort?.(attempt_id)
  }
}
