// An answer that is asked for again only after a while, and only once at a time. A failure is not remembered.
import { isInBackground } from './traffic/background.ts'

export function remembered<T>(now: () => number, lifetimeMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: { readonly value: Promise<T>; readonly until: number } | null = null
  return () => {
    if (answer !== null && now() < answer.until) return answer.value
    const value = ask()
    const asked = { value, until: now() + lifetimeMs }
    // Nobody whom people wait for stands in line with what nobody waits for.
    if (isInBackground()) {
      const keep = (): void => void (answer = asked)
      value.then(keep, () => undefined)
      return value
    }
    answer = asked
    value.catch(() => {
      if (answer === asked) answer = null
    })
    return value
  }
}

const KEYS_MAX = 1_000

/** The same for each of many questions. */
export function rememberedBy<T>(
  now: () => number,
  lifetimeMs: number,
  ask: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const known = new Map<string, () => Promise<T>>()
  return (key) => {
    if (known.size > KEYS_MAX) known.clear()
    const one = known.get(key) ?? remembered(now, lifetimeMs, () => ask(key))
    known.set(key, one)
    return one()
  }
}
