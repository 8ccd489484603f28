// Which models are not asked for a while. Each process finds that out for itself: it is a courtesy, and no record needs it.
import type { Clock } from '../../../ports.ts'
import { begun, closed, ended, heard, isOpen, type Breaker } from '../../../verifier/calls/breaker.ts'
import type { Asked } from '../../../verifier/calls/model.ts'

export type Breakers = {
  /** Whoever is admitted asks at once, and tells how it ended. */
  readonly admits: (model: string) => boolean
  readonly heard: (model: string) => void
  readonly ended: (model: string, asked: Asked) => void
  /** Null while it may be asked. */
  readonly pausedUntil: (model: string) => string | null
}
export type OnPause = (model: string, until: string) => void

const isoOf = (ms: number): string => new Date(ms).toISOString()

export function breakers({ now: clock }: Clock, onPause: OnPause = () => undefined): Breakers {
  const known = new Map<string, Breaker>()
  const now = (): number => Date.parse(clock())
  const of = (model: string): Breaker => known.get(model) ?? closed
  return {
    admits: (model) => {
      if (isOpen(of(model), now())) return false
      known.set(model, begun(of(model), now()))
      return true
    },
    heard: (model) => void known.set(model, heard(of(model))),
    ended: (model, asked) => {
      const before = of(model)
      const after = ended(before, asked, now())
      known.set(model, after)
      if (before.until === null && after.until !== null) onPause(model, isoOf(after.until))
    },
    pausedUntil: (model) => {
      const { until } = of(model)
      return until !== null && isOpen(of(model), now()) ? isoOf(until) : null
    },
  }
}
