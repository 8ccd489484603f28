// What a pull request changes, as the verifier is given it: every listed file, and its hunks where there are any.
import { readPatch } from '../../core/patch.ts'

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
  readonly kind: 'secret' | 'weakened_test' | 'hidden_text' | 'syntax' | 'addressed'
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

export function hunksOf(patch: string): Hunk[] {
  const hunks: { head: string; lines: DiffLine[] }[] = []
  readPatch(patch, {
    hunk: (head) => hunks.push({ head, lines: [] }),
    line: ({ sign, text, ...at }) => {
      const [old, now] = [sign === '+' ? null : at.old, sign === '-' ? null : at.new]
      hunks.at(-1)?.lines.push({ sign, old, new: now, text })
    },
  })
  return hunks
}

export const isChanged = ({ sign }: DiffLine): boolean => sign !== ' '
export const changedIn = (hunks: readonly Hunk[]): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter(isChanged).length, 0)
