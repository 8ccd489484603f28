// What it means for the state that an attempt begins, is decided and is shown.
import type { EventType, NewEvent } from './events.ts'
import { endedBefore, isSameWait } from './evolve-results.ts'
import { broken, on } from './fold.ts'
import { joined, untouched } from './untouched.ts'
import type { Attempt, TaskState } from '../model.ts'
import { withHead } from '../../people/in-front.ts'

type Of<T extends EventType> = Extract<NewEvent, { type: T }>

export function started(task: TaskState, event: Of<'AttemptStarted'>, at: string): TaskState {
  const {
    builder_set,
    attempt_number: ordinal,
    contract_hash: _,
    results_until,
    sources,
    pushed_at,
    ...rest
  } = event.data
  const builders = joined(task.builders, builder_set)
  if (event.attempt_id === null || event.head_sha === null) return broken(task, 'an attempt without a commit')
  const { id, head_sha } = { id: event.attempt_id, head_sha: event.head_sha }
  const opened = { ...task.opened, [rest.pull]: id }
  const head = { sha: head_sha, since: pushed_at ?? rest.head_at }
  const heads = rest.group === null ? withHead(task.heads, rest.pull, head) : task.heads
  const known = { ...task, builders, sources: sources ?? task.sources, opened, heads }
  if (task.attempts.some((attempt) => attempt.id === id))
    return on(known, event, (old) => ({
      ...rest,
      ...endedBefore(old, results_until),
      ...(results_until === undefined ? {} : { left: [...(old.left ?? []), results_until] }),
      builders: joined(old.builders, builder_set),
      live: true,
    }))
  const attempt: Attempt = {
    ...untouched,
    ...rest,
    id,
    head_sha,
    ordinal,
    builders: builder_set,
    waiting_since: at,
    decided_at: at,
  }
  return { ...known, attempts: [...task.attempts, attempt] }
}

export function concluded(task: TaskState, event: Of<'DecisionConcluded'>, at: string): TaskState {
  const { conclusion: _conclusion, inputs: _inputs, ...decision } = event.data
  const since = (before: Attempt): string => (isSameWait(before.decision, decision) ? before.decided_at : at)
  return on(task, event, (before) => ({ decision, decided_at: since(before) }))
}

/** A verdict counts as shown once the check run of its commit was. */
export function shown(task: TaskState, event: Of<'SlotShown'>, at: string): TaskState {
  const { slot, digest, ref } = event.data
  const withSlot = { ...task, slots: { ...task.slots, [slot]: { digest, ref } } }
  if (!slot.startsWith('check:')) return withSlot
  return on(withSlot, event, ({ verifier }) =>
    verifier.phase === 'answered' ? { verifier: { shown_at: at, ...verifier, shown: true } } : {},
  )
}
