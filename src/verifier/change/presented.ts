// How a changed file is shown: each line with its number and sign, cleaned, and kept beside it as data, since quotes are
// looked for in what was shown and nowhere else.
import { changedIn, hunksOf, type DiffLine, type FileChange } from './change.ts'
import { codeParts } from './code-part.ts'
import type { Redactor } from '../asking/clean.ts'
import { inert } from '../asking/fence.ts'

/**
 * `code` is what of it can prove something: no comment, and nothing of a line that has marks of ours. `covered`: a
 * placeholder stands where code may have stood, or the line stands for a file that is kept elsewhere.
 */
export type ShownLine = DiffLine & { readonly code: string; readonly covered: boolean }
export type ShownHunk = { readonly head: string; readonly lines: readonly ShownLine[] }
export type PresentedFile = {
  readonly path: string
  readonly hunks: readonly ShownHunk[]
  /** Changed lines that are shown as they are. */
  readonly changed: number
}

export function presentedFile(file: FileChange, redact: Redactor): PresentedFile {
  const given = hunksOf(redact.secrets(file.patch ?? ''))
  const elsewhere = file.content === 'submodule' || given.some(({ lines }) => standsFor(lines))
  const hunks = given.map(({ head, lines }): ShownHunk => {
    const shown = lines.map((line): DiffLine => ({ ...line, text: inert(line.text) }))
    const code = elsewhere ? [] : codeParts(file.path, shown)
    return {
      head: inert(head),
      lines: shown.map((line, index) => ({
        ...line,
        code: unmarked(code[index] ?? ''),
        covered: elsewhere || isCovered(line.text, redact.known),
      })),
    }
  })
  return { path: inert(redact.secrets(file.path)), hunks, changed: shownIn(hunks) }
}

/**
 * What Git LFS commits in place of a file, as git commits a name in place of a submodule: nothing that is in it is shown.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
const standsFor = (lines: readonly DiffLine[]): boolean =>
  lines.some((line) => (line.old === 1 || line.new === 1) && pointerHead.test(line.text)) &&
  lines.some(({ text }) => pointerName.test(text))
const pointerHead = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?$/
const pointerName = /^oid sha256:[0-9a-f]{64}\r?$/

/** A file that is told in words of ours about it. They prove nothing: nobody saw its lines. */
export function presentedDigest(
  { path }: FileChange,
  words: readonly string[],
  changed: number,
  redact: Redactor,
): PresentedFile {
  const lines = words.map((text, index): ShownLine => {
    return { sign: ' ', old: null, new: index + 1, text: inert(redact.secrets(text)), code: '', covered: false }
  })
  return { path: inert(redact.secrets(path)), hunks: [{ head: '', lines }], changed }
}

export const shownIn = (hunks: readonly ShownHunk[]): number =>
  changedIn(hunks.map(({ head, lines }) => ({ head, lines: lines.filter(({ covered }) => !covered) })))

/** In a text between quotes there is no code to hide; anywhere else it could be what only looks like a secret. */
function isCovered(text: string, known: ReadonlyMap<string, string>): boolean {
  if (!text.includes('⟦SECRET ')) return false
  // Whoever writes such a mark hides nothing by it.
  const marks = new Set(known.values())
  const outside = text.replaceAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/g, (whole, _quote, inside: string) =>
    /\{[^}]*⟦SECRET /.test(inside) ? whole : '',
  )
  return (outside.match(/⟦SECRET \d+⟧/g) ?? []).some((mark) => marks.has(mark))
}

/** Where something hidden or secret was spelled out, nobody saw what stands there. */
const unmarked = (code: string): string => (code.includes('⟦') ? '' : code)

/** No line of the author begins a line here: a number and a sign come first. */
export function withGutters({ head, lines }: ShownHunk): string {
  const width = String(lines.reduce((most, one) => Math.max(most, one.new ?? 0, one.old ?? 0), 0)).length
  const body = lines.map(({ sign, old, new: now, text }) => `${String(now ?? old).padStart(width)} ${sign}│ ${text}`)
  return [head, ...body].join('\n')
}

export const gutter = /^\s*\d+ [ +-]?│ ?/
