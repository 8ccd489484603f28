// Quotes are looked for where they are said to be, in the text that was shown. What is not there counts for nothing; what
// is there and is no code, a comment or what a check printed, may show what is wrong and never that something is right.
import type { Evidence } from './answer.ts'
import { isStructural } from '../change/code-part.ts'
import { gutter, type PresentedFile, type ShownLine } from '../change/presented.ts'
import type { CheckOutput } from '../asking/prompt.ts'

export type Outcome = 'verified' | 'no_path' | 'wrong_side' | 'out_of_range' | 'absent' | 'too_short'
/** `proves`: whether it can carry a yes. */
export type Found = { readonly outcome: Outcome; readonly line: number; readonly proves: boolean }
export type Presented = {
  readonly files: readonly PresentedFile[]
  /** Lines around the change: what is found there can carry a no, and never a yes. */
  readonly around?: readonly PresentedFile[]
  readonly checks: readonly CheckOutput[]
}
/** After a rebase the same lines stand elsewhere: an answer on record is anchored anew. */
export type Reach = 'near' | 'anywhere'

const LINES_OFF_MAX = 3
const QUOTE_LINES_MAX = 10
const QUOTE_CHARACTERS_MAX = 400
const SUBSTANCE_MIN = 8

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export const normal = (text: string): string =>
  text
    .split('\n')
    .map((line) => spaced(line.replace(gutter, '')))
    .filter((line) => line !== '')
    .join('\n')

export function findEvidence(evidence: Evidence, presented: Presented, reach: Reach = 'near'): Found {
  const check = checkMeant(evidence, presented)
  if (check !== null)
    return { outcome: inCheck(check, normal(evidence.quote), presented), line: evidence.line, proves: false }
  const found = findIn(evidence, presented, reach)
  if (found.outcome === 'verified') return found
  // Lines around the change are those of the new side.
  const around = { ...presented, files: presented.around ?? [] }
  const beside = findIn({ ...evidence, side: 'new' }, around, reach)
  return beside.outcome === 'verified' ? { ...beside, proves: false } : found
}

function findIn({ path, side, line, quote }: Evidence, presented: Presented, reach: Reach): Found {
  const wanted = normal(quote)
  const lines = wanted.split('\n')
  const found = (outcome: Outcome, at = line, proves = false): Found => ({ outcome, line: at, proves })
  const file = presented.files.filter((one) => one.path === path)
  if (file.length === 0) return found('no_path')
  if (lines.length > QUOTE_LINES_MAX || wanted.length > QUOTE_CHARACTERS_MAX) return found('absent')
  const own = linesOf(file, side)
  const whole = own.some(({ text }) => text !== '' && text === wanted)
  if (isStructural(wanted) || (substance(wanted) < SUBSTANCE_MIN && !whole)) return found('too_short')
  const places = placesOf(own, lines).toSorted((one, other) => Math.abs(one.at - line) - Math.abs(other.at - line))
  const near = places.filter(({ at }) => reach === 'anywhere' || Math.abs(at - line) <= LINES_OFF_MAX)
  const [nearest] = near
  if (nearest !== undefined)
    return found(
      'verified',
      nearest.at,
      near.some(({ lines: at }) => provesBy(lines, at)),
    )
  const opposite = linesOf(file, side === 'old' ? 'new' : 'old')
  const close = (at: number): boolean => reach === 'anywhere' || Math.abs(at - line) <= LINES_OFF_MAX
  if (placesOf(opposite, lines).some(({ at }) => close(at))) return found('wrong_side')
  const somewhere = places.length > 0 || !own.some((one) => close(one.at))
  return found(somewhere ? 'out_of_range' : 'absent')
}

/** The name of the check whose output is meant, or null: a file may be called as if it were one, and is a file all the same. */
export function checkMeant({ path }: Pick<Evidence, 'path'>, { files, around = [] }: Presented): string | null {
  const named = /^check:(.*)$/s.exec(path)?.[1]
  return named === undefined || [...files, ...around].some((one) => one.path === path) ? null : named
}

function inCheck(name: string, wanted: string, { checks }: Presented): Outcome {
  const check = checks.find((one) => one.name === name)
  if (check === undefined) return 'no_path'
  if (substance(wanted) < SUBSTANCE_MIN) return 'too_short'
  return normal(check.text).includes(wanted) ? 'verified' : 'absent'
}

const substance = (text: string): number => text.replaceAll(/\s/g, '').length

/** What of the quoted lines is code: a part of it that is long enough, or all that its line has. */
function provesBy(wanted: readonly string[], at: readonly Placed[]): boolean {
  const parts = wanted.flatMap((quote, index) => {
    const code = at[index]?.code ?? ''
    if (code === '' || isStructural(code)) return []
    if (code.includes(quote)) return isStructural(quote) ? [] : [quote]
    return quote.includes(code) ? [code] : []
  })
  const whole = parts.some((part) => at.some(({ code }) => code === part))
  return parts.length > 0 && (whole || substance(parts.join('')) >= SUBSTANCE_MIN)
}

export type Placed = {
  readonly at: number
  readonly text: string
  readonly code: string
  readonly sign: ShownLine['sign']
}

export function linesOf(pieces: readonly PresentedFile[], side: 'old' | 'new'): readonly Placed[] {
  const [first, ...more] = pieces.map((piece) => sidesOf(piece)[side])
  return more.length === 0 ? (first ?? []) : [...(first ?? []), ...more.flat()]
}

type Sides = { readonly old: readonly Placed[]; readonly new: readonly Placed[] }
/** A long file is searched for each of many quotes, and its lines are the same each time. */
const known = new WeakMap<PresentedFile, Sides>()

function sidesOf(piece: PresentedFile): Sides {
  const before = known.get(piece)
  if (before !== undefined) return before
  const sides = { old: placedOn(piece, 'old'), new: placedOn(piece, 'new') }
  known.set(piece, sides)
  return sides
}

const placedOn = ({ hunks }: PresentedFile, side: 'old' | 'new'): Placed[] =>
  hunks.flatMap(({ lines }) =>
    lines.flatMap((line) => {
      const at = side === 'old' ? line.old : line.new
      return at === null ? [] : [{ at, text: spaced(line.text), code: spaced(line.code), sign: line.sign }]
    }),
  )

export type Place = { readonly at: number; readonly lines: readonly Placed[] }

/** Where a quote stands. Blank lines between its lines are skipped, as they are in the quote. */
export function placesOf(lines: readonly Placed[], wanted: readonly string[]): Place[] {
  const [first = ''] = wanted
  if (first === '') return []
  const places: Place[] = []
  for (const [index, { at, text }] of lines.entries()) {
    if (!text.includes(first)) continue
    const here = filledFrom(lines, index, wanted.length)
    if (wanted.every((line, offset) => here[offset]?.text.includes(line) === true)) places.push({ at, lines: here })
  }
  return places
}

function filledFrom(lines: readonly Placed[], start: number, count: number): Placed[] {
  const filled: Placed[] = []
  for (let index = start; index < lines.length && filled.length < count; index += 1) {
    const line = lines[index]
    if (line !== undefined && line.text !== '') filled.push(line)
  }
  return filled
}
