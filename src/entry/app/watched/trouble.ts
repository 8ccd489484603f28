// What went wrong on the way and kept nothing else from being done, counted, so that whoever watches the figures sees it.

/**
 * `deliveries`, `installations`, `repositories`, `tasks`: a round that looks for what was missed could not do one of them.
 * `pages`: what is said beside the gate could not be said now, and is tried again.
 * `refused`: a comment, label or review that GitHub refused for good. `faults`: we ourselves failed at an attempt, which
 * then waits for a human. `differences`: GitHub showed something else than we had concluded, and was put right;
 * `looks`: whether it does could not be read. `archive`: a closed task that could not be moved to it.
 */
const kinds = [
  'deliveries',
  'installations',
  'repositories',
  'tasks',
  'pages',
  'refused',
  'faults',
  'differences',
  'looks',
  'archive',
] as const
export type Kind = (typeof kinds)[number]
export type Trouble = {
  readonly count: (kind: Kind) => void
  readonly counts: () => ReadonlyMap<Kind, number>
}

export function countedTrouble(): Trouble {
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]))
  return {
    count: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    counts: () => counts,
  }
}
