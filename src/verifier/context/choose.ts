// What to show around a change, found by code and never by tools of a model: the changed files and what encloses the changed
// lines, who uses what changed, what the change uses, tests, documents and a neighbour. Bounded by bytes, so that the same
// commit always gives the same.
import { codeParts } from '../change/code-part.ts'
import { hunksOf, isChanged, type FileChange } from '../change/change.ts'
import { definedBy, definitionAround, isTelling, namesIn } from './definitions.ts'
import { linkedTo } from './linked.ts'
import type { Excerpt, Texts, Why } from './sight.ts'

export type Candidate = Excerpt & { readonly worth: number }
export type Chosen = { readonly candidates: readonly Candidate[]; readonly notes: readonly string[] }

const WHOLE_LINES_MAX = 120
const IMPORTS_LINES_MAX = 25
const DEFINITION_LINES_MAX = 60
const AROUND = 8
const NAMES_MAX = 150
/** All that is searched for names in one commit. */
const SEARCHED_BYTES_MAX = 64_000_000
const SEARCHED_FILE_CHARACTERS_MAX = 400_000
const HITS_PER_NAME_MAX = 12
const SIBLING_LINES_MAX = 60
const SIBLINGS_MAX = 2

const worths = {
  asked: 110,
  enclosing: 100,
  file: 95,
  caller: 90,
  definition: 80,
  test: 70,
  imports: 60,
  document: 50,
  sibling: 40,
  linked: 30,
} as const satisfies Record<Why, number>

export function chooseAround(files: readonly FileChange[], texts: Texts): Chosen {
  const changed = files.filter(({ status, content }) => status !== 'removed' && content === 'text')
  const own = changed.flatMap((file) => (file.status === 'added' ? [] : aroundChanged(file, texts)))
  const names = namesOf(files, texts)
  const { found, notes } = mentionsOf(names, files, texts)
  const all = [...own, ...found, ...siblingsOf(changed, texts)]
  const linked = texts.searchable
    ? linkedTo(changed, { ...texts, paths: texts.paths.filter(isSearched) }, pathsOf(all))
    : []
  const more = linked.map(({ path, lines }, nth) => candidate(path, 1, lines, 'linked', '', nth))
  return { candidates: [...all, ...more], notes }
}

const pathsOf = (candidates: readonly Candidate[]): Set<string> => new Set(candidates.map(({ path }) => path))
const linesOfText = (text: string): readonly string[] => text.split('\n')

/** Lines of the new side at which something changed; what was removed stood before the line that follows it. */
function changedAt({ patch }: FileChange): readonly number[] {
  return hunksOf(patch ?? '').flatMap(({ lines }) => {
    let next = lines.find(({ new: now }) => now !== null)?.new ?? 1
    return lines.flatMap((line) => {
      const at = line.new ?? next
      if (line.new !== null) next = line.new + 1
      return isChanged(line) ? [at] : []
    })
  })
}

function aroundChanged(file: FileChange, texts: Texts): Candidate[] {
  const { path } = file
  const text = texts.textOf(path)
  if (text === null) return []
  const lines = linesOfText(text)
  if (lines.length <= WHOLE_LINES_MAX) return [candidate(path, 1, lines.length, 'file')]
  const spans = changedAt(file).map((at) => spanAround(lines, at))
  const head = candidate(path, 1, IMPORTS_LINES_MAX, 'imports')
  const places = new Map(spans.map((one) => [`${one.from} ${one.to}`, one]))
  return [head, ...[...places.values()].map(({ from, to, name }) => candidate(path, from, to, 'enclosing', name))]
}

/** The definition around a line, or what stands next to it where that is too long or there is none. */
function spanAround(lines: readonly string[], at: number): { from: number; to: number; name: string } {
  const around = definitionAround(lines, at)
  const near = { from: Math.max(1, at - AROUND), to: Math.min(lines.length, at + AROUND) }
  if (around === null) return { ...near, name: '' }
  const { from, to, name } = around
  return to - from < DEFINITION_LINES_MAX
    ? around
    : { from: Math.max(from, near.from - AROUND), to: Math.min(to, near.to + AROUND), name }
}

const candidate = (path: string, from: number, to: number, why: Why, name = '', less = 0): Candidate => ({
  path,
  from,
  to,
  why,
  name,
  worth: worths[why] - less,
})

type Names = {
  /** Whose definition the change touches. */
  readonly changed: ReadonlySet<string>
  /** What the change uses. */
  readonly used: ReadonlySet<string>
}

function namesOf(files: readonly FileChange[], texts: Texts): Names {
  const changed = new Set<string>()
  const used = new Set<string>()
  for (const file of files) {
    if (file.content !== 'text') continue
    for (const { lines } of hunksOf(file.patch ?? '')) {
      const code = codeParts(file.path, lines)
      for (const [index, line] of lines.entries()) {
        if (!isChanged(line)) continue
        const defined = definedBy(code[index] ?? '')
        if (defined !== null && isTelling(defined)) changed.add(defined)
        if (line.sign === '+') for (const name of namesIn(code[index] ?? '')) used.add(name)
      }
    }
    for (const name of namesAround(file, texts)) if (isTelling(name)) changed.add(name)
  }
  const first = [...changed].slice(0, NAMES_MAX)
  const rest = [...used].filter((name) => !changed.has(name)).slice(0, NAMES_MAX - first.length)
  return { changed: new Set(first), used: new Set(rest) }
}

/** Of the definitions in which something changed. */
function namesAround(file: FileChange, texts: Texts): string[] {
  if (file.status === 'removed' || file.status === 'added') return []
  const text = texts.textOf(file.path)
  if (text !== null) {
    const lines = linesOfText(text)
    return changedAt(file).flatMap((at) => definitionAround(lines, at)?.name ?? [])
  }
  // What cannot be read as a whole is told from the lines that the change shows.
  return hunksOf(file.patch ?? '').flatMap(({ lines }) => {
    const shown = lines.filter((line) => line.new !== null)
    const texts = shown.map((line) => line.text)
    return shown.flatMap((line, index) => (isChanged(line) ? (definitionAround(texts, index + 1)?.name ?? []) : []))
  })
}

const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.|(?:^|\/)test_/i.test(path)
const isDocument = (path: string): boolean =>
  /\.(?:md|mdx|rst|adoc|txt|ya?ml|json|graphql|proto|sql|xsd|toml|html?)$/i.test(path)
const isSearched = (path: string): boolean =>
  !/(?:^|\/)(?:node_modules|vendor|dist|build|third_party|\.git)\/|\.(?:lock|map|min\.\w+|svg|snap|csv|png|jpe?g|gif|pdf|woff2?|zip|gz|jar|ico)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum)$/i.test(
    path,
  )

/** What lies near a changed file is likelier to matter, and is searched first. */
function inOrder(paths: readonly string[], files: readonly FileChange[]): string[] {
  const folders = new Set(files.map(({ path }) => folderOf(path)))
  const tops = new Set(files.map(({ path }) => path.split('/')[0] ?? ''))
  const rank = (path: string): number => (folders.has(folderOf(path)) ? 0 : tops.has(path.split('/')[0] ?? '') ? 1 : 2)
  return paths.filter(isSearched).toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

type Found = { readonly found: readonly Candidate[]; readonly notes: readonly string[] }

function mentionsOf({ changed, used }: Names, files: readonly FileChange[], texts: Texts): Found {
  const all = [...changed, ...used]
  if (all.length === 0) return { found: [], notes: [] }
  if (!texts.searchable) return { found: [], notes: ['the other files of the repository could not be searched'] }
  const wanted = new RegExp(String.raw`(?<![\w$])(?:${all.map(escaped).join('|')})(?![\w$])`, 'g')
  const own = new Set(files.map(({ path }) => path))
  const counts = new Map<string, number>()
  const found: Candidate[] = []
  const paths = inOrder(texts.paths, files)
  let bytes = 0
  let searched = 0
  for (const path of paths) {
    if (bytes > SEARCHED_BYTES_MAX) break
    searched += 1
    const text = own.has(path) ? null : texts.textOf(path)
    if (text === null || text.length > SEARCHED_FILE_CHARACTERS_MAX) continue
    bytes += text.length
    const hits = hitsIn(text, wanted)
    const lines = hits.length === 0 ? [] : linesOfText(text)
    for (const { name, line } of hits) {
      const one = mention({ changed, used }, path, lines, line, name)
      const key = one === null ? '' : `${one.why} ${name}`
      const nth = counts.get(key) ?? 0
      if (one === null || nth >= HITS_PER_NAME_MAX) continue
      counts.set(key, nth + 1)
      // Of many places that mention one name the first say most.
      found.push({ ...one, worth: one.worth - nth * 3 })
    }
  }
  const left = paths.length - searched
  return {
    found,
    notes: left === 0 ? [] : [`${left} of ${paths.length} files were not searched: the repository is too large`],
  }
}

const escaped = (name: string): string => name.replaceAll('$', String.raw`\$`)

/** One per line and name. */
function hitsIn(text: string, wanted: RegExp): { name: string; line: number }[] {
  const hits: { name: string; line: number }[] = []
  const seen = new Set<string>()
  let line = 1
  let from = 0
  for (const match of text.matchAll(wanted)) {
    for (let at = text.indexOf('\n', from); at >= 0 && at < match.index; at = text.indexOf('\n', from)) {
      line += 1
      from = at + 1
    }
    const key = `${match[0]} ${line}`
    if (seen.has(key)) continue
    seen.add(key)
    hits.push({ name: match[0], line })
    if (hits.length >= HITS_PER_FILE_MAX) break
  }
  return hits
}
const HITS_PER_FILE_MAX = 60

function mention(names: Names, path: string, lines: readonly string[], at: number, name: string): Candidate | null {
  const line = lines[at - 1] ?? ''
  if (/^\s*(?:import|from|use|using|#include|require)\b/.test(line)) return null
  const isChangedName = names.changed.has(name)
  if (definedBy(line) === name && !isDocument(path)) {
    const { from, to } = spanAround(lines, at)
    // What is defined under the same name elsewhere is no caller.
    return names.used.has(name) && !isTest(path) ? candidate(path, from, to, 'definition', name) : null
  }
  if (!isChangedName) return null
  if (isDocument(path)) return candidate(path, Math.max(1, at - 3), Math.min(lines.length, at + 3), 'document', name)
  const { from, to } = spanAround(lines, at)
  return candidate(path, from, to, isTest(path) ? 'test' : 'caller', name)
}

/** For a file that is new, the file beside it that is most like it by its name shows how such things are done here. */
function siblingsOf(changed: readonly FileChange[], texts: Texts): Candidate[] {
  const own = new Set(changed.map(({ path }) => path))
  return changed
    .filter(({ status, path }) => status === 'added' && isSearched(path) && !isTest(path))
    .slice(0, SIBLINGS_MAX)
    .flatMap(({ path }) => {
      const beside = texts.paths.filter(
        (other) => !own.has(other) && folderOf(other) === folderOf(path) && ending(other) === ending(path),
      )
      const [nearest] = beside.toSorted((one, other) => alike(other, path) - alike(one, path) || (one < other ? -1 : 1))
      const text = nearest === undefined ? null : texts.textOf(nearest)
      if (nearest === undefined || text === null) return []
      return [candidate(nearest, 1, Math.min(SIBLING_LINES_MAX, linesOfText(text).length), 'sibling')]
    })
}

const ending = (path: string): string => /\.[^./]+$/.exec(path)?.[0] ?? ''

/** Words that two names have in common. */
function alike(one: string, other: string): number {
  const words = (path: string): string[] => (path.split('/').at(-1) ?? '').split(/[^A-Za-z0-9]+|(?=[A-Z])/)
  const known = new Set(words(other))
  return words(one).filter((word) => known.has(word)).length
}
