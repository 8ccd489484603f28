// As whom checks run, and who may end them: here as the one who runs this, elsewhere as a guest of the machine.
import type { Process } from './processes.ts'

export type Line = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
export type Home = {
  /** How a program with these arguments is started, so that it sees these variables. */
  readonly line: (argv: readonly [string, ...string[]], env: Readonly<Record<string, string>>) => Line
  /** A target below zero is a group. */
  readonly signal: (targets: readonly number[], signal: NodeJS.Signals) => Promise<void>
  /** Whether nobody but a check can have started this. */
  readonly owns: (process: Process) => boolean
  /** Ends everything that it owns, as far as that can be done at one blow. */
  readonly sweep: () => Promise<void>
}

export const ownHome: Home = {
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
