// What is kept and does not grow for ever.

/** Where there are more than that, the one that came first goes. */
export function forgetOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  const [oldest] = kept.keys()
  if (kept.size > max && oldest !== undefined) kept.delete(oldest)
}

export type Bounds = { readonly entriesMax: number; readonly weightMax: number }

/** Values that are asked for again and again. */
export type KeptByUse<T> = {
  readonly get: (key: string) => T | undefined
  readonly set: (key: string, value: T, weight: number) => void
  readonly delete: (key: string) => void
}

/** Where there are too many, or they weigh too much, those that nobody used for longest go; whoever came last stays. */
export function keptByUse<T>({ entriesMax, weightMax }: Bounds): KeptByUse<T> {
  const kept = new Map<string, { readonly value: T; readonly weight: number }>()
  let weight = 0
  const drop = (key: string): void => {
    weight -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }
  return {
    get: (key) => {
      const known = kept.get(key)
      if (known === undefined) return undefined
      kept.delete(key)
      kept.set(key, known)
      return known.value
    },
    set: (key, value, own) => {
      drop(key)
      kept.set(key, { value, weight: own })
      weight += own
      for (const oldest of kept.keys()) {
        if (oldest === key || (kept.size <= entriesMax && weight <= weightMax)) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}
