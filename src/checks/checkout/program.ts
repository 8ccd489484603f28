// Programs of the machine, run beside a clone and never by its grace: what the clone brings is not on the path by which
// they and their parts are found, they start outside of it, and they see no more of the environment than they need.
import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { delimiter, isAbsolute } from 'node:path'
import { checkEnvironment, type Environment } from '../runner/environment.ts'
import { isWithin } from '../within.ts'

export type Answer = {
  readonly ok: boolean
  /** Bytes, since names of files may be anything. */
  readonly bytes: Buffer
  /** Whether the answer was longer than anybody wants to hold. */
  readonly isCut: boolean
  readonly trouble: string
}
type Start = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string | undefined
  readonly timeoutMs: number
}

const ANSWER_BYTES_MAX = 64 * 1024 * 1024
const TROUBLE_LENGTH_MAX = 2_000
const pathNames = ['PATH', 'LD_LIBRARY_PATH']

export function answerOf(program: string, args: readonly string[], start: Start): Promise<Answer> {
  const { cwd, env, input = '', timeoutMs } = start
  const options = { cwd, env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: ANSWER_BYTES_MAX } as const
  return new Promise((answered) => {
    const child = execFile(program, [...args], { ...options, encoding: 'buffer' }, (error, bytes, said) => {
      const isCut = error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      const trouble = said.toString('utf8').trim() || (error?.message ?? '')
      answered({ ok: error === null || isCut, bytes, isCut, trouble: trouble.slice(0, TROUBLE_LENGTH_MAX) })
    })
    // A program that ends before it has read everything says so by how it ends.
    child.stdin?.on('error', () => null)
    child.stdin?.end(input)
  })
}

/** What such a program may see: nothing that a check may not, and no way into these folders. */
export async function environmentBeside(
  folders: readonly string[],
  environment: Environment,
): Promise<Record<string, string>> {
  const seen = checkEnvironment(environment)
  for (const name of pathNames) {
    if (seen[name] !== undefined) seen[name] = await wayAround(folders, seen[name])
  }
  return seen
}

/** The parts of a path that lead somewhere for certain, and not into one of the folders, also not by a link. */
async function wayAround(folders: readonly string[], path: string): Promise<string> {
  const homes = await Promise.all(folders.map(realOrSame))
  const kept: string[] = []
  for (const entry of path.split(delimiter)) {
    // An empty or relative part means wherever a program happens to start.
    if (!isAbsolute(entry)) continue
    const places = [entry, await realOrSame(entry)]
    const leadsIn = [...folders, ...homes].some((home) => places.some((place) => isWithin(home, place)))
    if (!leadsIn) kept.push(entry)
  }
  return kept.join(delimiter)
}

const realOrSame = (place: string): Promise<string> => realpath(place).catch(() => place)
