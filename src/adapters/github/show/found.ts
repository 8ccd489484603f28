// What a pull request already shows, known from having just read it, so that a new one is not searched for a comment and
// labels that cannot be there. Each answer serves once, and not for long: after a failure the place is looked at.

export type Found = { readonly comments: number; readonly labels: readonly string[] }
export type FoundPlaces = {
  readonly note: (pull: number, found: Found) => void
  /** How many comments there are, or null where that is not known. */
  readonly takeComments: (pull: number) => number | null
  readonly takeLabels: (pull: number) => readonly string[] | null
}

const LIFETIME_MS = 30_000
const PULLS_MAX = 1_000

export function foundPlaces(now: () => number): FoundPlaces {
  const comments = new Map<number, Note<number>>()
  const labels = new Map<number, Note<readonly string[]>>()
  return {
    note: (pull, found) => {
      if (comments.size >= PULLS_MAX) comments.clear()
      if (labels.size >= PULLS_MAX) labels.clear()
      const until = now() + LIFETIME_MS
      comments.set(pull, { value: found.comments, until })
      labels.set(pull, { value: found.labels, until })
    },
    takeComments: (pull) => take(comments, pull, now()),
    takeLabels: (pull) => take(labels, pull, now()),
  }
}

type Note<T> = { readonly value: T; readonly until: number }

function take<T>(notes: Map<number, Note<T>>, pull: number, now: number): T | null {
  const note = notes.get(pull)
  notes.delete(pull)
  return note === undefined || note.until < now ? null : note.value
}
