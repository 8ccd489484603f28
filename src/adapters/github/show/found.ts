// What a pull request already shows, known from having just read it, so that a new one is not searched for a comment and
// labels that cannot be there. Each answer serves once, and not for long: after a failure the place is looked at, and behind one of the
// database too, since another process may have shown something there that is not on record any more.

export type Found = { readonly comments: number; readonly labels: readonly string[] }
export type FoundPlaces = {
  readonly note: (pull: number, found: Found) => void
  /** How many comments there are, or null where that is not known. */
  readonly takeComments: (pull: number) => number | null
  readonly takeLabels: (pull: number) => readonly string[] | null
}

const LIFETIME_MS = 30_000
const PULLS_MAX = 1_000

/** `losses`: how often the database was lost so far. */
export function foundPlaces(now: () => number, losses: () => number = () => 0): FoundPlaces {
  const comments = new Map<number, Note<number>>()
  const labels = new Map<number, Note<readonly string[]>>()
  return {
    note: (pull, found) => {
      if (comments.size >= PULLS_MAX) comments.clear()
      if (labels.size >= PULLS_MAX) labels.clear()
      const known = { until: now() + LIFETIME_MS, losses: losses() }
      comments.set(pull, { value: found.comments, ...known })
      labels.set(pull, { value: found.labels, ...known })
    },
    takeComments: (pull) => take(comments, pull, { at: now(), losses: losses() }),
    takeLabels: (pull) => take(labels, pull, { at: now(), losses: losses() }),
  }
}

type Note<T> = { readonly value: T; readonly until: number; readonly losses: number }
type Moment = { readonly at: number; readonly losses: number }

function take<T>(notes: Map<number, Note<T>>, pull: number, { at, losses }: Moment): T | null {
  const note = notes.get(pull)
  notes.delete(pull)
  return note === undefined || note.until < at || note.losses !== losses ? null : note.value
}
