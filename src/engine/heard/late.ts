// What is heard late, and what GitHub shows late. Other things may have been heard before it which came after it, and its
// copies of what it knows follow one another.
import { isFromBefore } from '../../core/as-of.ts'
import type { Engine } from '../engine.ts'

/** What is heard sooner was heard in its order. */
const LATE_MS = 3_000

/** So long GitHub may take to show what it told; then what it shows counts. */
export const SHOWN_MS_MAX = 30_000

export const isLate = (engine: Clocked, at: string): boolean => ageMs(engine, at) >= LATE_MS

/** Whether what GitHub shows of something of this time may still be to come. */
export const mayFollow = (engine: Clocked, at: string): boolean => ageMs(engine, at) < SHOWN_MS_MAX

/** Whether an answer that differs from what is known is of later. Of one second either may be, so more is waited for a little. */
export const isNewer = (engine: Clocked, answered: string, known: string): boolean =>
  isFromBefore(known, answered) || (!isFromBefore(answered, known) && isLate(engine, known))

type Clocked = Pick<Engine, 'clock'>
const ageMs = ({ clock }: Clocked, at: string): number => Date.parse(clock.now()) - Date.parse(at)
