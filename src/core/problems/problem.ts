// One thing that a tool objects to, at a place in a file of the repository, so that it can be shown where it is.
import { visible } from '../visible.ts'

export type Problem = {
  /** From the root of the repository. */
  readonly path: string
  readonly line: number
  readonly column: number | null
  readonly level: 'error' | 'warning'
  readonly message: string
}

const MESSAGE_LENGTH_MAX = 1_000
const PATH_LENGTH_MAX = 1_000

/** What a tool said, before anybody looked at it. */
export type Said = {
  readonly path: string
  readonly line: string | number | undefined
  readonly column?: string | number | undefined
  readonly level?: Problem['level']
  readonly message: string
}
export type Folders = {
  /** The checkout, as an absolute path. */
  readonly root: string
  /** Where the tool ran, from the root. */
  readonly directory: string
}

/** Null for a place that is not in the repository, or is no place at all. */
export function problemAt({ path, line, column, level = 'error', message }: Said, folders: Folders): Problem | null {
  const within = pathWithin(path, folders)
  const [row, place] = [positive(line), positive(column)]
  const words = visible(message.slice(0, MESSAGE_LENGTH_MAX)).trim()
  if (within === null || row === null || words === '') return null
  return { path: within, line: row, column: place, level, message: words }
}

function pathWithin(path: string, { root, directory }: Folders): string | null {
  const plain = path.startsWith('file://') ? path.slice('file://'.length) : path
  if (plain === '' || plain.length > PATH_LENGTH_MAX || /\p{Cc}/u.test(plain)) return null
  const home = stepsOf(root)
  const steps = stepsOf(plain.startsWith('/') ? plain : `${root}/${directory}/${plain}`)
  const isWithin = steps.length > home.length && home.every((step, at) => steps[at] === step)
  return isWithin ? steps.slice(home.length).join('/') : null
}

/** Of an absolute path, without the steps that lead nowhere. */
function stepsOf(path: string): string[] {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps
}

function positive(value: string | number | undefined): number | null {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}
