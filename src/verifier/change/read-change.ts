// What deterministic reading finds in a change before any model is asked: what of it is shown, what is hidden in it, which
// secrets and which words of rank it holds. A pure function of plain data, since a change may be as large and as odd as its
// author likes.
import { matchesAny } from '../../core/contract/glob.ts'
import type { OnTheWay } from '../../core/decision/record/on-the-way.ts'
import { holdsSecret } from '../../core/secret-formats.ts'
import { addressedIn, speakingNames, speaksAnywhere } from './addressed.ts'
import { authorityIn, type Spoken } from './authority.ts'
import { hunksOf, type Change, type FileChange, type Hit } from './change.ts'
import { redactor } from '../asking/clean.ts'
import { hiddenIn, type Hidden } from './hidden-text.ts'
import { packing, type Packed, type ShownPiece } from './pack.ts'

export type ChangeQuestion = {
  /** Without the secrets of whoever asks, which have their placeholders already. */
  readonly change: Change
  readonly model: string
  readonly protectedPaths: readonly string[]
  /** Files that may go unseen. */
  readonly unseenOk: readonly string[]
  /** What a line that looks like a secret leads to, and files in which such lines are expected. */
  readonly secrets: 'fail' | 'warn' | 'off'
  readonly secretsAllowed: readonly string[]
  /** Files in which invisible characters are expected. */
  readonly hiddenAllowed: readonly string[]
  readonly description: string
  readonly criteria: readonly string[]
  /** What stands for what so far. */
  readonly known: ReadonlyMap<string, string>
}
export type ReadChange = {
  readonly packed: Packed
  readonly hits: readonly Hit[]
  readonly hidden: readonly Hidden[]
  /** What speaks to a reviewer besides lines of the change. */
  readonly speaking: readonly string[]
  /** Words of rank, in the text of the task and in lines of the change. */
  readonly ranked: { readonly task: readonly OnTheWay[]; readonly change: readonly OnTheWay[] }
  readonly known: ReadonlyMap<string, string>
}

export function readChange(question: ChangeQuestion): ReadChange {
  const { change, model, protectedPaths, unseenOk, hiddenAllowed } = question
  const known = new Map(question.known)
  const { packed, pieces } = packing(change, redactor([], known), { protectedPaths, unseenOk, model })
  const allowed = new Set(change.files.map(({ path }) => path).filter((path) => matchesAny(hiddenAllowed, path)))
  const lines = change.files.flatMap(addedLines)
  const inLines = lines.flatMap(({ path, line, text }) => {
    const found = allowed.has(path) ? null : hiddenIn(text, `${path}:${line}`, line === 1)
    return found === null ? [] : [{ ...found, path, line }]
  })
  const hits = [
    ...inLines.filter(({ useless }) => useless).map(({ path, line }): Hit => ({ kind: 'hidden_text', path, line })),
    ...secretHits(lines, question),
    ...addressedIn(pieces.flatMap(shownLines)).map(({ path, line }): Hit => ({ kind: 'addressed', path, line })),
  ]
  const hidden = [
    ...inLines.map(({ place, sign, useless }) => ({ place, sign, useless })),
    ...change.files.flatMap(({ path }) => hiddenIn(path, 'the name of a file') ?? []),
    ...[question.description, ...question.criteria].flatMap((text) => hiddenIn(text, 'the text of the task') ?? []),
  ]
  const speaking = [
    ...speakingNames(change.files).map(() => 'The name of a file'),
    ...[question.description, ...question.criteria].filter(speaksAnywhere).map(() => 'The text of the task'),
  ]
  return {
    packed,
    hits,
    hidden,
    speaking: [...new Set(speaking)],
    ranked: {
      task: authorityIn([{ place: 'the text of the task', text: question.description }]),
      change: authorityIn(spokenIn(lines)),
    },
    known,
  }
}

type AddedLine = { readonly path: string; readonly line: number; readonly text: string }

export const addedLines = ({ path, patch }: FileChange): AddedLine[] =>
  hunksOf(patch ?? '').flatMap(({ lines }) =>
    lines.flatMap(({ sign, new: line, text }) => (sign === '+' && line !== null ? [{ path, line, text }] : [])),
  )

/** What a model reads of what its author wrote, as the author wrote it; a digest has lines of its own. */
function shownLines({ file, shown, digested }: ShownPiece): AddedLine[] {
  const lines = shown.hunks.flatMap((hunk) => hunk.lines)
  if (digested) return lines.map(({ new: line, text }) => ({ path: file.path, line: line ?? 0, text }))
  const numbers = new Set(lines.flatMap(({ sign, new: line }) => (sign === '+' ? [line] : [])))
  return addedLines(file).filter(({ line }) => numbers.has(line))
}

function secretHits(lines: readonly AddedLine[], { secrets, secretsAllowed }: ChangeQuestion): Hit[] {
  if (secrets === 'off') return []
  return lines
    .filter(({ text, path }) => holdsSecret(text) && !matchesAny(secretsAllowed, path))
    .map(({ path, line }): Hit => ({ kind: 'secret', path, line }))
}

function* spokenIn(lines: readonly AddedLine[]): Iterable<Spoken> {
  for (const { path, line, text } of lines) yield { place: `${path}:${line}`, text }
}
