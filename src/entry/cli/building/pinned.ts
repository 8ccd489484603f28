// What others published, by name and hash: fetched once, kept in the cache, and used only while its hash is the pinned one.
// Nothing of it becomes part of this repository.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { CannotRun } from '../cases/cannot-run.ts'

export type Hash = { readonly kind: 'sha256' | 'sha512'; readonly value: string; readonly encoding: 'hex' | 'base64' }

const FETCH_MS_MAX = 300_000
export const DOWNLOAD_BYTES_MAX = 64 * 1024 * 1024

/** The bytes of a file that hashes as pinned: from the cache, or else from where it is. */
export async function pinned(file: string, hash: Hash, load: () => Promise<Buffer>): Promise<Buffer> {
  const kept = await readFile(file).catch(() => null)
  if (kept !== null && fits(kept, hash)) return kept
  const bytes = await load()
  if (!fits(bytes, hash))
    throw new CannotRun(
      `what came for ${file} does not have the pinned ${hash.kind}, so nothing of it is used. Try another source`,
    )
  await keep(file, bytes)
  return bytes
}

const fits = (bytes: Buffer, { kind, value, encoding }: Hash): boolean =>
  createHash(kind).update(bytes).digest(encoding) === value

/** Whole or not at all, so that an interrupted run can go on. */
export async function keep(file: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.part`, content)
  await rename(`${file}.part`, file)
}

export async function fromMirror(url: string): Promise<Buffer> {
  const hint = 'Is the machine online, and is --mirror right? What was fetched is kept: run it again to go on'
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS_MAX) })
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length
      if (bytes > DOWNLOAD_BYTES_MAX) throw new Error(`it is larger than ${DOWNLOAD_BYTES_MAX} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    throw new CannotRun(`cannot fetch ${url}: ${reasonOf(error)}. ${hint}`)
  }
}

/** What is below `fetch failed` says why. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}

/** By the client that the user has set up, from the registry that it knows. Nothing is installed and no script runs. */
export async function fromNpm(spec: string, folder: string): Promise<Buffer> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const args = ['pack', spec, '--silent', '--ignore-scripts', '--fetch-retries=0', `--pack-destination=${folder}`]
  try {
    await promisify(execFile)('npm', args, { timeout: FETCH_MS_MAX, cwd: folder })
    const [packed] = await readdir(folder)
    if (packed === undefined) throw new Error('npm wrote no file')
    return await readFile(join(folder, packed))
  } catch (error) {
    const said = error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error)
    throw new CannotRun(
      `npm cannot fetch ${spec}${said === '' ? '' : `: ${said.replace(/\.$/, '')}`}. Is the machine online? ` +
        'What was fetched is kept: run it again to go on',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
