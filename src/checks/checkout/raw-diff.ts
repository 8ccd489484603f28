// What git tells of a change: `--raw -z` names the files, exactly as they are called, and the patches follow in the same
// order. Names in patches are never read, since they may hold anything.
import type { ChangedFile } from '../../core/decision/model.ts'

export type RawEntry = ChangedFile & {
  /** A file that becomes a link, say, is told as two patches: one that deletes and one that adds. */
  readonly patches: 1 | 2
}

const FILES_MAX = 100_000
/** The mode of a submodule. */
const commit = '160000'

/** A list that was cut would be taken for a shorter one, so there is all of it or none. */
export function readRaw(text: string): RawEntry[] {
  const fields = text.split('\0')
  const entries: RawEntry[] = []
  // Behind the last name stands nothing.
  for (let at = 0; at < fields.length - 1;) {
    const [, before, after, letter] = /^:(\d+) (\d+) [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/.exec(fields[at] ?? '') ?? []
    const first = fields[at + 1]
    if (letter === undefined || first === undefined) throw new Error('git lists changed files in an unknown form')
    if (entries.length === FILES_MAX) throw new Error(`git lists more than ${FILES_MAX} changed files`)
    const isMove = letter === 'R' || letter === 'C'
    const path = isMove ? (fields[at + 2] ?? first) : first
    at += isMove ? 3 : 2
    const previous_path = letter === 'R' ? first : null
    const submodule = before === commit || after === commit ? { submodule: true as const } : {}
    entries.push({ path, previous_path, status: statusOf(letter), patches: letter === 'T' ? 2 : 1, ...submodule })
  }
  return entries
}

function statusOf(letter: string): ChangedFile['status'] {
  switch (letter) {
    case 'A':
    case 'C':
      return 'added'
    case 'D':
      return 'removed'
    case 'R':
      return 'renamed'
    default:
      return 'modified'
  }
}

/** Hunks by path, or null where patches and files do not go together. Every line within a hunk begins with a sign. */
export function patchesByPath(entries: readonly RawEntry[], diff: string): ReadonlyMap<string, string> | null {
  // Only a line feed ends a line here: `^` would also match behind a carriage return within one.
  const sections = diff.split(/(?:^|\n)diff --git [^\n]*/).slice(1)
  const expected = entries.reduce((sum, { patches }) => sum + patches, 0)
  if (sections.length !== expected) return null
  const patches = new Map<string, string>()
  let at = 0
  for (const { path, patches: count } of entries) {
    const own = sections.slice(at, at + count)
    at += count
    // Of what git takes for no text it tells no line, which is not the same as that no line changed.
    if (!own.some(isUntold)) patches.set(path, own.map(hunksOf).join('\n'))
  }
  return patches
}

const isUntold = (section: string): boolean => /(?:^|\n)Binary files [^\n]* differ\n?$/.test(section)

function hunksOf(section: string): string {
  const start = section.indexOf('\n@@ ')
  return start === -1 ? '' : section.slice(start + 1)
}
