// What keeps a command that works on a file of cases from running at all: a file that is not there, or one whose problems
// are told together, to people and to programs.
import { readFile } from 'node:fs/promises'
import { report, type Flaw, type PolicyProblem } from '../../../core/contract/problem.ts'
import type { ExitCode, Io } from '../common/cli-command.ts'

/** Nothing was found out about what the command was asked to judge. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
  readonly problems: readonly PolicyProblem[]

  constructor(message: string, problems: readonly PolicyProblem[] = []) {
    super(message)
    this.problems = problems
  }
}

export const invalid = (file: string, flaws: readonly Flaw[]): CannotRun =>
  new CannotRun(`${file} is invalid`, report(flaws, file))

/** `hint`: what to do where it cannot be read. */
export async function readText(file: string, hint: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const why = code === 'ENOENT' ? 'there is no such file' : String(error)
    throw new CannotRun(`cannot read ${file}: ${why}. ${hint}`)
  }
}

export function tellProblems(command: string, { message, problems }: CannotRun, json: boolean, io: Io): ExitCode {
  if (json) io.out(JSON.stringify({ error: message, problems }, null, 2))
  else io.err([`${command}: ${message}`, ...problems.map(sayProblem)].join('\n'))
  return 2
}

const sayProblem = ({ file, line, column, message }: PolicyProblem): string => `${file}:${line}:${column}  ${message}`
