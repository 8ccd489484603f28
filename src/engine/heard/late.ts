// What is heard late, and what GitHub shows late. Other things may have been heard before it which came after it, and its
// copies of what it knows follow one another.
import type { Engine } from '../engine.ts'

/** What is heard sooner was heard in its order. */
const LATE_MS = 3_000

export const isLate = ({ clock }: Pick<Engine, 'clock'>, at: string): boolean =>
  Date.parse(clock.now()) - Date.parse(at) >= LATE_MS

/** So long GitHub may take to show what it told; then what it shows counts. */
export const SHOWN_MS_MAX = 30_000

/** Whether that may still be to come for something of this time. */
export const mayFollow = ({ clock }: Pick<Engine, 'clock'>, at: string): boolean =>
  Date.parse(clock.now()) - Date.parse(at) < SHOWN_MS_MAX
