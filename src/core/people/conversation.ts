// What a state remembers of those who spoke: that they were heard, so that nothing is taken in twice, and how often each was
// refused, so that nobody is answered without end.
import { accountKey, type Account } from './people.ts'

export type Conversation = {
  /** Keys of everything that people said and that was judged. */
  readonly heard: readonly string[]
  /** How often each person was refused, by `accountKey`. */
  readonly refusals: Readonly<Record<string, number>>
}

export const hearing = <S extends Conversation>(state: S, key: string): S => ({
  ...state,
  heard: [...state.heard, key],
})

export function refusedOnce<S extends Conversation>(state: S, account: Account): S {
  const key = accountKey(account)
  return { ...state, refusals: { ...state.refusals, [key]: (state.refusals[key] ?? 0) + 1 } }
}
