// One command in a shell, in a session of its own and with a mark that everything it starts inherits, so that nothing of
// it outlives its time: a grandchild that holds the pipe is as dead as the shell, and so is one that left the group. Its
// output arrives in the order in which it was written.
import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import type { Descendants, Mark } from './descendants.ts'

export type Command = {
  readonly command: string
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly descendants: Descendants
  /** Ends the command before its time. */
  readonly signal: AbortSignal
}
export type Ending = {
  readonly exit_code: number
  readonly why: 'ended' | 'timed_out' | 'stopped' | 'not_started'
  /** What there is to say about why it did not start. */
  readonly words: string | null
  readonly duration_ms: number
}

const exitTimedOut = 124
export const exitNotStarted = 127
const exitSignalBase = 128
/** A timer that is set for longer fires at once. */
const timerMsMax = 2_147_483_647
/** How long a group has between being asked to end and being ended. */
const graceMs = 2_000
/** How long output may still come from what left the group: until it pauses, and never longer than the second. */
const lastOutputMs = 500
const lastOutputMsMax = 5_000

export async function runCommand(command: Command, output: (bytes: Uint8Array) => void): Promise<Ending> {
  const began = process.hrtime.bigint()
  const done = (ending: Omit<Ending, 'duration_ms'>): Ending => {
    return { ...ending, duration_ms: Number((process.hrtime.bigint() - began) / 1_000_000n) }
  }
  if (command.signal.aborted) return done({ exit_code: exitSignalBase + 15, why: 'stopped', words: null })
  const mark = command.descendants.mark()
  const variables = { ...command.env, ...variable(mark) }
  const { home } = command.descendants
  const { program, args, env } = home.line([home.shell, '-c', opening(mark), 'bash', command.command], variables)
  const child = spawn(program, args, {
    cwd: command.directory,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.on('data', (bytes: Uint8Array) => output(bytes))
  return done(await ended(child, command, mark))
}

/** The first shell takes the mark and joins both outputs into one pipe, and is replaced by the one that runs the command. */
function opening({ limit }: Mark): string {
  const marking = limit === null ? '' : `ulimit -q ${limit} 2>/dev/null; `
  return `${marking}exec "$BASH" -eo pipefail -c "$1" 2>&1`
}

function variable({ word }: Mark): Readonly<Record<string, string>> {
  const [name = '', value = ''] = word.split('=')
  return { [name]: value }
}

async function ended(
  child: ChildProcess,
  { timeoutMs, signal, descendants }: Command,
  mark: Mark,
): Promise<Omit<Ending, 'duration_ms'>> {
  let why: Ending['why'] = 'ended'
  let grace: NodeJS.Timeout | undefined
  const toGroup = async (one: NodeJS.Signals): Promise<void> =>
    child.pid === undefined ? undefined : descendants.home.signal([-child.pid], one)
  const end = (reason: 'timed_out' | 'stopped'): void => {
    if (why !== 'ended') return
    why = reason
    void toGroup('SIGTERM')
    grace = setTimeout(() => void toGroup('SIGKILL'), graceMs)
  }
  const stop = (): void => end('stopped')
  const timeout = setTimeout(() => end('timed_out'), Math.min(timeoutMs, timerMsMax))
  signal.addEventListener('abort', stop, { once: true })
  // Asked for before anything is waited for: both may come in the same breath.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const exit = await exited(child)
  clearTimeout(timeout)
  signal.removeEventListener('abort', stop)
  if ('trouble' in exit) return { exit_code: exitNotStarted, why: 'not_started', words: exit.trouble }
  // What the command left behind ends with it, and lets go of the pipe. Within its grace it may finish.
  const wasEnded = grace !== undefined
  const endAll = async (): Promise<void> => {
    await toGroup('SIGKILL')
    await descendants.end(mark)
  }
  if (!wasEnded) await endAll()
  await lastOutput(child, closed, wasEnded ? graceMs : 0)
  clearTimeout(grace)
  if (wasEnded) await endAll()
  return { exit_code: exitCode(why, exit.code, exit.signal), why, words: null }
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null } | { readonly trouble: string }

function exited(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', (error) => (child.pid === undefined ? resolve({ trouble: error.message }) : null))
  })
}

/** Until the pipe is closed. Something that left the group may hold it for ever, and nobody waits for that. */
async function lastOutput({ stdout }: ChildProcess, closed: Promise<void>, notBeforeMs: number): Promise<void> {
  const began = performance.now()
  let quietSince = began
  const watch = setInterval(() => {
    const now = performance.now()
    const isQuiet = now - quietSince > lastOutputMs && now - began > notBeforeMs + lastOutputMs
    if (isQuiet || now - began > lastOutputMsMax) stdout?.destroy()
  }, lastOutputMs / 10)
  stdout?.on('data', () => (quietSince = performance.now()))
  await closed
  clearInterval(watch)
}

function exitCode(why: Ending['why'], code: number | null, signal: NodeJS.Signals | null): number {
  if (why === 'timed_out') return exitTimedOut
  if (why === 'stopped') return exitSignalBase + constants.signals.SIGTERM
  return signal === null ? (code ?? exitNotStarted) : exitSignalBase + constants.signals[signal]
}
