// Quotes are looked for where they are said to be, in the text that was shown. What is not there counts for nothing.
import type { Evidence } from './answer.ts'
import { gutter, type PresentedFile } from '../change/presented.ts'
import type { CheckOutput } from '../asking/prompt.ts'

export type Outcome = 'verified' | 'no_path' | 'wrong_side' | 'out_of_range' | 'absent' | 'too_short'
export type Found = { readonly outcome: Outcome; readonly line: number }
export type Presented = { readonly files: readonly PresentedFile[]; readonly checks: readonly CheckOutput[] }
/** After a rebase the same lines stand elsewhere: an answer on record is anchored anew. */
export type Reach = 'near' | 'anywhere'

const LINES_OFF_MAX = 3
const QUOTE_LINES_MAX = 10
const QUOTE_CHARACTERS_MAX = 400
const SUBSTANCE_MIN = 8

export const normal = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(gutter, '').replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

export function findEvidence(
  { path, side, line, quote }: Evidence,
  presented: Presented,
  reach: Reach = 'near',
): Found {
  const wanted = normal(quote)
  const lines = wanted.split('\n')
  const found = (outcome: Outcome, at = line): Found => ({ outcome, line: at })
  if (path.startsWith('check:')) return found(inCheck(path.slice('check:'.length), wanted, presented))
  const file = presented.files.filter((one) => one.path === path)
  if (file.length === 0) return found('no_path')
  if (lines.length > QUOTE_LINES_MAX || wanted.length > QUOTE_CHARACTERS_MAX) return found('absent')
  const own = linesOf(file, side)
  const whole = own.some(({ text }) => text !== '' && text === wanted)
  if (substance(wanted) < SUBSTANCE_MIN && !whole) return found('too_short')
  const at = placesOf(own, lines)
  const near = at.toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line))[0]
  const close = (place: number | undefined): place is number =>
    place !== undefined && (reach === 'anywhere' || Math.abs(place - line) <= LINES_OFF_MAX)
  if (close(near)) return found('verified', near)
  const opposite = linesOf(file, side === 'old' ? 'new' : 'old')
  if (placesOf(opposite, lines).some(close)) return found('wrong_side')
  const somewhere = near !== undefined || !own.some((one) => close(one.at))
  return found(somewhere ? 'out_of_range' : 'absent')
}

function inCheck(name: string, wanted: string, { checks }: Presented): Outcome {
  const check = checks.find((one) => one.name === name)
  if (check === undefined) return 'no_path'
  if (substance(wanted) < SUBSTANCE_MIN) return 'too_short'
  return normal(check.text).includes(wanted) ? 'verified' : 'absent'
}

const substance = (text: string): number => text.replaceAll(/\s/g, '').length

type Placed = { readonly at: number; readonly text: string }

function linesOf(pieces: readonly PresentedFile[], side: 'old' | 'new'): Placed[] {
  return pieces.flatMap(({ hunks }) =>
    hunks.flatMap(({ lines }) =>
      lines.flatMap((line) => {
        const at = side === 'old' ? line.old : line.new
        return at === null ? [] : [{ at, text: line.text.replaceAll(/\s+/g, ' ').trim() }]
      }),
    ),
  )
}

/** Where a quote begins. Blank lines between its lines are skipped, as they are in the quote. */
function placesOf(lines: readonly Placed[], wanted: readonly string[]): number[] {
  const filled = lines.filter(({ text }) => text !== '')
  const [first = '', ...rest] = wanted
  return filled.flatMap(({ at, text }, index) => {
    if (first === '' || !text.includes(first)) return []
    return rest.every((line, offset) => filled[index + offset + 1]?.text.includes(line) === true) ? [at] : []
  })
}

/** Whether a quote still stands somewhere on that side of a file. */
export const stillThere = (path: string, side: 'old' | 'new', quote: string, presented: Presented): boolean =>
  findEvidence({ path, side, line: 0, quote }, presented, 'anywhere').outcome === 'verified'
