// From the files of a commit to what is shown of them: chosen, packed by worth within a budget of tokens, cleaned. A pure
// function of plain data, since a repository may be as large and as odd as its authors like; the texts come by name.
import { redactor } from '../asking/clean.ts'
import { inert } from '../asking/fence.ts'
import type { FileChange } from '../change/change.ts'
import { tokensOf } from '../change/pack.ts'
import { withGutters, type PresentedFile, type ShownLine } from '../change/presented.ts'
import { askedFor } from './asked.ts'
import { chooseAround, type Candidate } from './choose.ts'
import { whyWords, type Excerpt, type ShownExcerpt, type Sight, type Texts } from './sight.ts'

export type LookQuestion = {
  readonly files: readonly FileChange[]
  readonly tokens: number
  /** What a reviewer missed, in its own words; empty for what is shown unasked. */
  readonly asked: readonly string[]
  /** What is shown already and need not be shown again. */
  readonly before: readonly Excerpt[]
  /** What stands for what so far. */
  readonly known: ReadonlyMap<string, string>
}
export type Looked = { readonly sight: Sight; readonly known: ReadonlyMap<string, string> }

/** The files of one commit, until they are closed. */
export interface Snapshot {
  /** Null where looking takes more time or memory than one change may take. */
  readonly look: (question: LookQuestion) => Promise<Looked | null>
  readonly close: () => Promise<void>
}

const LINE_CHARACTERS_MAX = 400
/** More never fit into any budget. */
const CANDIDATES_MAX = 1_000

export function lookAround({ files, tokens, asked, before, known: given }: LookQuestion, texts: Texts): Looked {
  const known = new Map(given)
  const redact = redactor([], known)
  const { candidates, notes } = asked.length > 0 ? askedFor(asked, texts) : chooseAround(files, texts)
  const rowsOf = rowsOnce((text) => redact.secrets(text).split('\n'))
  const shown: ShownExcerpt[] = []
  let room = tokens
  const best = candidates.toSorted((one, other) => other.worth - one.worth).slice(0, CANDIDATES_MAX)
  for (const one of best) {
    if (room <= HEAD_TOKENS) break
    const fresh = withoutKnown(one, [...before, ...shown])
    if (fresh === null) continue
    const text = texts.textOf(one.path)
    if (text === null) continue
    const excerpt = {
      ...fresh,
      file: presented({ ...fresh, path: redact.secrets(fresh.path) }, rowsOf(one.path, text)),
    }
    const cost = tokensOf(excerptText(excerpt)) + HEAD_TOKENS
    if (cost > room) continue
    room -= cost
    shown.push(excerpt)
  }
  const inPlace = shown.toSorted((one, other) =>
    one.path === other.path ? one.from - other.from : one.path < other.path ? -1 : 1,
  )
  return { sight: { shown: inPlace, notes }, known }
}

/** What the fence around an excerpt costs. */
const HEAD_TOKENS = 40

/** What of an excerpt is not shown yet: nothing, all of it, or what lies before or behind what is. */
function withoutKnown({ worth: _worth, ...one }: Candidate, before: readonly Excerpt[]): Excerpt | null {
  let { from, to } = one
  for (const other of before) {
    if (other.path !== one.path || other.to < from || other.from > to) continue
    if (other.from <= from && other.to >= to) return null
    if (other.from <= from) from = other.to + 1
    else if (other.to >= to) to = other.from - 1
  }
  return { ...one, from, to }
}

/** The lines of a whole file, since what is a secret may be told from lines that are not shown; read once for each file. */
function rowsOnce(read: (text: string) => readonly string[]): (path: string, text: string) => readonly string[] {
  const before = new Map<string, readonly string[]>()
  return (path, text) => {
    const rows = before.get(path) ?? read(text)
    before.set(path, rows)
    return rows
  }
}

function presented({ path, from, to }: Excerpt, rows: readonly string[]): PresentedFile {
  const lines = rows.slice(from - 1, to).map((row, index): ShownLine => {
    const shown = inert(row.length > LINE_CHARACTERS_MAX ? `${row.slice(0, LINE_CHARACTERS_MAX)} [cut]` : row)
    return { sign: ' ', old: null, new: from + index, text: shown, code: '', covered: false }
  })
  return { path: inert(path), hunks: [{ head: '', lines }], changed: 0 }
}

export const excerptText = ({ file }: ShownExcerpt): string =>
  file.hunks.map((hunk) => withGutters(hunk).replace(/^\n/, '')).join('\n')

/** What a fence around an excerpt is called: where it stands, in which commit, and why it is here. */
export const excerptLabel = ({ path, from, to, why, name }: Excerpt, sha: string): string =>
  `${path} lines ${from}-${to} at ${sha.slice(0, 12)}: ${whyWords[why]}${name === '' ? '' : ` ${name}`}`
