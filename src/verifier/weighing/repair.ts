// Whether what an objection was raised on is still there. It follows its lines through new names, line breaks and
// parentheses, and is repaired only by other code in its place: what stood there before, or far from it, repairs nothing.
import { digest } from '../../core/canonical.ts'
import type { LedgerItem, Raised } from '../../core/decision/examined.ts'
import type { PresentedFile, ShownLine } from '../change/presented.ts'
import type { Evidence } from './answer.ts'
import { findEvidence, linesOf, normal, placesOf, type Placed, type Presented, type Reach } from './evidence.ts'
import { holds, holdsAlike, tokensIn } from './same-code.ts'

/** How far from its lines a repair may stand, and how much around them is remembered. */
const LINES_AROUND = 20
const RAISED_LINES_MAX = 10
const LINE_LENGTH_MAX = 500
const MARKS_MAX = 500
/** Shorter code stands in many files, and is followed only to one of the same name. */
const TOKENS_MIN = 5

const mark = (line: Pick<ShownLine, 'code' | 'text'>): string =>
  digest(tokensIn([line.code.trim() === '' ? line.text : line.code])).slice(0, 8)

/** What the lines of a quote look like now, for whoever judges the next push. */
export function raisedOn(
  { path, side, line, quote }: Evidence,
  { files, around = [] }: Presented,
  contract: string,
): Raised {
  const pieces = files.filter((one) => one.path === path)
  const wanted = normal(quote).split('\n')
  const [place] = placesOf(linesOf(pieces, side), wanted).toSorted(
    (one, other) => Math.abs(one.at - line) - Math.abs(other.at - line),
  )
  if (place === undefined && stands(quote, path, around)) return raisedBeside(files, contract)
  const at = place?.at ?? line
  const hunk = pieces
    .flatMap(({ hunks }) => hunks)
    .find(({ lines }) => lines.some((one) => (side === 'old' ? one.old : one.new) === at))
  const index = hunk?.lines.findIndex((one) => (side === 'old' ? one.old : one.new) === at) ?? 0
  const near = (hunk?.lines ?? []).slice(Math.max(0, index - LINES_AROUND), index + LINES_AROUND + wanted.length)
  return {
    lines: (place?.lines ?? []).slice(0, RAISED_LINES_MAX).map(({ code, text }) => cut(code === '' ? text : code)),
    changed: place === undefined || place.lines.some(({ sign }) => sign !== ' '),
    around: [...new Set(near.map(mark))],
    contract,
  }
}

const stands = (quote: string, path: string, files: readonly PresentedFile[]): boolean =>
  placesOf(
    linesOf(
      files.filter((one) => one.path === path),
      'new',
    ),
    normal(quote).split('\n'),
  ).length > 0

/**
 * Lines that the change leaves alone, and breaks. They may stay as they are when it is repaired, so every line that it has
 * now is remembered: only other code than this repairs it. Of a change with more lines than that, only a human says so.
 */
function raisedBeside(files: readonly PresentedFile[], contract: string): Raised {
  const changed = files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.filter(({ sign }) => sign !== ' ')))
  const marks = [...new Set(changed.map(mark))]
  return { lines: [], changed: false, beside: true, around: marks.length > MARKS_MAX ? [] : marks, contract }
}

const cut = (text: string): string => text.slice(0, LINE_LENGTH_MAX)

export type Whereabouts =
  | { readonly state: 'there'; readonly path: string; readonly line: number }
  /** Named otherwise, or where nobody could look. */
  | { readonly state: 'unsure' }
  | { readonly state: 'gone' }

type Shown = Pick<LedgerItem, 'path' | 'side' | 'line' | 'quote' | 'raised'>

export function whereabouts(item: Shown, files: readonly PresentedFile[], unseen: readonly string[]): Whereabouts {
  const { path, side, line, quote, raised } = item
  if (quote.trim() === '') return { state: 'unsure' }
  const own = linesOf(
    files.filter((one) => one.path === path),
    side,
  )
  const part = tokensIn(raised === undefined || raised.lines.length === 0 ? normal(quote).split('\n') : raised.lines)
  const [here] = placesOf(own, normal(quote).split('\n'))
  if (here !== undefined) return { state: 'there', path, line: here.at }
  if (mayHold(own, part) && holds(tokensOf(own), part)) return { state: 'there', path, line }
  const moved = followed(item, part, files)
  if (moved !== null) return moved
  const near = own.filter(({ at }) => Math.abs(at - line) <= LINES_AROUND)
  const unsure = unseen.includes(path) || raised?.changed === false || holdsAlike(tokensOf(near), part)
  return { state: unsure ? 'unsure' : 'gone' }
}

/** Many objections are looked for in the same lines. */
const known = new WeakMap<Placed, readonly string[]>()

function tokensOf(lines: readonly Placed[]): string[] {
  return lines.flatMap((line) => {
    const before = known.get(line)
    if (before !== undefined) return before
    const tokens = tokensIn([line.code === '' ? line.text : line.code])
    known.set(line, tokens)
    return tokens
  })
}

const rarestOf = (part: readonly string[]): string => part.toSorted((one, other) => other.length - one.length)[0] ?? ''

/** Most files are told apart by one word, without a look at their tokens. A sign of its own may be spelled otherwise. */
function mayHold(lines: readonly Placed[], part: readonly string[]): boolean {
  const rarest = rarestOf(part)
  return rarest.length < 2 || lines.some(({ text, code }) => text.includes(rarest) || code.includes(rarest))
}

/** Lines that a push moved into another file are lines that it adds there. */
function followed(
  { path, side }: Shown,
  part: readonly string[],
  files: readonly PresentedFile[],
): Extract<Whereabouts, { state: 'there' }> | null {
  const changed = side === 'new' ? '+' : '-'
  for (const file of files) {
    if (file.path === path || (part.length < TOKENS_MIN && nameOf(file.path) !== nameOf(path))) continue
    const lines = linesOf([file], side).filter(({ sign }) => sign === changed)
    if (!mayHold(lines, part) || !holds(tokensOf(lines), part)) continue
    const rarest = rarestOf(part)
    const line = lines.find(({ text }) => text.includes(rarest))?.at ?? 1
    return { state: 'there', path: file.path, line }
  }
  return null
}

const nameOf = (path: string): string => path.replace(/^.*\//, '')

/** Whether a quote shows a repair of it: code that was not there, where the lines are or were. */
export function repairs(
  item: Shown,
  evidence: Evidence,
  presented: Presented,
  where: Whereabouts,
  reach: Reach,
): boolean {
  const found = findEvidence(evidence, presented, reach)
  if (found.outcome !== 'verified' || !found.proves) return false
  if (item.quote.trim() === '') return shownAt(evidence, presented, found.line).some(({ sign }) => sign !== ' ')
  const { beside = false, around = [] } = item.raised ?? {}
  if (beside) {
    const shown = shownAt(evidence, presented, found.line).filter(({ sign }) => sign !== ' ')
    return around.length > 0 && shown.some((line) => !around.includes(mark(line)))
  }
  const inPlace =
    where.state === 'there'
      ? evidence.path === where.path && Math.abs(found.line - where.line) <= LINES_AROUND
      : evidence.path === item.path
  const before = new Set(
    item.raised?.around ??
      normal(item.quote)
        .split('\n')
        .map((text) => mark({ code: '', text })),
  )
  return inPlace && shownAt(evidence, presented, found.line).some((line) => !before.has(mark(line)))
}

/** The lines of a quote as a whole. */
function shownAt({ path, side, quote }: Evidence, { files }: Presented, line: number): Placed[] {
  const own = linesOf(
    files.filter((one) => one.path === path),
    side,
  )
  const place = placesOf(own, normal(quote).split('\n')).find(({ at }) => at === line)
  return [...(place?.lines ?? [])]
}
