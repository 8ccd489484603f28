// Whether somebody could tell that a task is done, told at its issue before anybody begins: what was seen there last. Clear
// tasks have no record of their own; one that was unclear once has, so that it can be told when it is mended.
import { equal } from '../canonical.ts'
import type { Policy } from '../contract/policy/policy.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { Slot } from '../decision/model.ts'
import type { TaskWords } from './task-words.ts'

/** An issue as it was seen. */
export type CriteriaSeen = Pick<TaskWords, 'lacking'> & {
  readonly number: number
  readonly open: boolean
  /** It is one, and has no page of ours already, as goals and requests have. */
  readonly is_task: boolean
  readonly clarification: Policy['intake']['clarification']
}
export type CriteriaEventData = { CriteriaSeen: CriteriaSeen }

export type CriteriaState = {
  readonly task_id: string
  readonly seen: CriteriaSeen | null
  readonly invariants_broken: readonly string[]
  readonly slots: Readonly<Record<string, Slot>>
}
export type CriteriaInput =
  | ({ readonly type: 'see_criteria' } & CriteriaSeen)
  | { readonly type: 'show_slot'; readonly slot: string; readonly digest: string; readonly ref: string | null }
export const emptyCriteria = (task_id: string): CriteriaState => ({
  task_id,
  seen: null,
  invariants_broken: [],
  slots: {},
})

export function evolveCriteria(state: CriteriaState, event: NewEvent): CriteriaState {
  if (event.type === 'CriteriaSeen') return { ...state, seen: event.data }
  if (event.type === 'SlotShown') {
    const { slot, digest: shown, ref } = event.data
    return { ...state, slots: { ...state.slots, [slot]: { digest: shown, ref } } }
  }
  const what = `${event.type} is no event of the criteria of a task`
  return { ...state, invariants_broken: [...state.invariants_broken, what] }
}

const nowhere = { attempt_id: null, head_sha: null }

/** The same input twice changes nothing the second time. */
export function decideCriteria(state: CriteriaState, input: CriteriaInput): readonly NewEvent[] {
  if (input.type === 'show_slot') {
    const { type: _type, ...data } = input
    return state.slots[data.slot]?.digest === data.digest ? [] : [{ type: 'SlotShown', ...nowhere, data }]
  }
  const { type: _type, ...seen } = input
  const isNothing = state.seen === null ? !isUnclear(seen) : equal(state.seen, seen)
  return isNothing ? [] : [{ type: 'CriteriaSeen', ...nowhere, data: seen }]
}

export const isUnclear = ({ open, is_task, clarification, lacking }: CriteriaSeen): boolean =>
  open && is_task && clarification !== 'off' && lacking.length > 0
