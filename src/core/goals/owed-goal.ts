// What the state of a goal owes the world. Derived from state, never from events, so that whatever a crash left behind is
// found again.
import { digest } from '../canonical.ts'
import type { Shown } from '../decision/shown/owed.ts'
import { labelSlot, stickySlot } from '../decision/shown/slots.ts'
import { boardText, fixText, goalLabel } from '../words/issues/board.ts'
import type { GoalState } from './goal.ts'

export type GoalOwed =
  | {
      readonly kind: 'show'
      readonly slot: string
      readonly digest: string
      readonly ref: string | null
      readonly shown: Shown
    }
  | { readonly kind: 'link'; readonly number: number; readonly linked: boolean }
  | {
      readonly kind: 'make_fix'
      readonly rejection: string
      readonly index: number
      readonly title: string
      readonly body: string
    }
  | { readonly kind: 'reopen' }

/** A lead may give a goal up; nobody else closes one that is not verified. */
export const isGivenUp = ({ closed, status }: GoalState): boolean => closed?.lead === true && status !== 'verified'

/** How much its tasks need to merge; null where it has none. They stay its own once it is verified, and it asks no more. */
export function asksOfTasks(goal: GoalState): GoalState['terms']['merge_requires'] | null {
  if (goal.status === 'none' || isGivenUp(goal)) return null
  return goal.status === 'verified' ? 'success' : goal.terms.merge_requires
}

/** Nothing is left to be done about it, until one of its tasks moves. */
export const isOver = (goal: GoalState): boolean => goal.status === 'verified' || isGivenUp(goal)

export function owedByGoal(goal: GoalState): readonly GoalOwed[] {
  if (goal.status === 'none') return []
  const links = goal.wishes.map(({ number, linked }) => ({ kind: 'link', number, linked }) as const)
  const fixes = goal.rejections.flatMap((rejection) =>
    rejection.fixes.flatMap(({ title, number }, index) =>
      number !== null
        ? []
        : [{ kind: 'make_fix', rejection: rejection.key, index, title, body: fixText(goal, rejection) } as const],
    ),
  )
  const isShut = goal.closed !== null && goal.status !== 'verified' && !isGivenUp(goal)
  return [...links, ...fixes, ...(isShut ? [{ kind: 'reopen' } as const] : []), ...shown(goal)]
}

function shown(goal: GoalState): GoalOwed[] {
  const { number: pull } = goal
  const wanted: readonly (readonly [string, Shown])[] = [
    [stickySlot(pull), { kind: 'sticky', pull, body: boardText(goal) }],
    [labelSlot(pull), { kind: 'labels', pull, labels: [goalLabel(goal)] }],
  ]
  return wanted.flatMap(([slot, what]): GoalOwed[] => {
    const known = goal.slots[slot]
    if (known?.digest === digest(what)) return []
    return [{ kind: 'show', slot, digest: digest(what), ref: known?.ref ?? null, shown: what }]
  })
}
