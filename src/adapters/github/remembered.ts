// An answer that is asked for again only after a while, and only once at a time. A failure is not remembered.

export function remembered<T>(now: () => number, lifetimeMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: { readonly value: Promise<T>; readonly until: number } | null = null
  return () => {
    if (answer !== null && now() < answer.until) return answer.value
    const value = ask()
    const asked = { value, until: now() + lifetimeMs }
    answer = asked
    value.catch(() => {
      if (answer === asked) answer = null
    })
    return value
  }
}
