// Other names that are in use for the same keys, in one table. They are moved to their proper place right after reading;
// nothing behind this file knows them. An alias beside its proper spelling is an error, since one would be ignored.
import { dotted, quoted, type Flaw } from '../problem.ts'
import { entryAt, withEntry, withoutEntry, type Entry, type MapTree, type Scalar } from '../tree.ts'

type Alias = {
  readonly word: string
  /** Where it may stand; the empty word is the top. */
  readonly in: readonly string[]
  readonly means: string
  /** What true and false become. */
  readonly reads?: { readonly true: Scalar; readonly false: Scalar }
  /** Another key for values that are true or false. */
  readonly meansWhenBoolean?: string
}

const tops = ['', 'project', 'task']
const verifierPlaces = ['', 'verification', 'verification.verifier']
const securityPlaces = ['', 'verification', 'security']
const tier = 'verification.verifier.tier'

/** In this order. `project` and `task` wrap the whole tree; within them the words of the first two rows count. */
export const aliases: readonly Alias[] = [
  { word: 'verification_defaults', in: tops, means: 'verification' },
  { word: 'checks', in: ['project', 'task'], means: 'verification.checks' },
  { word: 'project', in: [''], means: '' },
  { word: 'task', in: [''], means: '' },
  { word: 'tier3_enabled', in: verifierPlaces, means: tier, reads: { true: 3, false: 2 } },
  { word: 'tier2_enabled', in: verifierPlaces, means: tier, reads: { true: 2, false: 1 } },
  { word: 'tier3_vote_count', in: verifierPlaces, means: 'verification.verifier.votes' },
  { word: 'max_iterations', in: [...verifierPlaces, 'verification.retry'], means: 'verification.retry.max_attempts' },
  {
    word: 'vision_verify',
    in: securityPlaces,
    means: 'security.vision',
    meansWhenBoolean: 'security.vision.enabled',
  },
  { word: 'semantic_drift_enabled', in: securityPlaces, means: 'security.semantic_drift.enabled' },
  { word: 'agent', in: ['middleware'], means: 'middleware.verifier' },
]

export type Normalised = { readonly tree: MapTree; readonly flaws: readonly Flaw[] }

export function normalise(written: MapTree): Normalised {
  const places = aliases.flatMap((alias) => alias.in.map((place) => ({ alias, place: steps(place) })))
  return places.reduce<Normalised>((done, { alias, place }) => applied(done, alias, place), {
    tree: written,
    flaws: [],
  })
}

const steps = (path: string): readonly string[] => (path === '' ? [] : path.split('.'))

function applied(done: Normalised, alias: Alias, place: readonly string[]): Normalised {
  const from = [...place, alias.word]
  const found = entryAt(done.tree, from)
  if (found === null) return done
  const rest = withoutEntry(done.tree, from)
  if (alias.means === '') return unwrapped({ ...done, tree: rest }, found)
  if (alias.reads !== undefined) return switched({ ...done, tree: rest }, found, alias.reads)
  const boolean = found.value.kind === 'scalar' && typeof found.value.value === 'boolean'
  const to = steps(boolean ? (alias.meansWhenBoolean ?? alias.means) : alias.means)
  const rival = entryAt(rest, [...place, ...to]) ?? entryAt(rest, to)
  if (rival !== null) return { tree: rest, flaws: [...done.flaws, bothGiven(found, rival)] }
  return { ...done, tree: withEntry(rest, to, found) }
}

/** The keys within a wrapper belong to the top. */
function unwrapped({ tree, flaws }: Normalised, { spot, value }: Entry): Normalised {
  const rivals: Flaw[] = []
  if (value.kind === 'map') return { tree: grafted(tree, value, rivals), flaws: [...flaws, ...rivals] }
  if (value.kind === 'scalar' && value.value === null) return { tree, flaws }
  const message = `${quoted(dotted(value.path))} must be a mapping of keys to values.`
  const at = value.spot ?? spot ?? { line: 1, column: 1 }
  return { tree, flaws: [...flaws, { spot: at, path: value.path, message, nearest: null }] }
}

function grafted(tree: MapTree, wrapped: MapTree, rivals: Flaw[]): MapTree {
  const entries = new Map(tree.entries)
  for (const [key, entry] of wrapped.entries) {
    const there = entries.get(key)
    if (there === undefined) entries.set(key, entry)
    else if (there.value.kind === 'map' && entry.value.kind === 'map') {
      entries.set(key, { ...there, value: grafted(there.value, entry.value, rivals) })
    } else rivals.push(bothGiven(entry, there))
  }
  return { ...tree, entries }
}

/**
 * A switch for a tier. The switches for tiers 2 and 3 may stand together, as long as tier 3 does not go without tier 2:
 * the lower of the two speaks only when it switches off.
 */
function switched({ tree, flaws }: Normalised, found: Entry, reads: NonNullable<Alias['reads']>): Normalised {
  const { value } = found
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') {
    const message = `${quoted(dotted(value.path))} must be true or false.`
    const spot = value.spot ?? { line: 1, column: 1 }
    return { tree, flaws: [...flaws, { spot, path: value.path, message, nearest: null }] }
  }
  const there = entryAt(tree, steps(tier))
  const own: Entry = { ...found, value: { ...value, value: value.value ? reads.true : reads.false } }
  if (there === null) return { tree: withEntry(tree, steps(tier), own), flaws }
  const fromSwitch = there.value.path.at(-1) === 'tier3_enabled' && value.path.at(-1) === 'tier2_enabled'
  const other = there.value.kind === 'scalar' ? there.value.value : null
  if (fromSwitch && value.value) return { tree, flaws }
  if (fromSwitch && other === 2) return { tree: withEntry(tree, steps(tier), own), flaws }
  return { tree, flaws: [...flaws, bothGiven(found, there)] }
}

function bothGiven(one: Entry, other: Entry): Flaw {
  const [first, second] = [one.value.path, other.value.path].map((path) => quoted(dotted(path)))
  const message = `${first} and ${second} mean the same key. Keep one of the two.`
  return { spot: one.spot ?? { line: 1, column: 1 }, path: one.value.path, message, nearest: null }
}
