// Small files that a changed one names, and files beside it that name it: where neither has a name of the other's that could
// be looked up, such as a member of a type, a script, or a field. They are shown where there is room left.
import type { FileChange } from '../change/change.ts'
import type { Texts } from './sight.ts'

const LINES_MAX = 120
const LINKED_MAX = 8
const STEM_LENGTH_MIN = 4
const CHARACTERS_MAX = 400_000
/** Names of files that say nothing about what is in them. */
const common = new Set(['index', 'main', 'utils', 'util', 'types', 'type', 'test', 'tests', 'common', 'helpers', 'lib', 'mod', 'init', 'config', 'data', 'name', 'value', 'result', 'error', 'base', 'core', 'setup', 'readme', 'license', 'changelog']) // prettier-ignore

export type Linked = { readonly path: string; readonly lines: number }

/** Of `known` paths what matters of those that name a changed file is shown already. */
export function linkedTo(files: readonly FileChange[], texts: Texts, known: ReadonlySet<string>): Linked[] {
  const own = files.flatMap(({ path }) => {
    const text = texts.textOf(path)
    return text === null || text.length > CHARACTERS_MAX ? [] : [{ path, text, words: wordsOf(text) }]
  })
  const linked: Linked[] = []
  for (const path of texts.paths) {
    if (linked.length === LINKED_MAX) break
    if (own.some((one) => one.path === path)) continue
    const isNamed = isTelling(stemOf(path)) && own.some(({ words }) => words.has(stemOf(path)))
    const beside = known.has(path) ? [] : own.filter((one) => folderOf(one.path) === folderOf(path))
    if (!isNamed && beside.length === 0) continue
    const text = texts.textOf(path)
    if (text === null || text.length > CHARACTERS_MAX) continue
    const lines = text.split('\n').length
    const names = isNamed
      ? false
      : beside.some((one) => isTelling(stemOf(one.path)) && wordsOf(text).has(stemOf(one.path)))
    if (lines <= LINES_MAX && (isNamed || names)) linked.push({ path, lines })
  }
  return linked
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.match(/[A-Za-z_][\w-]*/g) ?? []).map((word) => word.toLowerCase()))
const stemOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\..*$/, '').toLowerCase()
const isTelling = (stem: string): boolean => stem.length >= STEM_LENGTH_MIN && !common.has(stem)
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
