// Who waits where a round has room for some. Each tenant has a line of its own: first comes the first of each, then the second of each.
// Whoever was tried stands behind the others of its tenant from then on, and the tenant behind the other ones: what fails each time, or
// moves all the time, keeps nobody from a turn.

export type InTurn = {
  /** These wait, by name, with their tenants. Whoever waited before keeps its place, and whoever is not among them has left. */
  readonly wait: (these: ReadonlyMap<string, string>) => void
  readonly first: (count: number) => readonly string[]
  readonly tried: (name: string) => void
}

export function inTurn(): InTurn {
  let waiting: ReadonlyMap<string, string> = new Map()
  const lines = new Map<string, Set<string>>()
  return {
    wait: (these) => {
      waiting = new Map(these)
      for (const [tenant, line] of lines) {
        for (const name of line) if (waiting.get(name) !== tenant) line.delete(name)
        if (line.size === 0) lines.delete(tenant)
      }
      for (const [name, tenant] of waiting) lines.set(tenant, (lines.get(tenant) ?? new Set()).add(name))
    },
    first: (count) =>
      [...lines.values()]
        .flatMap((line) => Array.from(line, (name, place) => ({ name, place })))
        .toSorted((one, other) => one.place - other.place)
        .slice(0, count)
        .map(({ name }) => name),
    tried: (name) => {
      const tenant = waiting.get(name)
      const line = tenant === undefined ? undefined : lines.get(tenant)
      if (tenant === undefined || line === undefined) return
      line.delete(name)
      lines.delete(tenant)
      lines.set(tenant, line.add(name))
    },
  }
}
