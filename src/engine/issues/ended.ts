// How an issue that was a goal or a request ended: whoever takes its label away wants it to be none any more, as whoever closes
// it does.
import type { Closing } from '../../core/issue-closing.ts'
import type { Forge } from '../../ports.ts'

type Seen = {
  readonly number: number
  readonly open: boolean
  readonly closing: Closing | null
  readonly bears_label: boolean
}

/** Null where it has not ended. */
export async function endingOf(
  forge: Forge,
  { number, open, closing, bears_label }: Seen,
  label: string,
): Promise<Closing | null> {
  if (!open) return closing
  if (bears_label) return null
  const taken = await forge.labelledBy(number, label, 'unlabeled')
  return { by: taken?.by ?? null, at: taken?.at ?? '', by_merge: false }
}
