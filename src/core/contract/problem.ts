// Problems of a policy or a task's block as people and programs read them: where, which key, what is wrong, and the
// word that was probably meant.
import { nearest } from '../nearest.ts'
import { visible } from '../visible.ts'
import type { Path, Spot } from './tree.ts'

export type PolicyProblem = {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Dotted path as it was written, such as `verification.checks[1].timeout`; empty for the whole file. */
  readonly key: string
  readonly message: string
  readonly nearest: string | null
}

/** A problem before it is known in which file. */
export type Flaw = {
  readonly spot: Spot
  readonly path: Path
  readonly message: string
  readonly nearest: string | null
}

export const PROBLEMS_MAX = 50
const QUOTE_LENGTH_MAX = 60

export function report(flaws: readonly Flaw[], file: string): PolicyProblem[] {
  const inOrder = flaws.toSorted((one, other) => one.spot.line - other.spot.line || one.spot.column - other.spot.column)
  const problems = inOrder.slice(0, PROBLEMS_MAX).map(({ spot, path, message, nearest }) => {
    return { file, line: spot.line, column: spot.column, key: dotted(path), message, nearest }
  })
  const next = inOrder[PROBLEMS_MAX]
  if (next === undefined) return problems
  const message = `There are ${inOrder.length - PROBLEMS_MAX} more problems. Correct the first ones, then look again.`
  return [...problems, { file, line: next.spot.line, column: next.spot.column, key: '', message, nearest: null }]
}

/** A problem of the text as a whole. */
export function flawOfAll(message: string): Flaw {
  return { spot: { line: 1, column: 1 }, path: [], message, nearest: null }
}

/** Said of a text that could not be read within the limits of time and memory that one text has. */
export const beyondLimits = (what: string): string =>
  `${what} takes more time or memory to read than one text may take. Shorten or simplify it.`

export function dotted(path: Path): string {
  return path.reduce<string>((whole, step) => {
    if (typeof step === 'number') return `${whole}[${step}]`
    return whole === '' ? shortened(step) : `${whole}.${shortened(step)}`
  }, '')
}

/** The last key of a path, with its position in a list: `checks[1]`. */
export function lastKey(path: Path): string {
  const key = path.findLastIndex((step) => typeof step === 'string')
  return dotted(path.slice(Math.max(key, 0)))
}

/** Somebody's text as code within a sentence, however strange it is. */
export const quoted = (text: string): string => `\`${shortened(text)}\``

function shortened(text: string): string {
  const cut = text.length > QUOTE_LENGTH_MAX ? `${text.slice(0, QUOTE_LENGTH_MAX)}…` : text
  return visible(cut)
    .replaceAll(/[\n\t]/g, ' ')
    .replaceAll('`', "'")
}

/** `a, b or c`. */
export function choice(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** The longer a word, the more of its letters may be wrong. */
export function nearestWord(word: string, words: readonly string[]): string | null {
  const exact = words.find((candidate) => candidate.toLowerCase() === word.toLowerCase())
  return exact ?? nearest(word, words, Math.min(4, Math.ceil(word.length / 3)))
}
