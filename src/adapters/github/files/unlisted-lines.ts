// Lines that GitHub counts, or not even that, and does not show: too many, kept out by an attribute, or of a file that only
// moved or changed its mode. Both blobs are fetched and compared here; what is no text stays unread, and says so.
import type { StructuredPatch } from 'diff'
import { changedIn, hunksOf } from '../../../verifier/change/change.ts'
import { patchOf, type Listed } from './files.ts'
import type { CommitFile, CommitFiles } from './tree.ts'

export type Lines = {
  readonly patch: string | null
  readonly content: 'text' | 'binary' | 'submodule' | 'symlink'
  readonly mode: string | null
}
/** A file on both sides; undefined where it is not there. */
type Sides = { readonly old: CommitFile | undefined; readonly now: CommitFile | undefined }

const FILE_BYTES_MAX = 1_000_000
/** Of all files that are fetched for one change. */
export const FETCHED_BYTES_MAX = 8_000_000
export const FETCHED_FILES_MAX = 60
/** Two texts that differ more are not compared any further. */
const EDITS_MAX = 20_000
const COMPARED_MS_MAX = 5_000
const CONTEXT_LINES = 3

/** Whether what is listed shows every line that it counts. */
export function isShown(file: Listed[number]): boolean {
  const { patch, additions, deletions, status } = file
  if (patch === null || patch === undefined) return status !== 'renamed' && patchOf(file) !== null
  return changedIn(hunksOf(patch)) >= additions + deletions
}

type Bytes = (file: CommitFile) => Promise<Uint8Array>

/** `room` is what may still be fetched of this change. */
export async function linesOf(
  { old, now }: Sides,
  room: { files: number; bytes: number },
  bytesOf: Bytes,
): Promise<Lines> {
  const [kind, before] = [now?.kind ?? old?.kind ?? 'file', old?.kind ?? now?.kind ?? 'file']
  const mode = modeOf({ old, now })
  const content = kind === 'submodule' || kind === 'symlink' ? kind : 'text'
  if (kind === 'submodule' || before === 'submodule') return { patch: null, content, mode }
  if (old !== undefined && now !== undefined && old.sha === now.sha) return { patch: '', content, mode }
  const bytes = sizeOf(old) + sizeOf(now)
  if (Math.max(sizeOf(old), sizeOf(now)) > FILE_BYTES_MAX || bytes > room.bytes || room.files <= 0)
    return { patch: null, content, mode }
  room.bytes -= bytes
  room.files -= 1
  const [one, other] = await Promise.all([textOf(old, bytesOf), textOf(now, bytesOf)])
  if (one === null || other === null) return { patch: null, content: 'binary', mode }
  return { patch: await compared(one, other), content, mode }
}

const sizeOf = (file: CommitFile | undefined): number => (file?.kind === 'file' ? file.size : 0)

function modeOf({ old, now }: Sides): string | null {
  if (old === undefined || now === undefined) return (now ?? old)?.mode ?? null
  return old.mode === now.mode ? now.mode : `${old.mode} to ${now.mode}`
}

/** Null for what is no text: a byte of nothing, or bytes that spell no character. */
async function textOf(file: CommitFile | undefined, bytesOf: Bytes): Promise<string | null> {
  if (file === undefined) return ''
  if (file.kind === 'submodule') return null
  const bytes = await bytesOf(file)
  if (file.kind === 'symlink') return Buffer.from(bytes).toString('utf8')
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The loop goes on between the steps of a comparison. */
async function compared(old: string, now: string): Promise<string | null> {
  // Seldom needed, so whoever never does keeps no room for it.
  const { structuredPatch } = await import('diff')
  const patch = await new Promise<StructuredPatch | undefined>((resolve) => {
    structuredPatch('a', 'b', old, now, '', '', {
      context: CONTEXT_LINES,
      maxEditLength: EDITS_MAX,
      timeout: COMPARED_MS_MAX,
      callback: resolve,
    })
  })
  if (patch === undefined) return null
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${span(oldStart, oldLines)} +${span(newStart, newLines)} @@`, ...lines].join('\n'),
    )
    .join('\n')
}

/** An empty side begins before its first line. */
const span = (start: number, count: number): string =>
  count === 0 ? `${Math.max(0, start - 1)},0` : `${start},${count}`

/** Where a listed file stood before, and where it stands now. */
export const sidesOf = (
  { filename, previous_filename, status }: Listed[number],
  base: CommitFiles,
  head: CommitFiles,
): Sides => ({
  old: status === 'added' ? undefined : base.files.get(previous_filename ?? filename),
  now: status === 'removed' ? undefined : head.files.get(filename),
})

/** A side that has to be there and is in no tree that was read to its end. */
export const isUnknown = ({ status }: Listed[number], { old, now }: Sides): boolean =>
  (status !== 'added' && old === undefined) || (status !== 'removed' && now === undefined)
