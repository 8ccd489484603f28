// The text files of an archive that others made, without the one folder that they lie in. It is read in memory and held
// against limits; links and paths that lead out of it are passed over.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { tarReader } from '../../../adapters/github/snapshot/tar.ts'
import { CannotRun } from '../cases/cannot-run.ts'

const ARCHIVE_BYTES_MAX = 600 * 1024 * 1024
const KEPT_BYTES_MAX = 64 * 1024 * 1024

export async function unpacked(
  name: string,
  bytes: Buffer,
  wanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  const reader = tarReader()
  let [read, kept] = [0, 0]
  let open: { readonly path: string; readonly size: number; have: number; readonly chunks: Buffer[] } | null = null
  try {
    for await (const chunk of plain(name, bytes)) {
      const part = Buffer.from(chunk)
      read += part.length
      if (read > ARCHIVE_BYTES_MAX) throw new Error('it unpacks to more than is read')
      for (const piece of reader.push(part)) {
        if (piece.kind === 'file') {
          open = wanted(piece.path) ? { path: piece.path, size: piece.size, have: 0, chunks: [] } : null
          if (open !== null && open.size === 0) files.set(open.path, '')
        }
        if (piece.kind !== 'bytes' || open === null) continue
        kept += piece.bytes.length
        if (kept > KEPT_BYTES_MAX) throw new Error('it holds more than is kept')
        open.chunks.push(Buffer.from(piece.bytes))
        open.have += piece.bytes.length
        if (open.have === open.size) files.set(open.path, Buffer.concat(open.chunks).toString('utf8'))
      }
    }
    reader.end()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CannotRun(`cannot unpack ${name}: ${why.replace(/\.$/, '')}`)
  }
  return files
}

function plain(name: string, bytes: Buffer): Readable {
  if (/\.t?gz$/.test(name)) {
    const gunzip = createGunzip()
    gunzip.end(bytes)
    return gunzip
  }
  const command = name.endsWith('.xz') ? 'xz' : 'bzip2'
  const child = spawn(command, ['-dc'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const fail = (why: string): void => void child.stdout.destroy(new Error(why))
  child.on('error', () => fail(`\`${command}\` cannot be run. Install it and run this again`))
  child.on('exit', (code) => (code === 0 || code === null ? undefined : fail('it is damaged')))
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  return child.stdout
}
