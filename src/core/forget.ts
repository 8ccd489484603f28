// What is kept by use, in the order in which it came, and does not grow for ever.

/** Where there are more than that, the one that came first goes. */
export function forgetOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  const [oldest] = kept.keys()
  if (kept.size > max && oldest !== undefined) kept.delete(oldest)
}
