// What a patch is, apart from the numbers of its lines: paths, modes, blobs of what is not text, every line with its white
// space, and within what each hunk stands. A rebase keeps it; a changed indentation does not, and git's own patch id would,
// and neither do the same lines in another function of their file, where they may do something else.
import { digest } from '../../core/canonical.ts'
import { hunksOf, type Change } from './change.ts'

const numbers = /^@@ \S+ \S+ @@ ?/

/** `only` narrows the text to some paths; what is not text always counts, since every piece is told of it. */
export function patchFingerprint({ files, complete }: Change, only: ReadonlySet<string> | null): string {
  const parts = files
    .filter(({ path, content }) => only === null || only.has(path) || content !== 'text')
    .map((file) => {
      const { path, previous_path, status, content, mode, patch } = file
      const hunks = hunksOf(patch ?? '').map(({ head, lines }) => {
        return { within: head.replace(numbers, ''), lines: lines.map(({ sign, text }) => `${sign}${text}`) }
      })
      // Without hunks only the blob tells one content from another.
      const blob = content === 'text' && patch !== null ? null : file.blob_sha
      return { path, previous_path, status, content, mode, blob, hunks }
    })
  return digest([complete, parts.toSorted((one, other) => (one.path < other.path ? -1 : 1))])
}
