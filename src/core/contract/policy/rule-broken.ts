// A rule that spans several keys and is not kept, and how such rules read raw values: also where other keys are wrong.
export type RuleBroken = {
  readonly path: readonly (string | number)[]
  /** Continues a sentence that begins with the key. */
  readonly message: string
  readonly nearest: string | null
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
export const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
/** What lies at a path of raw values. */
export const dig = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => record(inner)[key], value)
