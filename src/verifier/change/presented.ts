// How a changed file is shown: each line with its number and sign, cleaned, and kept beside it as data, since quotes are
// looked for in what was shown and nowhere else.
import { changedIn, hunksOf, type DiffLine, type FileChange, type Hunk } from './change.ts'
import type { Redactor } from '../asking/clean.ts'
import { inert } from '../asking/fence.ts'

export type PresentedFile = {
  readonly path: string
  readonly hunks: readonly Hunk[]
  readonly changed: number
}

export function presentedFile(file: FileChange, redact: Redactor): PresentedFile {
  const hunks = hunksOf(redact.secrets(file.patch ?? '')).map(({ head, lines }) => ({
    head: inert(head),
    lines: lines.map((line): DiffLine => ({ ...line, text: inert(line.text) })),
  }))
  return { path: inert(file.path), hunks, changed: changedIn(hunks) }
}

/** No line of the author begins a line here: a number and a sign come first. */
export function withGutters({ head, lines }: Hunk): string {
  const width = String(lines.reduce((most, one) => Math.max(most, one.new ?? 0, one.old ?? 0), 0)).length
  const body = lines.map(({ sign, old, new: now, text }) => `${String(now ?? old).padStart(width)} ${sign}│ ${text}`)
  return [head, ...body].join('\n')
}

export const gutter = /^\s*\d+ [ +-]?│ ?/
