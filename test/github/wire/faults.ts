// Trouble on demand: which requests go wrong, how often, in what way, and whether the write has taken effect by then.
// The same seed gives the same trouble.

export type Trouble =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly message?: string
      /** Instead of the usual words: GraphQL refuses with status 200 and an error in the body. */
      readonly body?: unknown
      /** `after`: the request did what it asked for, and the caller cannot know. */
      readonly effect?: 'before' | 'after'
    }
  /** `says`: as far as it comes. */
  | { readonly kind: 'reset'; readonly effect?: 'before' | 'after'; readonly says?: string }
  /** What is asked for is done only after this, also where nobody waits for it any more, as when its connection broke. */
  | { readonly kind: 'held'; readonly until: Promise<unknown>; readonly broken?: boolean }
  | { readonly kind: 'delay'; readonly ms: number }
  /** What is answered is of the moment of the question, and arrives so much later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** A read that was not brought up to date: pull requests stand as before their last push or retarget. */
  | { readonly kind: 'stale'; readonly pull?: number }
  /** In an answer: this field is null wherever it stands, or its list begins with a null, or is empty. */
  | { readonly kind: 'null'; readonly field: string; readonly where: 'instead' | 'first' | 'all' }
  /** Something happens just before the request is answered. */
  | { readonly kind: 'meanwhile'; readonly act: () => void }
export type Fault = {
  /** A method, or all of those that change something. Any when left out. */
  readonly method?: string
  /** A path with `*` for anything, as in `/repos/*` + `/check-runs*`. Any when left out. */
  readonly path?: string
  /** What the request's body contains, which tells one GraphQL query from another. */
  readonly holds?: string
  /** Lets so many matching requests through first. */
  readonly skip?: number
  /** How many matching requests it hits; without end when left out. */
  readonly times?: number
  /** How many of a hundred it hits, by chance. */
  readonly percent?: number
  readonly trouble: Trouble
}

type Struck = { readonly method: string; readonly path: string; readonly body: string }

const writing: readonly string[] = ['POST', 'PATCH', 'PUT', 'DELETE']

export type Faults = ReturnType<typeof makeFaults>

export function makeFaults(seed = 1) {
  let rules: { readonly id: number; readonly fault: Fault; seen: number; hits: number }[] = []
  let chance = seededChance(seed)
  let ids = 0

  return {
    /** Returns a number by which it can be removed. */
    add: (fault: Fault): number => {
      ids += 1
      rules.push({ id: ids, fault, seen: 0, hits: 0 })
      return ids
    },
    remove: (id: number): void => {
      rules = rules.filter((rule) => rule.id !== id)
    },
    clear: (): void => {
      rules = []
    },
    /** How often it has struck. */
    hits: (id: number): number => rules.find((rule) => rule.id === id)?.hits ?? 0,
    reseed: (next: number): void => {
      chance = seededChance(next)
    },
    /** All that goes wrong with this request, in the order in which it was asked for. */
    strike: ({ method, path, body }: Struck): readonly Trouble[] => {
      return rules.flatMap((rule) => {
        const { fault } = rule
        if (!matches(fault, method, path) || !body.includes(fault.holds ?? '')) return []
        rule.seen += 1
        if (rule.seen <= (fault.skip ?? 0) || rule.hits >= (fault.times ?? Infinity)) return []
        if (fault.percent !== undefined && chance() * 100 >= fault.percent) return []
        rule.hits += 1
        return [fault.trouble]
      })
    },
  }
}

function matches(fault: Fault, method: string, path: string): boolean {
  const { method: wanted, path: pattern } = fault
  const methodFits = wanted === undefined || wanted === method || (wanted === 'write' && writing.includes(method))
  return methodFits && (pattern === undefined || pathPattern(pattern).test(path))
}

const pathPattern = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function seededChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
