// What `/metrics` says.

/** `name` is a pattern, since labels stand in braces. */
export function figureIn(text: string, name: string): number {
  const value = new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`/metrics does not tell ${name}`)
  return Number(value)
}
