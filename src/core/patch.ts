// A unified diff of one file, read by the lengths that its hunks state: the only way to tell a removed line `-- x` from the
// head of another file, so that no line can pose as one.

/** Where a line stands on each side, or where it would stand on the side that lacks it. */
export type PatchedLine = {
  readonly sign: ' ' | '+' | '-'
  readonly old: number
  readonly new: number
  readonly text: string
}
export type PatchVisitor = {
  readonly hunk?: (head: string) => void
  readonly line: (line: PatchedLine) => void
}

const hunkHead = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

export function readPatch(patch: string, { hunk, line }: PatchVisitor): void {
  const left = { old: 0, new: 0 }
  const at = { old: 0, new: 0 }
  for (const text of patch.split('\n')) {
    if (left.old <= 0 && left.new <= 0) {
      const head = hunkHead.exec(text)
      if (head === null) continue
      at.old = Number(head[1])
      at.new = Number(head[3])
      left.old = Number(head[2] ?? 1)
      left.new = Number(head[4] ?? 1)
      hunk?.(text)
      continue
    }
    // A remark such as "No newline at end of file" is no line.
    if (text.startsWith('\\')) continue
    const sign = text.startsWith('+') ? '+' : text.startsWith('-') ? '-' : ' '
    line({ sign, ...at, text: text.slice(1) })
    if (sign !== '+') {
      at.old += 1
      left.old -= 1
    }
    if (sign !== '-') {
      at.new += 1
      left.new -= 1
    }
  }
}
