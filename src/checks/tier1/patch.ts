// The changed lines of one file, from a unified diff as GitHub gives it: hunks, with or without the lines above them.
// A hunk says how long it is, which is the only way to tell a removed line `-- x` from the head of another file.

export type PatchLine = {
  readonly kind: 'added' | 'removed'
  /** In the new file. For a removed line, the line that now stands where it stood. */
  readonly line: number
  readonly text: string
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

export function changedLines(patch: string): readonly PatchLine[] {
  const changed: PatchLine[] = []
  let removedLeft = 0
  let addedLeft = 0
  let line = 1
  for (const text of patch.split('\n')) {
    if (removedLeft <= 0 && addedLeft <= 0) {
      const head = hunkHead.exec(text)
      if (head === null) continue
      removedLeft = Number(head[1] ?? 1)
      addedLeft = Number(head[3] ?? 1)
      line = Math.max(1, Number(head[2]))
      continue
    }
    const sign = text[0]
    if (sign === '\\') continue
    if (sign === '-') changed.push({ kind: 'removed', line, text: text.slice(1) })
    else if (sign === '+') changed.push({ kind: 'added', line, text: text.slice(1) })
    if (sign !== '+') removedLeft -= 1
    if (sign !== '-') {
      addedLeft -= 1
      line += 1
    }
  }
  return changed
}

export const added = (lines: readonly PatchLine[]): PatchLine[] => lines.filter(({ kind }) => kind === 'added')
export const removed = (lines: readonly PatchLine[]): PatchLine[] => lines.filter(({ kind }) => kind === 'removed')
