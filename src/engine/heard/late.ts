// Whether something is heard so late that other things may have been heard before it which came after it.
import type { Engine } from '../engine.ts'

/** What is heard sooner was heard in its order. */
const LATE_MS = 3_000

export const isLate = ({ clock }: Pick<Engine, 'clock'>, at: string): boolean =>
  Date.parse(clock.now()) - Date.parse(at) >= LATE_MS
