// When an answer was there: whoever overrules results had those before them that were there when they wrote,
// however late it is heard. Older records do not have it.
import { MOMENT_MS } from '../../people/order.ts'
import type { Input } from '../rules/inputs.ts'

export type EndedAt = { readonly ended_at?: string }

export const endedAt = (at: string | null | undefined): EndedAt => (at ? { ended_at: at } : {})

/** Of another form of the same result, as far as that has it. */
export const sameEnd = ({ ended_at }: EndedAt): EndedAt => endedAt(ended_at)

/** Results that were handed over in one piece, at that time. */
export const allEnded = (inputs: readonly Input[], at: string): readonly Input[] =>
  inputs.map((input) =>
    input.type === 'report_check' || input.type === 'report_tier1' ? { ...input, ...endedAt(at) } : input,
  )

/** Whether a result was there by then; where nobody knows, it was. */
export const isThereBy = ({ ended_at }: EndedAt, at: string): boolean => !(Date.parse(ended_at ?? '') > Date.parse(at))

/** The same of what is dated by our time, which is not GitHub's to the second. */
export const isOursBy = (ours: string | undefined, at: string): boolean =>
  !(Date.parse(ours ?? '') > Date.parse(at) + MOMENT_MS)
