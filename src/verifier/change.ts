// What a pull request changes, as the verifier is given it: every listed file, and its hunks where there are any. A patch
// is read by the lengths that its hunks state, so that no line of a file can pose as the head of the next one.

export type FileChange = {
  readonly path: string
  readonly previous_path: string | null
  readonly status: 'added' | 'modified' | 'removed' | 'renamed'
  readonly content: 'text' | 'binary' | 'submodule' | 'symlink'
  /** Unified hunks, or null where nobody could get them. */
  readonly patch: string | null
  /** As the listing counts them, with or without a patch. */
  readonly additions: number
  readonly deletions: number
  readonly size: number | null
  readonly blob_sha: string | null
  readonly mode: string | null
  /** A rule or marker for generated files holds, and rule, marker and file were in the base already. */
  readonly generated_at_base: boolean
}
/** What a deterministic check found at one line of the new side. */
export type Hit = {
  readonly kind: 'secret' | 'weakened_test' | 'hidden_text' | 'syntax'
  readonly path: string
  readonly line: number
}
export type Change = {
  readonly files: readonly FileChange[]
  /** Whether the listing holds every changed file. */
  readonly complete: boolean
  readonly hits: readonly Hit[]
}

export type DiffLine = {
  readonly sign: ' ' | '+' | '-'
  readonly old: number | null
  readonly new: number | null
  readonly text: string
}
export type Hunk = { readonly head: string; readonly lines: readonly DiffLine[] }

const hunkHead = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

export function hunksOf(patch: string): Hunk[] {
  const hunks: { head: string; lines: DiffLine[] }[] = []
  const left = { old: 0, new: 0 }
  const at = { old: 0, new: 0 }
  for (const text of patch.split('\n')) {
    const hunk = hunks.at(-1)
    if (hunk === undefined || (left.old <= 0 && left.new <= 0)) {
      const head = hunkHead.exec(text)
      if (head === null) continue
      at.old = Number(head[1])
      at.new = Number(head[3])
      left.old = Number(head[2] ?? 1)
      left.new = Number(head[4] ?? 1)
      hunks.push({ head: text, lines: [] })
      continue
    }
    const line = lineOf(text, at)
    if (line === null) continue
    hunk.lines.push(line)
    if (line.old !== null) left.old -= 1
    if (line.new !== null) left.new -= 1
  }
  return hunks
}

/** A remark such as "No newline at end of file" is no line. */
function lineOf(text: string, at: { old: number; new: number }): DiffLine | null {
  const content = text.slice(1)
  if (text.startsWith('\\')) return null
  if (text.startsWith('+')) return { sign: '+', old: null, new: at.new++, text: content }
  if (text.startsWith('-')) return { sign: '-', old: at.old++, new: null, text: content }
  return { sign: ' ', old: at.old++, new: at.new++, text: content }
}

export const isChanged = ({ sign }: DiffLine): boolean => sign !== ' '
export const changedIn = (hunks: readonly Hunk[]): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter(isChanged).length, 0)
