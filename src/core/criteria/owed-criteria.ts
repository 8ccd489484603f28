// What the issue of a task that was unclear is to show. Derived from state, never from events.
import { digest } from '../canonical.ts'
import type { Shown } from '../decision/shown/owed.ts'
import { stickySlot } from '../decision/shown/slots.ts'
import { clearText, unclearText } from '../words/issues/criteria-page.ts'
import { isUnclear, type CriteriaState } from './criteria.ts'

export type CriteriaOwed = {
  readonly slot: string
  readonly digest: string
  readonly ref: string | null
  readonly shown: Shown
}

export function owedByCriteria({ seen, slots }: CriteriaState): readonly CriteriaOwed[] {
  if (seen === null || !seen.open || !seen.is_task || seen.clarification === 'off') return []
  const { number: pull } = seen
  const slot = stickySlot(pull)
  const known = slots[slot]
  if (known === undefined && !isUnclear(seen)) return []
  const shown: Shown = { kind: 'sticky', pull, body: isUnclear(seen) ? unclearText(seen) : clearText() }
  const wanted = digest(shown)
  return known?.digest === wanted ? [] : [{ slot, digest: wanted, ref: known?.ref ?? null, shown }]
}
