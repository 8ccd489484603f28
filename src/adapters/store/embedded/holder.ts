// Who holds a lock, and whether that process still lives. In its own process namespace it is looked up by its number and
// by when it began. From elsewhere on the same kernel, such as the next container on the same directory, only the socket
// that it listens on tells: the kernel closes it with the process, and a process that merely stands still keeps it open.
// On another run of a kernel that machine may have restarted, or be another one of the same name: there only what the holder
// writes tells, which dates its lock anew every few seconds.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

export const holder = z.object({
  token: z.uuid(),
  pid: z.int().positive(),
  host: z.string(),
  /** When the process began, in the kernel's own count; null where the system does not tell. */
  started: z.string().nullable(),
  since: z.string(),
  /** Which run of which kernel it is on, and within which namespace its number counts. */
  boot: z.string().nullable().default(null),
  pids: z.string().nullable().default(null),
  /** The name of the socket in the directory that it listens on. */
  socket: z
    .string()
    .regex(/^lock\.[0-9a-f-]{36}\.socket$/)
    .nullable()
    .default(null),
  /** Whether it dates its lock anew. */
  beats: z.boolean().default(false),
})
export type Holder = z.infer<typeof holder>

export type Life = 'lives' | 'ended' | 'unknown'

/** Otherwise it may be of another machine, also where that has the same name. */
export const isOnThisRun = ({ host, boot }: Holder): boolean =>
  host === hostname() && (boot === null || boot === bootId())

export async function lifeOf(directory: string, file: string, found: Holder): Promise<Life> {
  const boot = bootId()
  const isSameHost = found.host === hostname()
  if (found.boot === null || boot === null) return isSameHost ? lifeOfProcess(found) : 'unknown'
  if (found.boot === boot && found.pids !== null && found.pids === pidNamespace()) return lifeOfProcess(found)
  const answer = found.socket === null ? 'unknown' : await lifeOfSocket(directory, found.socket)
  if (answer === 'lives' || found.boot === boot) return answer
  // Another run of a kernel: this machine before it restarted, or another machine, be it one of the same name.
  if (!isSameHost) return 'unknown'
  return found.beats ? lifeOfBeats(file) : 'ended'
}

const BEAT_MS = 2_000
/** A holder that is busy, or writes over a slow network, is late. */
const SILENT_MS_MAX = 12_000
const LOOK_MS = 250

/** Dates the lock anew for as long as it is held. */
export function beating(file: string): () => void {
  const beat = (): void => {
    const now = new Date()
    try {
      utimesSync(file, now, now)
    } catch {
      // It was taken away, or cannot be written now: whoever looks sees no beat.
    }
  }
  const timer = setInterval(beat, BEAT_MS).unref()
  return () => clearInterval(timer)
}

/** The clocks of two machines differ, so that only another date tells something, and none for a while. */
async function lifeOfBeats(file: string): Promise<Life> {
  const dateOf = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const first = dateOf()
  for (let waited = 0; waited < SILENT_MS_MAX; waited += LOOK_MS) {
    await delay(LOOK_MS)
    if (dateOf() !== first) return 'lives'
  }
  return 'ended'
}

export type Present = { readonly me: Holder; readonly leave: () => void }

/** This process as a holder. It listens before anybody can read of its socket. */
export async function present(directory: string): Promise<Present> {
  const token = randomUUID()
  const boot = bootId()
  const listening = boot === null ? null : await listen(directory, `lock.${token}.socket`)
  const me: Holder = {
    token,
    pid: process.pid,
    host: hostname(),
    started: processStart(process.pid),
    since: new Date().toISOString(),
    boot,
    pids: pidNamespace(),
    socket: listening?.name ?? null,
    beats: true,
  }
  return { me, leave: () => listening?.stop() }
}

/** Null where the file system takes no sockets; whoever cannot look such a holder up leaves it alone. */
async function listen(directory: string, name: string): Promise<{ name: string; stop: () => void } | null> {
  const handle = openSync(directory, 'r')
  const server = createServer((visitor) => void visitor.destroy()).unref()
  const stop = (): void => {
    server.close()
    rmSync(join(directory, name), { force: true })
    closeSync(handle)
  }
  // The file appears while `listen` runs, and is never open to others, not even for a moment.
  const before = process.umask(0o177)
  try {
    server.listen(shortPath(handle, name))
  } finally {
    process.umask(before)
  }
  try {
    await once(server, 'listening')
    return { name, stop }
  } catch {
    stop()
    return null
  }
}

/** The path of a socket has a hundred characters at most, and a directory may lie deeper. See unix(7), sun_path. */
const shortPath = (handle: number, name: string): string => `/proc/self/fd/${handle}/${name}`

async function lifeOfSocket(directory: string, name: string): Promise<Life> {
  const handle = openSync(directory, 'r')
  const connection = connect(shortPath(handle, name))
  try {
    await once(connection, 'connect')
    return 'lives'
  } catch (error) {
    // A process that stands still may have its queue full (EAGAIN); nobody at all listens only where it says so.
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED' ? 'ended' : 'unknown'
  } finally {
    connection.destroy()
    closeSync(handle)
  }
}

function lifeOfProcess(found: Holder): Life {
  if (!answers(found.pid)) return 'ended'
  const started = processStart(found.pid)
  return found.started === null || started === null || started === found.started ? 'lives' : 'ended'
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Process ids are used again; together with the start they are not. See proc_pid_stat(5), fields 3 and 22. */
function processStart(pid: number): string | null {
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === null) return null
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? 'ended' : (fields[18] ?? null)
}

const bootId = (): string | null => told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
const pidNamespace = (): string | null => told(() => readlinkSync('/proc/self/ns/pid'))

/** Not every system tells. */
function told(ask: () => string): string | null {
  try {
    return ask()
  } catch {
    return null
  }
}
