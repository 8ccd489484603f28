// A file that somebody else may have made, and may still be changing: a regular one or nothing, through no link in its
// last part, never waiting for a pipe, and never more bytes than asked for, whatever its size said.
import { constants } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { realPathWithin } from './within.ts'

export type FileRead = { readonly bytes: Buffer; readonly mtimeMs: number }

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants

/** Rejects with words that quote nothing of what is in the file. */
export async function readRegularFile(place: string, bytesMax: number): Promise<FileRead> {
  // Systems that lack one of the flags have it undefined, and know neither such links nor such pipes.
  const file = await open(place, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0))
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error('it is no file')
    if (stats.size > bytesMax) throw new Error(`it is larger than ${Math.floor(bytesMax / 1024)} KiB`)
    return { bytes: await upTo(file, bytesMax), mtimeMs: stats.mtimeMs }
  } finally {
    await file.close()
  }
}

/** The same within a folder, whose links may lead about in it but not out of it, also not while it is being read. */
export async function readFileWithin(root: string, path: readonly string[], bytesMax: number): Promise<FileRead> {
  const real = await realPathWithin(root, ...path)
  if (real === null) throw new Error('it is not in the checkout')
  const before = await lstat(real)
  const read = await readRegularFile(real, bytesMax)
  const [again, after] = [await realPathWithin(root, ...path), await lstat(real)]
  if (again !== real || before.ino !== after.ino) throw new Error('it was exchanged while it was read')
  return read
}

async function upTo(file: FileHandle, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PART_BYTES))
    if (bytesRead === 0) return Buffer.concat(parts)
    size += bytesRead
    if (size > bytesMax) throw new Error('it grew while it was read')
    parts.push(buffer.subarray(0, bytesRead))
  }
}
const PART_BYTES = 256 * 1024
