// Work on many things, one after the other. One that fails keeps no other from its turn, and one that was told to wait has
// the first turn the next time: whoever always begins at the same end never comes to the other.

export type Turns = {
  /** Who was told to wait, in that order; kept from one time to the next. */
  readonly first: Set<string>
  /** Whether this only says to come back later. */
  readonly mustWait: (error: unknown) => boolean
}
export type Failed = { readonly key: string; readonly error: unknown }

export const anyTurn = (): Turns => ({ first: new Set(), mustWait: () => false })

export async function each(
  keys: Iterable<string> | AsyncIterable<string>,
  { first, mustWait }: Turns,
  work: (key: string) => Promise<void>,
): Promise<readonly Failed[]> {
  const failed: Failed[] = []
  const before = new Set(first)
  const turn = async (key: string): Promise<void> => {
    try {
      await work(key)
      first.delete(key)
    } catch (error) {
      // Put off once more, it stands behind those that were put off before it.
      first.delete(key)
      if (mustWait(error)) first.add(key)
      else failed.push({ key, error })
    }
  }
  for (const key of before) await turn(key)
  for await (const key of keys) if (!before.has(key)) await turn(key)
  return failed
}
