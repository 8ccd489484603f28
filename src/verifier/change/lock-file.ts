// A lock file in counts and names: which packages came, went and changed, from which hosts, and what is odd about that. Nobody
// reads ten thousand lines of them, and what matters in them fits on a page. What is no line of a known kind is shown as it
// is; where that is too much, there is no digest, and the file is a file like any other.
import { hunksOf, isChanged, type DiffLine, type FileChange } from './change.ts'

/** What a line says about the package that it belongs to. */
type Fact =
  | { readonly kind: 'package'; readonly name: string; readonly version?: string }
  | { readonly kind: 'version' | 'from' | 'integrity' | 'script'; readonly value: string }
  /** Of no consequence by itself: ranges, braces, engines. */
  | { readonly kind: 'known' }

type Format = { readonly names: RegExp; readonly factOf: (line: string) => Fact | null }

const known: Fact = { kind: 'known' }
const field = (kind: 'version' | 'from' | 'integrity' | 'script', value: string | undefined): Fact | null =>
  value === undefined ? null : { kind, value }
const named = (match: RegExpExecArray | null): Fact | null => {
  const [, name, version] = match ?? []
  if (name === undefined) return null
  return version === undefined ? { kind: 'package', name } : { kind: 'package', name, version }
}
/** The first that holds. */
const either = (...facts: readonly (Fact | null)[]): Fact | null => facts.find((one) => one !== null) ?? null
const when = (holds: boolean): Fact | null => (holds ? known : null)

const formats: readonly Format[] = [
  {
    names: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/,
    factOf: (line) =>
      either(
        named(/^\s*"(?:.*node_modules\/)([^"]+)": \{$/.exec(line)),
        field('version', /^\s*"version": "([^"]*)",?$/.exec(line)?.[1]),
        field('from', /^\s*"resolved": "([^"]*)",?$/.exec(line)?.[1]),
        field('integrity', /^\s*"integrity": "([^"]*)",?$/.exec(line)?.[1]),
        field('script', /^\s*"(hasInstallScript)": true,?$/.exec(line)?.[1]),
        // Ranges, platforms, names of commands, and what holds them together.
        when(/^\s*(?:"[\w@./*-]*": (?:"[^"]*"|true|false|\[|\{)|"[^"]*"|[\]}]),?$/.test(line)),
      ),
  },
  {
    names: /(?:^|\/)yarn\.lock$/,
    factOf: (line) =>
      either(
        named(/^"?(@?[^@"]+)@.*:$/.exec(line)),
        field('version', /^ {2}version:? "?([^"]*)"?$/.exec(line)?.[1]),
        field('from', /^ {2}(?:resolved|resolution:?) "?([^"]*)"?$/.exec(line)?.[1]),
        field('integrity', /^ {2}(?:integrity|checksum:?) "?([^"]*)"?$/.exec(line)?.[1]),
        when(/^(?: {2,6}[\w@"./-]+:?(?: .*)?|#.*|)$/.test(line)),
      ),
  },
  {
    names: /(?:^|\/)pnpm-lock\.yaml$/,
    factOf: (line) =>
      either(
        named(/^ {2}'?\/?((?:@[^@/]+\/)?[^@/'(:]+)[@/]([^('":]+)(?:\([^']*\))?'?:(?: \{\})?$/.exec(line)),
        field('from', /tarball: ([^,}]+)/.exec(line)?.[1]),
        field('integrity', /^ {4}resolution: \{integrity: ([^,}]+)\}$/.exec(line)?.[1]),
        field('script', /^ {4}(requiresBuild): true$/.exec(line)?.[1]),
        when(/^(?: {2,10}[^\s:]+:(?: .*)?| {4,8}- .*|)$/.test(line)),
      ),
  },
  {
    names: /(?:^|\/)(?:Cargo|poetry|uv|pdm)\.lock$/,
    factOf: (line) =>
      either(
        named(/^name = "([^"]+)"$/.exec(line)),
        field('version', /^version = "([^"]*)"$/.exec(line)?.[1]),
        field('from', /^source = (.*)$/.exec(line)?.[1]),
        field('integrity', /^checksum = "([^"]*)"$/.exec(line)?.[1]),
        when(/^(?:\[\[?[\w.]+\]?\]|[\w-]+ = .*| *[\]}],?| {1,4}["{].*|# .*|)$/.test(line)),
      ),
  },
  {
    names: /(?:^|\/)go\.sum$/,
    factOf: (line) => named(/^(\S+) (v[^\s/]+)(?:\/go\.mod)? h1:\S+$/.exec(line)),
  },
  {
    names: /(?:^|\/)Gemfile\.lock$/,
    factOf: (line) =>
      either(
        named(/^ {4}(\S+) \(([^)]+)\)$/.exec(line)),
        field('from', /^ {2}remote: (.*)$/.exec(line)?.[1]),
        when(/^(?: {2,6}\S.*|[A-Z ]+|)$/.test(line)),
      ),
  },
  {
    names: /(?:^|\/)composer\.lock$/,
    factOf: (line) =>
      either(
        named(/^ {12}"name": "([^"]+)",$/.exec(line)),
        field('version', /^ {12}"version": "([^"]*)",$/.exec(line)?.[1]),
        field('from', /^ {16}"url": "([^"]*)",$/.exec(line)?.[1]),
        when(/^\s*(?:"[^"]*": .*|"[^"]*"|[\]}[{]+),?$/.test(line)),
      ),
  },
]

/** Shorter changes are shown as they are. */
export const DIGESTED_LINES_MIN = 200
const PACKAGES_MAX = 2_000
const OTHER_LINES_MAX = 100
const LINE_CHARACTERS_MAX = 300
/** No tool writes a longer line of a kind that we know. */
const KNOWN_CHARACTERS_MAX = 2_000

type Side = { version: string | null; from: string | null; integrity: string | null; script: boolean }
type Package = { readonly old: Side; readonly now: Side }
const nothing = (): Side => ({ version: null, from: null, integrity: null, script: false })

/** Null where it is no lock file that we know, or more of it is unknown than can be shown. */
export function lockDigest({ path, patch }: Pick<FileChange, 'path' | 'patch'>): readonly string[] | null {
  const format = formats.find(({ names }) => names.test(path))
  const hunks = hunksOf(patch ?? '')
  if (format === undefined || hunks.length === 0) return null
  const packages = new Map<string, Package>()
  const others: DiffLine[] = []
  for (const { lines } of hunks) readHunk(format, lines, packages, others)
  if (packages.size > PACKAGES_MAX || others.length > OTHER_LINES_MAX) return null
  if (others.some(({ text }) => text.length > LINE_CHARACTERS_MAX)) return null
  return words(packages, others)
}

function readHunk(
  { factOf }: Format,
  lines: readonly DiffLine[],
  packages: Map<string, Package>,
  others: DiffLine[],
): void {
  let [old, now]: [string, string] = ['', '']
  const of = (name: string): Package => {
    const one = packages.get(name) ?? { old: nothing(), now: nothing() }
    packages.set(name, one)
    return one
  }
  for (const line of lines) {
    const fact = line.text.length > KNOWN_CHARACTERS_MAX ? null : factOf(line.text)
    if (fact?.kind === 'package') {
      if (line.sign !== '+') old = fact.name
      if (line.sign !== '-') now = fact.name
    }
    if (!isChanged(line)) continue
    const name = line.sign === '-' ? old : now
    // What belongs to no package that is in sight is shown as it is.
    if (fact === null || (fact.kind !== 'known' && fact.kind !== 'package' && name === '')) others.push(line)
    else if (fact.kind !== 'known') note(line.sign === '-' ? of(name).old : of(name).now, fact)
  }
}

function note(side: Side, fact: Exclude<Fact, { kind: 'known' }>): void {
  if (fact.kind === 'package') side.version = fact.version ?? side.version ?? ''
  else if (fact.kind === 'script') side.script = true
  else side[fact.kind] = fact.value
}

function words(packages: ReadonlyMap<string, Package>, others: readonly DiffLine[]): readonly string[] {
  const all = [...packages].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const is = (side: Side): boolean => side.version !== null || side.from !== null || side.integrity !== null
  const added = all.filter(([, { old, now }]) => is(now) && !is(old))
  const removed = all.filter(([, { old, now }]) => is(old) && !is(now))
  const changed = all.filter(([, { old, now }]) => is(old) && is(now))
  const hosts = new Map<string, number>()
  for (const [, { now }] of all) {
    const host = hostOf(now.from)
    if (host !== null) hosts.set(host, (hosts.get(host) ?? 0) + 1)
  }
  const lists = (title: string, list: typeof all, say: (name: string, one: Package) => string): string[] =>
    list.length === 0 ? [] : [`${title} ${list.length}:`, ...list.map(([name, one]) => `  ${say(name, one)}`)]
  return [
    'packages of a lock file, as a program counted them',
    ...lists('added', added, (name, { now }) => `${name} ${now.version ?? ''}${oddities(nothing(), now)}`),
    ...lists('removed', removed, (name, { old }) => `${name} ${old.version ?? ''}`),
    ...lists('changed', changed, (name, { old, now }) => `${name} ${step(old, now)}${oddities(old, now)}`),
    ...[...hosts].map(([host, count]) => `from ${host}: ${count}`),
    ...(others.length === 0 ? [] : [`other changed lines ${others.length}:`]),
    ...others.map(({ sign, text }) => `  ${sign}${text}`),
  ]
}

const step = ({ version: old }: Side, { version: now }: Side): string =>
  old === now || old === null || now === null ? (now ?? old ?? 'at the same version') : `${old} to ${now}`

/** What a reviewer of such a file looks for. */
function oddities(old: Side, now: Side): string {
  const moved = old.from !== null && now.from !== null && hostOf(old.from) !== hostOf(now.from)
  const other = now.integrity !== null && old.integrity !== null && old.version === now.version
  return [
    moved ? `, from ${hostOf(now.from)} instead of ${hostOf(old.from)}` : '',
    other ? ', other content at the same version' : '',
    now.script && !old.script ? ', runs a script when it is installed' : '',
  ].join('')
}

/** Where it comes from: the host of an address, or the words themselves. */
function hostOf(from: string | null): string | null {
  if (from === null) return null
  return /\w+:\/\/(?:[^/@]*@)?([^/:"]+)/.exec(from)?.[1] ?? from.slice(0, 80)
}
