// Policies in layers: the organisation's default below the repository's policy. Mappings merge key by key and checks by
// name; every other list of the upper layer replaces the one below.
import { checkName, keysOfSource, sourceKeys } from './schema-parts.ts'
import { policySchema, type Policy } from './policy.ts'
import { mapOf, plainMap, type Entry, type JsonObject, type ListTree, type MapTree, type Tree } from '../tree.ts'

/** What a policy file says, in proper spelling and without defaults. */
export type PolicyLayer = JsonObject

/** From the lowest to the highest. */
export function mergeLayers(...layers: readonly PolicyLayer[]): PolicyLayer {
  return plainMap(layers.map((layer) => mapOf(layer)).reduce((lower, upper) => mergeTrees(lower, upper), mapOf({})))
}

/** The policy that a layer makes over the built-in defaults. Throws for one that `readPolicy` would refuse. */
export function policyOf(layer: PolicyLayer): Policy {
  return policySchema.parse(layer)
}

export function mergeTrees(lower: MapTree, upper: MapTree, place = ''): MapTree {
  const entries = new Map(lower.entries)
  for (const [key, entry] of upper.entries) {
    const below = entries.get(key)
    const here = place === '' ? key : `${place}.${key}`
    entries.set(key, below === undefined ? entry : mergeEntries(below, entry, here))
  }
  return { ...upper, entries }
}

function mergeEntries({ value: below }: Entry, entry: Entry, place: string): Entry {
  const { value } = entry
  if (value.kind === 'map' && below.kind === 'map') return { ...entry, value: mergeTrees(below, value, place) }
  if (place === 'verification.checks' && value.kind === 'list' && below.kind === 'list') {
    return { ...entry, value: mergeChecks(below, value) }
  }
  return entry
}

/** Two entries of the upper list that share a name stay two, so that the repetition is reported. */
function mergeChecks(lower: ListTree, upper: ListTree): ListTree {
  const items = [...lower.items]
  const below = new Map(lower.items.map((item, index) => [nameOf(item), { item, index }]))
  for (const item of upper.items) {
    const name = nameOf(item)
    const found = name === '' ? undefined : below.get(name)
    below.delete(name)
    if (found === undefined) items.push(item)
    else items[found.index] = mergeCheck(asMap(found.item), asMap(item))
  }
  return { ...upper, items }
}

/** A check has one source, so a new one takes the place of the old, and of what only the old one reads. */
function mergeCheck(lower: MapTree, upper: MapTree): MapTree {
  const source = sourceKeys.find((key) => upper.entries.has(key))
  const idle = Object.entries(keysOfSource).flatMap(([key, of]) => (of === source ? [] : [key]))
  const replaced: readonly string[] = source === undefined ? [] : [...sourceKeys, ...idle]
  const kept = [...lower.entries].filter(([key]) => !replaced.includes(key))
  return { ...upper, entries: new Map([...kept, ...upper.entries]) }
}

/** A bare string is the command of a check. */
function asMap(check: Tree): MapTree {
  if (check.kind === 'map') return check
  return {
    ...mapOf({}),
    spot: check.spot,
    path: check.path,
    entries: new Map([['command', { spot: check.spot, value: check }]]),
  }
}

function nameOf(check: Tree): string {
  const text = (key: string) => {
    const value = asMap(check).entries.get(key)?.value
    return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined
  }
  return checkName({
    name: text('name'),
    command: text('command'),
    check_run: text('check_run'),
    status: text('status'),
  })
}
