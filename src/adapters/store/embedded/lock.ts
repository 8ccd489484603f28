// One process at a time per directory. The database inside does not see to that itself, and two of them lose each
// other's rows without an error. The lock is a file that names its holder; it appears whole or not at all, and a process
// that died without removing it is recognised, so that the next start goes ahead by itself.
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beating, holder, isOnThisRun, lifeOf, present, type Holder, type Life } from './holder.ts'

export class StoreLocked extends Error {
  override readonly name = 'StoreLocked'
  readonly directory: string
  readonly holder: Holder | null

  constructor(directory: string, file: string, holder: Holder | null, life: Life) {
    super(lockedWords(directory, file, holder, life))
    this.directory = directory
    this.holder = holder
  }
}

/** Takes the lock of a directory or throws StoreLocked. The function it returns gives the lock back. */
export async function lockDirectory(directory: string): Promise<() => void> {
  const { me, leave } = await present(directory)
  const file = join(directory, 'lock')
  const release = await takeLock(directory, file, me).catch((error: unknown) => {
    leave()
    throw error
  })
  const rest = beating(file)
  const releaseOnce = (): void => {
    process.off('exit', releaseOnce)
    rest()
    release()
    leave()
  }
  process.once('exit', releaseOnce)
  return releaseOnce
}

const triesMax = 100

async function takeLock(directory: string, file: string, me: Holder): Promise<() => void> {
  const release = (): void => {
    if (readHolder(directory, file)?.token === me.token) rmSync(file)
  }
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (createLock(file, me)) return release
    const found = readHolder(directory, file)
    if (found === null) continue
    const life = await lifeOf(directory, file, found)
    if (life !== 'ended') throw new StoreLocked(directory, file, found, life)
    if (await takeOver(directory, file, found, me)) return release
  }
  throw new StoreLocked(directory, file, readHolder(directory, file), 'unknown')
}

/** Several may find the same dead holder. Only who holds the lock on replacing that very holder may do so. */
async function takeOver(directory: string, file: string, dead: Holder, me: Holder): Promise<boolean> {
  const release = await takeLock(directory, `${file}.${dead.token}`, me)
  try {
    if (readHolder(directory, file)?.token !== dead.token) return false
    renameSync(writeAside(file, me), file)
    if (dead.socket !== null) rmSync(join(directory, dead.socket), { force: true })
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
  } catch (error) {
    rmSync(aside)
    throw error
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
    throw new StoreLocked(directory, file, null, 'unknown')
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

function lockedWords(directory: string, file: string, holder: Holder | null, life: Life): string {
  if (holder === null) {
    return `The store in ${directory} is locked, but its lock file ${file} cannot be read. Make sure that no Countersign uses this directory, then delete that file.`
  }
  const { pid, host, since } = holder
  const unsure = ` Whether it still runs cannot be seen from ${hostname()}: if it no longer runs on ${host}, delete ${file}.`
  const elsewhere = ' It answers, so it is running: in another container, perhaps.'
  const namesake = ' It is running, on another machine of the same name.'
  const running = isOnThisRun(holder) ? '' : host === hostname() ? namesake : elsewhere
  const more = life === 'unknown' ? unsure : running
  return (
    `The store in ${directory} is in use by process ${pid} on ${host} since ${since}; one process at a time may open it. ` +
    `Stop that process, or use another directory, or a Postgres database.${more}`
  )
}
