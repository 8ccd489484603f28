// What may be wrong with the world that an App lives in, as a pair of acts: it begins, and somebody or something ends it.
import type { Dice } from '../torture/story.ts'
import type { Stage } from '../torture/stage.ts'
import type { Ground, StoreKind } from './ground.ts'

/** The end is as if nothing had been; it was waited for in words; it was refused in words. */
export type Expected = 'same' | 'waited' | 'refused'

export type Scenery = Ground & {
  readonly stage: Stage
  readonly roll: Dice
  /** For how long it lasts, at least. */
  readonly lastMs: number
}
export type Fault = {
  readonly name: string
  /** One sentence for a person. */
  readonly about: string
  readonly stores: readonly StoreKind[]
  readonly expected: Expected
  /** What somebody must be able to read while it lasts. */
  readonly words?: RegExp
  readonly processes?: number
  /** It ends only when the story is over, and the story must come true once more behind it. */
  readonly outlasts?: boolean
  /** For a moment something may be shown that nobody can keep GitHub from showing. */
  readonly flickers?: boolean
  /** What was heard last is on no record any more, and is read at GitHub in the next round, also where nothing that is shown waits for it. */
  readonly readAnew?: boolean
  /** The record is gone for good, and what it alone knew begins anew. */
  readonly forgets?: boolean
  /** For how long it lasts where that has to be longer than usual. */
  readonly atLeastMs?: number
  /** For the whole play. */
  readonly env?: Readonly<Record<string, string>>
  /** The store lies on a disk that can be filled. */
  readonly onSmallDisk?: boolean
  /** Whether this machine can play it; where it cannot, that is said. */
  readonly needs?: () => boolean
  readonly begin: (scenery: Scenery) => Promise<End>
}
export type End = () => Promise<void>

export const both: readonly StoreKind[] = ['embedded', 'postgres']
