// What an error says of itself.

/** A refused connection is an AggregateError without words of its own: one error per address that was tried. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

const FAULT_MAX = 300
/** For the page and the record. */
export const faultOf = (error: unknown): string => wordsOf(error).slice(0, FAULT_MAX)
