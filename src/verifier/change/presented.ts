// How a changed file is shown: each line with its number and sign, cleaned, and kept beside it as data, since quotes are
// looked for in what was shown and nowhere else.
import { changedIn, hunksOf, type DiffLine, type FileChange } from './change.ts'
import { codeParts } from './code-part.ts'
import type { Redactor } from '../asking/clean.ts'
import { inert } from '../asking/fence.ts'

/** `code` is what of it can prove something: no comment, and nothing of a line that has marks of ours. */
export type ShownLine = DiffLine & { readonly code: string }
export type ShownHunk = { readonly head: string; readonly lines: readonly ShownLine[] }
export type PresentedFile = {
  readonly path: string
  readonly hunks: readonly ShownHunk[]
  readonly changed: number
}

export function presentedFile(file: FileChange, redact: Redactor): PresentedFile {
  const hunks = hunksOf(redact.secrets(file.patch ?? '')).map(({ head, lines }): ShownHunk => {
    const shown = lines.map((line): DiffLine => ({ ...line, text: inert(line.text) }))
    const code = codeParts(file.path, shown)
    return { head: inert(head), lines: shown.map((line, index) => ({ ...line, code: unmarked(code[index] ?? '') })) }
  })
  return { path: inert(file.path), hunks, changed: changedIn(hunks) }
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
