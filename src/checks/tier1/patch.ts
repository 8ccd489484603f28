// The changed lines of one file, from a unified diff as GitHub gives it: hunks, with or without the lines above them.
import { readPatch } from '../../core/patch.ts'

export type PatchLine = {
  readonly kind: 'added' | 'removed'
  /** In the new file. For a removed line, the line that now stands where it stood. */
  readonly line: number
  readonly text: string
}

export function changedLines(patch: string): readonly PatchLine[] {
  const changed: PatchLine[] = []
  readPatch(patch, {
    line: ({ sign, new: line, text }) => {
      if (sign === ' ') return
      changed.push({ kind: sign === '+' ? 'added' : 'removed', line: Math.max(1, line), text })
    },
  })
  return changed
}

export const added = (lines: readonly PatchLine[]): PatchLine[] => lines.filter(({ kind }) => kind === 'added')
export const removed = (lines: readonly PatchLine[]): PatchLine[] => lines.filter(({ kind }) => kind === 'removed')
