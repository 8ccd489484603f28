// A lock file in counts and names: which packages came, went and changed, from which hosts, and what is odd about that. Nobody
// reads ten thousand lines of them, and what matters in them fits on a page. Each entry is told by itself, since a file may hold
// a package twice. What is no line of a known kind is shown as it is; where that is too much, there is no digest, and the file is
// a file like any other.
import { hunksOf, isChanged, type DiffLine, type FileChange } from './change.ts'
import { lockFormat, type Fact } from './lock-formats.ts'

/** Shorter changes are shown as they are. */
export const DIGESTED_LINES_MIN = 200
const ENTRIES_MAX = 2_000
const OTHER_LINES_MAX = 100
const NAMED_CHARACTERS_MAX = 80
const LINE_CHARACTERS_MAX = 300
/** No tool writes a longer line of a kind that we know. */
const KNOWN_CHARACTERS_MAX = 2_000

/** What the changed lines of one side say. */
type Side = {
  version: string | null
  alias: string | null
  readonly from: Set<string>
  readonly integrity: Set<string>
  script: boolean
}
/** One side is null where the entry is not there. */
type Entry = { readonly place: string; readonly name: string; readonly old: Side | null; readonly now: Side | null }
type Told = { readonly entries: Entry[]; readonly addresses: string[]; readonly others: DiffLine[] }

const nothing = (): Side => ({ version: null, alias: null, from: new Set(), integrity: new Set(), script: false })

/** Null where it is no lock file that we know, or more of it is unknown than can be shown. */
export function lockDigest({ path, patch }: Pick<FileChange, 'path' | 'patch'>): readonly string[] | null {
  const factsOf = lockFormat(path)
  const hunks = hunksOf(patch ?? '')
  if (factsOf === null || hunks.length === 0) return null
  const told: Told = { entries: [], addresses: [], others: [] }
  for (const { lines } of hunks) readHunk(lines, factsOf, told)
  if (told.entries.length > ENTRIES_MAX || told.others.length > OTHER_LINES_MAX) return null
  if (told.others.some(({ text }) => text.length > LINE_CHARACTERS_MAX)) return null
  return words({ ...told, entries: paired(united(told.entries)) })
}

function readHunk(
  lines: readonly DiffLine[],
  factsOf: (line: string) => readonly Fact[] | null,
  { entries, addresses, others }: Told,
): void {
  let [old, now]: [Entry | null, Entry | null] = [null, null]
  for (const line of lines) {
    const facts = line.text.length > KNOWN_CHARACTERS_MAX ? null : factsOf(line.text)
    const begun = facts?.find((fact) => fact.kind === 'entry')
    const isEnd = facts?.some((fact) => fact.kind === 'end') === true
    if (begun !== undefined && !goesOn(begun, line, old, now)) {
      const { place, name } = begun
      const one = { place, name, old: line.sign === '+' ? null : nothing(), now: line.sign === '-' ? null : nothing() }
      entries.push(one)
      if (one.old !== null) old = one
      if (one.now !== null) now = one
    } else if (isEnd) {
      if (line.sign !== '+') old = null
      if (line.sign !== '-') now = null
    }
    if (!isChanged(line)) continue
    const side = (line.sign === '-' ? old?.old : now?.now) ?? null
    addresses.push(...(facts ?? []).flatMap((fact) => (fact.kind === 'address' ? [addressWords(fact)] : [])))
    // What belongs to no package that is in sight, or says something else than was said, is shown as it is.
    if (facts === null || !facts.map((fact) => isNoted(side, fact)).every(Boolean)) others.push(line)
  }
}

/** Some files have several lines for one package, each of them whole. */
function goesOn(
  { place, version }: Extract<Fact, { kind: 'entry' }>,
  { sign }: DiffLine,
  old: Entry | null,
  now: Entry | null,
): boolean {
  const isOf = (one: Entry | null, side: Side | null | undefined): boolean =>
    version !== null && one?.place === place && side?.version === version
  return (sign === '+' || isOf(old, old?.old)) && (sign === '-' || isOf(now, now?.now))
}

/** Nothing that was said of an entry is said otherwise by a later line. */
function isNoted(side: Side | null, fact: Fact): boolean {
  switch (fact.kind) {
    case 'end':
    case 'address':
      return true
    case 'entry':
      if (side !== null) side.version ??= fact.version
      return true
    case 'script':
      if (side !== null) side.script = true
      return side !== null
    case 'from':
    case 'integrity':
      side?.[fact.kind].add(fact.value)
      return side !== null
    case 'version':
    case 'alias':
      if (side === null) return false
      side[fact.kind] ??= fact.value
      return side[fact.kind] === fact.value
  }
}

/** What a file says of one version in two places is one, with all that both say. */
function united(entries: readonly Entry[]): Entry[] {
  const first = new Map<string, Side>()
  return entries.filter(({ place, old, now }) => {
    const side = old === null ? now : now === null ? old : null
    if (side === null || side.version === null) return true
    const key = JSON.stringify([place, old === null, side.version, side.alias])
    const before = first.get(key)
    if (before === undefined) {
      first.set(key, side)
      return true
    }
    for (const one of side.from) before.from.add(one)
    for (const one of side.integrity) before.integrity.add(one)
    before.script ||= side.script
    return false
  })
}

/** One that went and one that came at the same place are one that changed, where no other has the place. */
function paired(entries: readonly Entry[]): Entry[] {
  const gone = Map.groupBy(
    entries.filter(({ now }) => now === null),
    placeOf,
  )
  const come = Map.groupBy(
    entries.filter(({ old }) => old === null),
    placeOf,
  )
  const pairOf = (place: string): Entry | null => {
    const [before, after] = [gone.get(place) ?? [], come.get(place) ?? []]
    const [one, other] = [before[0], after[0]]
    if (one === undefined || other === undefined || before.length > 1 || after.length > 1) return null
    return { ...one, now: other.now }
  }
  return entries.flatMap((one) => {
    const pair = one.old !== null && one.now !== null ? null : pairOf(one.place)
    return pair === null ? [one] : one.now === null ? [pair] : []
  })
}

const placeOf = ({ place }: Entry): string => place

function words({ entries, addresses, others }: Told): readonly string[] {
  const all = entries.toSorted(({ name: one }, { name: other }) => (one < other ? -1 : one > other ? 1 : 0))
  const added = all.flatMap(({ name, old, now }) =>
    old === null && now !== null && isSaid(now) ? [{ name, now }] : [],
  )
  const removed = all.flatMap(({ name, old, now }) =>
    now === null && old !== null && isSaid(old) ? [{ name, old }] : [],
  )
  const changed = all.flatMap(({ name, old, now }) =>
    old !== null && now !== null && (isSaid(old) || isSaid(now)) ? [{ name, old, now }] : [],
  )
  const lists = (title: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`${title} ${list.length}:`, ...list.map((one) => `  ${one}`)]
  return [
    'packages of a lock file, as a program counted them',
    ...lists(
      'added',
      added.map(({ name, now }) => `${name} ${now.version ?? ''}${oddities(name, null, now)}`),
    ),
    ...lists(
      'removed',
      removed.map(({ name, old }) => `${name} ${old.version ?? ''}`),
    ),
    ...lists(
      'changed',
      changed.map(({ name, old, now }) => `${name} ${step(old, now)}${oddities(name, old, now)}`),
    ),
    ...counted(all.flatMap(({ now }) => (now === null ? [] : hostsOf(now).map((host) => `from ${host}`)))),
    ...counted(addresses),
    ...lists(
      'other changed lines',
      others.map(({ sign, text }) => `${sign}${text}`),
    ),
  ]
}

const isSaid = ({ version, alias, from, integrity, script }: Side): boolean =>
  version !== null || alias !== null || from.size > 0 || integrity.size > 0 || script

const counted = (what: readonly string[]): string[] =>
  [...Map.groupBy(what, (one) => one)].map(([one, { length }]) => `${one}: ${length}`)

const step = ({ version: old }: Side, { version: now }: Side): string =>
  old === now || old === null || now === null ? (now ?? old ?? 'at the same version') : `${old} to ${now}`

/** What a reviewer of such a file looks for. */
function oddities(name: string, old: Side | null, now: Side): string {
  const before = old === null ? [] : hostsOf(old)
  const moved = before.length === 0 ? [] : hostsOf(now).filter((host) => !before.includes(host))
  const isOther =
    old !== null && old.version === now.version && [...now.integrity].some((one) => !old.integrity.has(one))
  const meant = now.alias === null || now.alias.includes('://') ? name : now.alias
  const foreign = [...new Set([...now.from].flatMap((from) => foreignName(from, meant) ?? []))]
  return [
    now.alias === null || now.alias === name ? '' : `, which is ${cut(now.alias)}`,
    moved.length === 0 ? '' : `, from ${moved.join(' and ')} instead of ${before.join(' and ')}`,
    foreign.length === 0 ? '' : `, from the address of ${foreign.map(cut).join(' and ')}`,
    isOther ? ', other content at the same version' : '',
    now.script && old?.script !== true ? ', runs a script when it is installed' : '',
  ].join('')
}

const cut = (text: string): string => text.slice(0, NAMED_CHARACTERS_MAX)
const hostsOf = ({ from }: Side): string[] => [...new Set([...from].map(hostOf))]
const addressWords = ({ key, value }: Extract<Fact, { kind: 'address' }>): string => `${key} at ${hostOf(value)}`

/** The host of an address, the registry of a name in it, or the words themselves. */
const hostOf = (from: string): string =>
  /\w+:\/\/(?:[^/@]*@)?([^/:"]+)/.exec(from)?.[1] ?? /^@?[^@:]+@(npm):/.exec(from)?.[1] ?? cut(from)

/** The package that an address or a name in a registry is of, where it is another. */
function foreignName(from: string, name: string): string | null {
  const own = name.split('node_modules/').at(-1) ?? name
  const whole = /^(@?[^@:]+)@npm:/.exec(from)?.[1] ?? /\/((?:@[^/]+(?:\/|%2f))?[^/]+)\/-\//i.exec(from)?.[1]
  if (whole !== undefined) return alike(whole.replace(/%2f/i, '/')) === alike(own) ? null : whole
  const file = /\/([^/?#"]+)\.(?:tgz|tar\.gz|whl|zip|crate|gem)\b/.exec(from)?.[1]
  if (file === undefined) return null
  const short = alike(own.split('/').at(-1) ?? own)
  const rest = alike(file).startsWith(short) ? alike(file).slice(short.length) : null
  return rest !== null && /^(?:-v?\d|$)/.test(rest) ? null : file
}

/** As Python writes names in files. */
const alike = (name: string): string => name.toLowerCase().replaceAll(/[_.-]+/g, '-')
