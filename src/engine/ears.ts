// What is said about a pull request reaches us by webhooks, which get lost, wait, and come late. Nobody turns anything green
// over words that were not heard.
import type { LastSaid, PlaceHeard, Speech } from '../core/news.ts'

export interface Ears {
  /** Whether something about it has arrived and waits to be handled. */
  readonly isWaiting: (repository: string, pull: number) => Promise<boolean>
  /** Whether all is heard that was said there; `said`: what GitHub has of it, just read. The rest is on its way where it says no. */
  readonly heardAll: (repository: string, place: PlaceHeard, said: LastSaid | null) => Promise<boolean>
  /** What was said there up to then and was not heard, the oldest first. Rejects with NotShownYet. */
  readonly unheardUntil: (
    repository: string,
    place: PlaceHeard,
    said: LastSaid | null,
    at: string,
  ) => Promise<readonly Speech[]>
  /**
   * What these words say is on record. Until then nobody turns anything green over them, not even whoever handles them and came
   * across a commit by them.
   */
  readonly taken: (repository: string, words: Speech) => void
  /** Whether something may have happened up to its last change, or ever, that nobody told us of. It costs nothing to ask. */
  readonly mayHaveMissed: (repository: string, pull: Partial<PlaceHeard> & Pick<PlaceHeard, 'number'>) => boolean
}
