// One process at a time per directory. The database inside does not see to that itself, and two of them lose each
// other's rows without an error. The lock is a file that names its holder; it appears whole or not at all, and a process
// that died without removing it is recognised, so that the next start goes ahead by itself.
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const holder = z.object({
  token: z.uuid(),
  pid: z.int().positive(),
  host: z.string(),
  /** When the process began, in the kernel's own count; null where the system does not tell. */
  started: z.string().nullable(),
  since: z.string(),
})
type Holder = z.infer<typeof holder>

export class StoreLocked extends Error {
  override readonly name = 'StoreLocked'
  readonly directory: string
  readonly holder: Holder | null

  constructor(directory: string, file: string, holder: Holder | null) {
    super(lockedWords(directory, file, holder))
    this.directory = directory
    this.holder = holder
  }
}

/** Takes the lock of a directory or throws StoreLocked. The function it returns gives the lock back. */
export function lockDirectory(directory: string): () => void {
  const release = takeLock(directory, join(directory, 'lock'))
  const releaseOnce = (): void => {
    process.off('exit', releaseOnce)
    release()
  }
  process.once('exit', releaseOnce)
  return releaseOnce
}

const triesMax = 100

function takeLock(directory: string, file: string): () => void {
  const me = myself()
  const release = (): void => {
    if (readHolder(directory, file)?.token === me.token) rmSync(file)
  }
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (createLock(file, me)) return release
    const found = readHolder(directory, file)
    if (found === null) continue
    if (isRunning(found)) throw new StoreLocked(directory, file, found)
    if (takeOver(directory, file, found, me)) return release
  }
  throw new StoreLocked(directory, file, readHolder(directory, file))
}

/** Several may find the same dead holder. Only who holds the lock on replacing that very holder may do so. */
function takeOver(directory: string, file: string, dead: Holder, me: Holder): boolean {
  const release = takeLock(directory, `${file}.${dead.token}`)
  try {
    if (readHolder(directory, file)?.token !== dead.token) return false
    renameSync(writeAside(file, me), file)
    return true
  } finally {
    release()
  }
}

/** A link to a finished file: unlike a file that is created and then filled, nobody can ever read half of it. */
function createLock(file: string, me: Holder): boolean {
  const aside = writeAside(file, me)
  try {
    linkSync(aside, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(aside)
  }
}

function writeAside(file: string, me: Holder): string {
  const aside = `${file}.${me.token}.new`
  const handle = openSync(aside, 'wx', 0o600)
  try {
    writeSync(handle, JSON.stringify(me))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return aside
}

function readHolder(directory: string, file: string): Holder | null {
  try {
    return holder.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new StoreLocked(directory, file, null)
  }
}

const myself = (): Holder => ({
  token: randomUUID(),
  pid: process.pid,
  host: hostname(),
  started: processStart(process.pid),
  since: new Date().toISOString(),
})

/** A process of another host cannot be looked at from here, so it counts as running. */
function isRunning(found: Holder): boolean {
  if (found.host !== hostname()) return true
  if (!answers(found.pid)) return false
  const started = processStart(found.pid)
  return found.started === null || started === null || started === found.started
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Process ids are used again; together with the start they are not. See proc_pid_stat(5), fields 3 and 22. */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'ended' : (fields[18] ?? null)
  } catch {
    return null
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

function lockedWords(directory: string, file: string, holder: Holder | null): string {
  if (holder === null) {
    return `The store in ${directory} is locked, but its lock file ${file} cannot be read. Make sure that no Countersign uses this directory, then delete that file.`
  }
  const { pid, host, since } = holder
  const elsewhere = ` If that process no longer runs on ${host}, delete ${file}.`
  return (
    `The store in ${directory} is in use by process ${pid} on ${host} since ${since}; one process at a time may open it. ` +
    `Stop that process, or use another directory, or a Postgres database.${host === hostname() ? '' : elsewhere}`
  )
}
