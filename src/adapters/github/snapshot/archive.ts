// The archive of a commit, received as a stream and kept in one file: bounded in bytes, in files and in time, and only where
// it is of the commit that was asked for. https://docs.github.com/en/rest/repos/contents#download-a-repository-archive-tar
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { wordsOf } from '../../../core/error-words.ts'
import type { Access } from '../access.ts'
import { packFile, type Kept, type PackFile } from './pack-file.ts'
import { tarReader, type Piece } from './tar.ts'

export type Archive =
  | {
      readonly kind: 'archive'
      readonly pack: PackFile
      readonly files: readonly Kept[]
      readonly others: readonly string[]
    }
  | { readonly kind: 'refused'; readonly why: string }

export type ArchiveLimits = {
  readonly unpackedBytesMax: number
  readonly filesMax: number
  readonly msMax: number
  /** A longer file is known by its name only: it was written by a machine. */
  readonly fileBytesMax: number
}
export const archiveLimits: ArchiveLimits = {
  unpackedBytesMax: 200_000_000,
  filesMax: 50_000,
  msMax: 60_000,
  fileBytesMax: 1_000_000,
}

class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

export async function archiveOf(
  { octokit, place }: Access,
  sha: string,
  limits: ArchiveLimits = archiveLimits,
): Promise<Archive> {
  const pack = await packFile().catch(wordsOf)
  if (typeof pack === 'string') return { kind: 'refused', why: `no file can be written on this machine: ${pack}` }
  try {
    const signal = AbortSignal.timeout(limits.msMax)
    const { data } = await octokit.rest.repos.downloadTarballArchive({
      ...place,
      ref: sha,
      request: { parseSuccessResponseBody: false, signal },
    })
    return await unpacked(data, pack, sha, { limits, signal })
  } catch (error) {
    await pack.close()
    return { kind: 'refused', why: error instanceof TooMuch ? error.message : wordsOf(error) }
  }
}

type Within = { readonly limits: ArchiveLimits; readonly signal: AbortSignal }

async function unpacked(data: unknown, pack: PackFile, sha: string, { limits, signal }: Within): Promise<Archive> {
  const files: Kept[] = []
  const others: string[] = []
  let [seen, kept, entries, commit] = [0, 0, 0, '']
  let keeps = false
  const take = async (piece: Piece): Promise<void> => {
    if (piece.kind === 'comment') commit = piece.text.trim()
    else if (piece.kind === 'bytes') {
      if (!keeps) return
      await pack.append(piece.bytes)
      kept += piece.bytes.length
    } else {
      entries += 1
      if (entries > limits.filesMax) throw new TooMuch(`the repository has more than ${limits.filesMax} files`)
      if (piece.kind === 'passed') return
      keeps = piece.size <= limits.fileBytesMax
      if (keeps) files.push({ path: piece.path, offset: kept, size: piece.size })
      else others.push(piece.path)
    }
  }
  const tar = tarReader()
  const gunzip = createGunzip()
  // Whatever ends one of the two ends the other, and whoever reads on is told.
  pipeline(streamOf(data), gunzip, { signal }).catch(() => undefined)
  for await (const chunk of gunzip) {
    if (!(chunk instanceof Uint8Array)) throw new Error('the archive is not made of bytes')
    seen += chunk.length
    if (seen > limits.unpackedBytesMax)
      throw new TooMuch(`the repository is larger than ${Math.round(limits.unpackedBytesMax / 1e6)} MB`)
    for (const piece of tar.push(chunk)) await take(piece)
  }
  tar.end()
  await pack.flush()
  if (commit !== '' && commit !== sha) throw new Error('the archive is of another commit')
  return { kind: 'archive', pack, files, others }
}

function streamOf(data: unknown): Readable {
  if (data instanceof ReadableStream) return Readable.fromWeb(data)
  if (data instanceof ArrayBuffer) return Readable.from([Buffer.from(data)])
  throw new Error('GitHub answered in a form that cannot be read')
}
