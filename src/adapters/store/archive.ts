// The archive: events of closed tasks in compressed files, which are written once and never changed. A file is called by the
// SHA-256 of its bytes. Each stream in it is a gzip member of its own with one event a line, so that `zcat` shows them all
// and one of them can be read alone.
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { wordsOf } from '../../core/error-words.ts'
import { DatabaseAway } from './away.ts'

/** Where in the archive something lies. */
export type Place = { readonly file: string; readonly start: number; readonly bytes: number }
/** The events of one stream, as texts. */
export type Piece = readonly string[]

export type Archive = {
  /** Resolves when they are on the disk and can be read there. The same pieces make the same file. */
  readonly write: (pieces: readonly Piece[]) => Promise<readonly Place[]>
  readonly read: (place: Place) => Promise<Piece>
}

/** What lies there is not what was put there, or nobody said where. */
export class ArchiveUnreadable extends Error {
  override readonly name = 'ArchiveUnreadable'
}

/** What lies there cannot be reached. It may come back with its disk, so whoever needs it waits. */
class ArchiveAway extends DatabaseAway {}

/** Wherever it stands in an error. */
export function isArchiveTrouble(error: unknown): error is Error {
  if (error instanceof ArchiveUnreadable || error instanceof ArchiveAway) return true
  if (error instanceof AggregateError && error.errors.some(isArchiveTrouble)) return true
  return error instanceof Error && error.cause !== undefined && isArchiveTrouble(error.cause)
}

const PIECE_BYTES_MAX = 512 * 1024 * 1024

/** Null where nobody said in which directory. */
export function archiveIn(directory: string | null): Archive {
  const home = (): string => {
    if (directory !== null) return directory
    throw new ArchiveUnreadable('it lies in the archive, and ARCHIVE_DIR does not say where that is')
  }
  return {
    write: async (pieces) => {
      const members: Buffer[] = []
      // One after the other: a process that judges has other things to do.
      for (const piece of pieces) members.push(await promisify(gzip)(piece.map((line) => `${line}\n`).join('')))
      const bytes = Buffer.concat(members)
      const file = `${createHash('sha256').update(bytes).digest('hex')}.jsonl.gz`
      await writeWhole(home(), file, bytes)
      let start = 0
      return members.map(({ length }) => {
        start += length
        return { file, start: start - length, bytes: length }
      })
    },
    read: async (place) => {
      const path = join(home(), place.file)
      const member = await partOf(path, place)
      try {
        const lines = (await promisify(gunzip)(member, { maxOutputLength: PIECE_BYTES_MAX })).toString()
        return lines.split('\n').slice(0, -1)
      } catch (cause) {
        throw new ArchiveUnreadable(`${path} is not what was written there (${wordsOf(cause)})`, { cause })
      }
    },
  }
}

/** Under its name a file is whole, also after a loss of power. */
async function writeWhole(home: string, file: string, bytes: Buffer): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const path = join(home, file)
  const unfinished = `${path}.unfinished`
  const handle = await open(unfinished, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (!(await readFile(unfinished)).equals(bytes)) throw new Error(`${unfinished} does not hold what was written to it`)
  await rename(unfinished, path)
  const folder = await open(home, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function partOf(path: string, { start, bytes }: Place): Promise<Buffer> {
  try {
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, start)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw new ArchiveAway(`the archive cannot be read (${wordsOf(cause)})`, { cause })
  }
}
