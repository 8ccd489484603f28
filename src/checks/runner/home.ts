// As whom checks run, and who may end them: here as the one who runs this, elsewhere as a guest of the machine.
import { stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { environmentBeside } from '../checkout/program.ts'
import type { Environment } from './environment.ts'
import type { Process } from './processes.ts'

export type Line = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
export type Home = {
  /** The shell that runs the commands. */
  readonly shell: string
  /** How a program with these arguments is started, so that it sees these variables. */
  readonly line: (argv: readonly [string, ...string[]], env: Readonly<Record<string, string>>) => Line
  /** A target below zero is a group. */
  readonly signal: (targets: readonly number[], signal: NodeJS.Signals) => Promise<void>
  /** Whether nobody but a check can have started this. */
  readonly owns: (process: Process) => boolean
  /** Ends everything that it owns, as far as that can be done at one blow. */
  readonly sweep: () => Promise<void>
}

/** The shell is looked for once, before the first check could put another in its way, and never within the checkout. */
export async function ownHome(root: string, environment: Environment): Promise<Home> {
  const { PATH = '' } = await environmentBeside([root], environment)
  const shell = await firstOf(PATH.split(delimiter).map((folder) => join(folder, 'bash')))
  return { ...atHome, shell: shell ?? 'bash' }
}

/** The first that is there. */
export async function firstOf(places: readonly string[]): Promise<string | null> {
  for (const place of places) if (await stat(place).then((found) => found.isFile(), () => false)) return place // prettier-ignore
  return null
}

const atHome: Omit<Home, 'shell'> = {
  line: ([program, ...args], env) => ({ program, args, env }),
  signal: async (targets, signal) => sendTo(targets, signal),
  owns: () => false,
  sweep: async () => {},
}

/** There may be nothing left to signal. */
export function sendTo(targets: readonly number[], signal: NodeJS.Signals): void {
  for (const target of targets) {
    try {
      process.kill(target, signal)
    } catch (error) {
      // Where the last of a group is already dead, some systems say that it may not be signalled.
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code !== 'ESRCH' && code !== 'EPERM') throw error
    }
  }
}
