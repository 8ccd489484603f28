// Looking around a change in the files of its commit, away from the loop that everybody waits for: texts are read from the one
// file that holds them as they are asked for, so that no more than a few are held at once.
import { readSync } from 'node:fs'
import type { Job } from '../../../core/jobs.ts'
import { lookAround, type Looked, type LookQuestion } from '../../../verifier/context/look.ts'
import type { Texts } from '../../../verifier/context/sight.ts'

/** Names and places apart, since tens of thousands of small things take long to hand over. */
export type PackedFiles = {
  readonly fd: number
  /** Each followed by a byte of nothing. */
  readonly paths: string
  /** Offset and size of each, in turn; the size is below nothing where the bytes are not there. */
  readonly places: Float64Array
}
export type LookInput = {
  /** Null where nobody could get them. */
  readonly packed: PackedFiles | null
  /** Files that were fetched one by one, which count before those of the archive. */
  readonly fetched: ReadonlyMap<string, Uint8Array>
  readonly question: LookQuestion
}

export const lookJob: Job<LookInput, Looked> = {
  run: ({ packed, fetched, question }) => lookAround(question, textsIn(packed, fetched)),
  // It is never small: whole files are searched.
  work: () => Infinity,
}

function textsIn(packed: PackedFiles | null, fetched: ReadonlyMap<string, Uint8Array>): Texts {
  const names = packed === null ? [] : packed.paths.split('\0').slice(0, -1)
  const places = new Map(names.map((path, index) => [path, index]))
  const bytesOf = (path: string): Uint8Array | null => {
    const own = fetched.get(path)
    const index = places.get(path)
    if (own !== undefined || packed === null || index === undefined) return own ?? null
    const [offset = 0, size = -1] = packed.places.subarray(index * 2, index * 2 + 2)
    return size < 0 ? null : bytesAt(packed.fd, offset, size)
  }
  return {
    paths: [...new Set([...names, ...fetched.keys()])],
    searchable: packed !== null,
    textOf: (path) => {
      const bytes = bytesOf(path)
      return bytes === null || bytes.subarray(0, BINARY_SIGNS).includes(0) ? null : Buffer.from(bytes).toString('utf8')
    },
  }
}

/** Git looks no further for a byte of nothing either. */
const BINARY_SIGNS = 8_000

function bytesAt(fd: number, offset: number, size: number): Uint8Array | null {
  const bytes = Buffer.alloc(size)
  let done = 0
  while (done < size) {
    const read = readSync(fd, bytes, done, size - done, offset + done)
    if (read === 0) return null
    done += read
  }
  return bytes
}
