// How much may be spent on one thing within an hour, however often somebody makes us begin anew.
import { forgetOldest } from '../../core/forget.ts'

/** True while there is something left of it. */
export type Hourly = (key: string) => boolean

const HOUR_MS = 3_600_000
const KEYS_MAX = 10_000

export function hourly(max: number, now: () => number): Hourly {
  const spent = new Map<string, { readonly until: number; count: number }>()
  return (key) => {
    const before = spent.get(key)
    const current = before !== undefined && now() < before.until ? before : { until: now() + HOUR_MS, count: 0 }
    if (current.count >= max) return false
    current.count += 1
    // The longest untouched is forgotten first.
    spent.delete(key)
    spent.set(key, current)
    forgetOldest(spent, KEYS_MAX)
    return true
  }
}
