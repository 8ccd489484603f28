// What the diffs of a change show: of each file its hunks, or that nobody showed them. Every search begins here, so that
// what is out of sight for one of them is so for all, under whatever name or status it comes.
import type { ChangedFile } from '../../core/decision/model.ts'

export type FileDiff = {
  readonly file: ChangedFile
  /** Null where nobody showed it. An empty text: no line changed. */
  readonly patch: string | null
}

/** Of all diffs together. A large pull request has a few million characters. */
const CHARACTERS_MAX = 32 * 1024 * 1024

/** A diff that is too large is out of sight, and leaves room for those behind it. */
export function readDiffs(
  files: readonly ChangedFile[],
  patches: ReadonlyMap<string, string> | undefined,
): readonly FileDiff[] {
  let left = CHARACTERS_MAX
  return files.map((file) => {
    // What is gone adds nothing, and that it is gone is told by its name.
    if (file.status === 'removed') return { file, patch: '' }
    const patch = patches?.get(file.path)
    if (patch === undefined || patch.length > left) return { file, patch: null }
    left -= patch.length
    return { file, patch }
  })
}

export const unseenIn = (diffs: readonly FileDiff[]): ChangedFile[] =>
  diffs.flatMap(({ file, patch }) => (patch === null ? [file] : []))
