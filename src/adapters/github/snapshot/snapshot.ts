// The files of a commit, for as long as somebody looks at them: from its archive, or where that is refused or too large, file
// by file what is needed. Changed files that the archive leaves out or alters are fetched, so that nobody hides one by an
// attribute. What could not be had is told.
import { pathsAsked } from './asked-paths.ts'
import type { Attempt } from '../../../core/decision/model.ts'
import type { Snapshot } from '../../../verifier/context/look.ts'
import type { FileChange } from '../../../verifier/change/change.ts'
import type { Access } from '../access.ts'
import { blobBytes, commitFiles } from '../files/commit-files.ts'
import { readHere } from '../reading.ts'
import type { CommitFile } from '../files/tree.ts'
import { archiveOf, type Archive, type ArchiveLimits } from './archive.ts'
import type { PackedFiles } from './look-job.ts'

const FETCHED_FILES_MAX = 40
const FETCHED_BYTES_MAX = 4_000_000
const FILE_BYTES_MAX = 1_000_000

export async function snapshotOf(
  access: Access,
  { head_sha }: Pick<Attempt, 'head_sha'>,
  files: readonly FileChange[],
  limits?: ArchiveLimits,
): Promise<Snapshot> {
  const archive = await archiveOf(access, head_sha, limits)
  const fetched = new Map<string, Uint8Array>()
  const room = { files: FETCHED_FILES_MAX, bytes: FETCHED_BYTES_MAX }
  const fetch = async (paths: readonly string[]): Promise<void> => {
    const missing = paths.filter((path) => !fetched.has(path))
    if (missing.length === 0) return
    const { files: there } = await commitFiles(access, head_sha, missing)
    for (const path of missing) {
      const file = there.get(path)
      if (file === undefined || !fits(file, room)) continue
      room.files -= 1
      room.bytes -= file.size
      fetched.set(path, await blobBytes(access.octokit, access.place, file.sha))
    }
  }
  const packed = packedFiles(archive)
  const why = archive.kind === 'refused' ? [`the repository was not read whole: ${archive.why}`] : []
  return {
    look: async (question) => {
      const { look } = access.reading ?? readHere
      if (question.asked.length === 0) await fetch(altered(files, archive))
      else if (archive.kind === 'refused') await fetch(pathsAsked(question.asked))
      const looked = await look({ packed, fetched, question })
      if (looked === null) return null
      return { ...looked, sight: { ...looked.sight, notes: [...why, ...looked.sight.notes] } }
    },
    close: async () => {
      if (archive.kind === 'archive') await archive.pack.close()
    },
  }
}

const fits = ({ kind, size }: CommitFile, room: { files: number; bytes: number }): boolean =>
  kind === 'file' && size <= FILE_BYTES_MAX && size <= room.bytes && room.files > 0

/** Changed files that the archive does not have as they are in the commit. */
function altered(files: readonly FileChange[], archive: Archive): string[] {
  const there = files.filter(({ status, content }) => content === 'text' && status !== 'removed' && status !== 'added')
  if (archive.kind === 'refused') return there.map(({ path }) => path)
  const sizes = new Map(archive.files.map(({ path, size }) => [path, size]))
  return there.flatMap(({ path, size }) => (size !== null && sizes.get(path) !== size ? [path] : []))
}

function packedFiles(archive: Archive): PackedFiles | null {
  if (archive.kind === 'refused') return null
  const { files, others, pack } = archive
  const places = [...files.flatMap(({ offset, size }) => [offset, size]), ...others.flatMap(() => [0, -1])]
  const paths = [...files.map(({ path }) => path), ...others]
  return { fd: pack.fd, paths: paths.map((path) => `${path}\0`).join(''), places: Float64Array.from(places) }
}
