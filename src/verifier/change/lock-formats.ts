// What a line of a lock file says, format by format. Each line is matched as a whole, and what is of no consequence is a closed
// list: ranges, platforms, licences, and what holds them together. A line that is none of these says nothing that we know.

export type Fact =
  /** A package begins. `place` tells it from others of its name, where the file has more than one. */
  | { readonly kind: 'entry'; readonly place: string; readonly name: string; readonly version: string | null }
  /** No package goes on behind it. */
  | { readonly kind: 'end' }
  /** `from`: where it is fetched; `alias`: the package that it is, under the name of another. */
  | { readonly kind: 'version' | 'from' | 'integrity' | 'alias'; readonly value: string }
  | { readonly kind: 'script' }
  /** An address that nothing is fetched from. */
  | { readonly kind: 'address'; readonly key: string; readonly value: string }

type Format = {
  readonly names: RegExp
  /** Null where the line is none of a kind that we know; nothing where it is of no consequence. */
  readonly factsOf: (line: string) => readonly Fact[] | null
}
type Valued = Extract<Fact, { readonly value: string }>['kind']

const address = /\w:\/\/|\bgit@|\bgithub:|\b(?:file|link|portal):/
/** A field that says what is fetched is told or shown, never passed over. */
const naming =
  /(?:^|[\s{,"'])(?:git|repo|url|path|name|directory|editable|virtual|reference|resolved_reference|registry|tarball)["']?\s*[=:]/

/** What a range, a licence or a platform is written in, and what commands are called within a package. */
const plain = String.raw`[\w .*^~<>=|+()&!,;-]*`
const command = String.raw`(?:\.\/)?(?:bin|dist|lib|src|build|cli|out)\/[\w./-]*|[\w./-]+\.[cm]?js`
const value = `(?:${plain}|${command})`

const known = (line: string, shapes: RegExp): readonly Fact[] | null =>
  shapes.test(line) && !address.test(line) && !naming.test(line) ? [] : null
const entry = (match: RegExpExecArray | null): readonly Fact[] | null => {
  const [, name, version = null] = match ?? []
  return name === undefined ? null : [{ kind: 'entry', place: name, name, version }]
}
const field = (kind: Exclude<Valued, 'address'>, match: RegExpExecArray | null): readonly Fact[] | null => {
  const given = match?.[1]
  return given === undefined ? null : given === '' ? [] : [{ kind, value: given }]
}
const told = (match: RegExpExecArray | null): readonly Fact[] | null => {
  const [, key, given] = match ?? []
  return key === undefined || given === undefined ? null : [{ kind: 'address', key, value: given }]
}
const end = (holds: boolean): readonly Fact[] | null => (holds ? [{ kind: 'end' }] : null)
const script = (holds: boolean): readonly Fact[] | null => (holds ? [{ kind: 'script' }] : null)

const npmParts = /^\s*"(?:packages|requires|engines|bin|funding|(?:dev|peer|optional)?[dD]ependencies(?:Meta)?)": \{$/
const npmShapes = new RegExp(
  `^\\s*(?:"[\\w@./*-]*": (?:"${value}"|true|false|\\d+|\\[|\\{|\\{\\}|\\[\\])|"(?:deprecated|license)": "[^"]*"|"${value}"|[\\]}{]),?$`,
)
const npm = (line: string): readonly Fact[] | null => {
  const [, indent, key] = /^( {4,})"([^"]+)": \{$/.exec(line) ?? []
  const name = key?.replace(/^node_modules\//, '') ?? ''
  if (indent !== undefined && !npmParts.test(line)) {
    return [{ kind: 'entry', place: `${indent}${key}`, name, version: null }]
  }
  return (
    field('version', /^\s*"version": "([^"]*)",?$/.exec(line)) ??
    field('from', /^\s*"resolved": "([^"]*)",?$/.exec(line)) ??
    field('integrity', /^\s*"integrity": "([^"]*)",?$/.exec(line)) ??
    field('alias', /^\s*"name": "([^"]*)",?$/.exec(line)) ??
    script(/^\s*"hasInstallScript": true,?$/.test(line)) ??
    told(/^\s*"(url|funding|deprecated|license)": "([^"]*:\/\/[^"]*)",?$/.exec(line)) ??
    known(line, npmShapes)
  )
}

const yarnShapes = new RegExp(
  `^(?: {2}(?:(?:peer|optional)?[dD]ependencies(?:Meta)?|bin|engines|languageName|linkType|conditions|cacheKey)\\b:?(?: "?${plain}"?)?| {4,6}"?[\\w@./-]+"?:?(?: "?(?:npm:)?${value}"?)?|__metadata:|#.*|)$`,
)
const yarn = (line: string): readonly Fact[] | null =>
  described(line) ??
  field('version', /^ {2}version:? "?([^"]*)"?$/.exec(line)) ??
  field('from', /^ {2}(?:resolved|resolution:?) "?([^"]*)"?$/.exec(line)) ??
  field('integrity', /^ {2}(?:integrity|checksum:?) "?([^"]*)"?$/.exec(line)) ??
  known(line, yarnShapes)

const range = new RegExp(`^(?:npm:)?${plain}$`)

/** An entry for all that asks for it, each as a name with a range. */
function described(line: string): readonly Fact[] | null {
  if (!/^[^\s#].*:$/.test(line)) return null
  const asked = line.slice(0, -1).replaceAll('"', '').split(/, ?/)
  const parts = asked.map((one) => /^(@?[^@]+)@(.*)$/.exec(one))
  const name = parts[0]?.[1]
  if (name === undefined || parts.includes(null)) return null
  const other = parts.find((part) => part?.[1] !== name || !range.test(part[2] ?? ''))
  return [{ kind: 'entry', place: name, name, version: null }, ...aliasOf(other?.[0])]
}

const aliasOf = (given: string | undefined): readonly Fact[] =>
  given === undefined ? [] : [{ kind: 'alias', value: given }]

/** The name of a package and something else than its version, such as an address. */
function aliased(match: RegExpExecArray | null): readonly Fact[] | null {
  const [, name, alias] = match ?? []
  return name === undefined ? null : [{ kind: 'entry', place: name, name, version: null }, ...aliasOf(alias)]
}

const pnpmShapes = new RegExp(
  `^(?:[a-zA-Z]+:(?: '?[\\d.]+'?)?| {2}[a-zA-Z]+: (?:true|false)| {4,}(?:(?:peer|optional|dev|transitivePeer|bundled)?[dD]ependencies(?:Meta)?|engines|cpu|os|libc|hasBin|dev|optional|patched|deprecated)\\b:(?: .*)?| {6,10}'?[\\w@./-]+'?:(?: '?(?:${plain}(?:\\([\\w@./()-]*\\))*|workspace:[\\d.*^~]+)'?)?| {4,8}- '?[\\w@./-]+'?|)$`,
)
const pnpm = (line: string): readonly Fact[] | null =>
  entry(/^ {2}'?\/?((?:@[^@/]+\/)?[^@/'(:]+)[@/]([^('":]+)(?:\([^']*\))?'?:(?: \{\})?$/.exec(line)) ??
  aliased(/^ {2}'?((?:@[^@/]+\/)?[^@/'(:]+)@(.+?)'?:(?: \{\})?$/.exec(line)) ??
  entry(/^ {2}'?([\w./-]+)'?:$/.exec(line)) ??
  resolution(/^ {4}resolution: \{(.*)\}$/.exec(line)?.[1]) ??
  field('alias', /^ {4}name: '?([^']*)'?$/.exec(line)) ??
  field('version', /^ {4}version: '?([^']*)'?$/.exec(line)) ??
  script(/^ {4}requiresBuild: true$/.test(line)) ??
  known(line, pnpmShapes)

function resolution(parts: string | undefined): readonly Fact[] | null {
  if (parts === undefined) return null
  const facts = parts.split(', ').map((part): Fact | null => {
    const [, key, given] = /^(integrity|tarball|repo): (.*)$/.exec(part) ?? []
    return key === undefined || given === undefined ? null : { kind: key === 'integrity' ? key : 'from', value: given }
  })
  const all = facts.filter((fact) => fact !== null)
  // What a repository is at is content of it, and anything else is shown.
  const isTold = parts.split(', ').every((part) => /^(?:integrity|tarball|repo|commit|type): /.test(part))
  return all.length === 0 || !isTold ? null : all
}

const tomlShapes = new RegExp(
  `^(?:\\[[\\w.-]+\\]|(?:description|summary|content[-_]hash|resolution-markers|requires-dist) = .*|[\\w.-]+ = (?:"${plain}"|\\[|\\d+|true|false|\\{${plain.replace('!', `!"'\\\\`)}\\}|\\[(?:"${plain}",? ?)*\\])| *[\\]}],?| {1,4}"${plain}",?| *\\{ ?file = "[\\w.+-]+" ?\\},?|# .*|)$`,
)
const dependency = /^ +\{ name = "[\w.-]+"(?:, (?:marker|specifier|version) = "[^":/]*"|, extra = \[[^\]:/]*\])* \},?$/
const toml = (line: string): readonly Fact[] | null =>
  end(line === '[[package]]') ??
  entry(/^name = "([^"]+)"$/.exec(line)) ??
  field('version', /^version = "([^"]*)"$/.exec(line)) ??
  field('integrity', /^checksum = "([^"]*)"$/.exec(line)) ??
  field('from', /^(?:source|url) = (.*)$/.exec(line)) ??
  archive(line) ??
  told(/^(description|summary) = "(.*:\/\/.*)"$/.exec(line)) ??
  (dependency.test(line) ? [] : null) ??
  known(line, tomlShapes)

/** A file of a package with its hash, and where it is. */
function archive(line: string): readonly Fact[] | null {
  const [, place, given, hash] =
    /^(?:sdist = | *)\{ ?(url|file) = "([^"]*)", hash = "([^"]*)"(?:, [\w-]+ = (?:\d+|"[\w:.-]*"))* ?\},?$/.exec(
      line,
    ) ?? []
  if (given === undefined || hash === undefined) return null
  const content: Fact = { kind: 'integrity', value: hash }
  return place === 'url' ? [{ kind: 'from', value: given }, content] : [content]
}

const goSum = (line: string): readonly Fact[] | null => {
  const [, name, version = null, hash] = /^(\S+) (v[^\s/]+)(?:\/go\.mod)? (h1:\S+)$/.exec(line) ?? []
  if (name === undefined || hash === undefined) return null
  return [
    { kind: 'entry', place: name, name, version },
    { kind: 'integrity', value: hash },
  ]
}

const gems = (line: string): readonly Fact[] | null =>
  end(/^[A-Z ]+$/.test(line)) ??
  entry(/^ {4}(\S+) \(([^)]+)\)$/.exec(line)) ??
  field('from', /^ {2}remote: (.*)$/.exec(line)) ??
  known(line, new RegExp(`^(?: {6}[\\w.-]+(?: \\(${plain}\\))?| {2}specs:| {2,3}[\\w.-]+(?: \\(${plain}\\))?!?|)$`))

const composerShapes =
  /^\s*(?:"[^"]*": (?:"[^"]*"|true|false|\d+|\[|\{|\[\]|\{\})|"[^"]*"|[\]}[{]|"[^"]*": \[[^\]]*\]),?$/
const composer = (line: string): readonly Fact[] | null =>
  entry(/^\s{0,15}"name": "([^"]+)",?$/.exec(line)) ??
  (/^\s{16,}"name": "[^"/:]*",?$/.test(line) ? [] : null) ??
  field('version', /^\s*"version": "([^"]*)",?$/.exec(line)) ??
  field('from', /^\s{0,19}"url": "([^"]*)",?$/.exec(line)) ??
  field('integrity', /^\s*"(?:reference|shasum)": "([^"]*)",?$/.exec(line)) ??
  told(/^\s*"([\w-]+)": "([^"]*:\/\/[^"]*)",?$/.exec(line)) ??
  known(line, composerShapes)

const formats: readonly Format[] = [
  { names: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, factsOf: npm },
  { names: /(?:^|\/)yarn\.lock$/, factsOf: yarn },
  { names: /(?:^|\/)pnpm-lock\.yaml$/, factsOf: pnpm },
  { names: /(?:^|\/)(?:Cargo|poetry|uv|pdm)\.lock$/, factsOf: toml },
  { names: /(?:^|\/)go\.sum$/, factsOf: goSum },
  { names: /(?:^|\/)Gemfile\.lock$/, factsOf: gems },
  { names: /(?:^|\/)composer\.lock$/, factsOf: composer },
]

/** How the lines of a file of this name are read, where it is a lock file that we know. */
export const lockFormat = (path: string): Format['factsOf'] | null =>
  formats.find(({ names }) => names.test(path))?.factsOf ?? null
