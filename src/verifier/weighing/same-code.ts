// Whether code still says the same: white space, line breaks, comments, semicolons, the kind of quotes and parentheses that
// change nothing are no repair, and neither is another name for the same thing.

/** The tokens of some lines of code. */
export const tokensIn = (lines: readonly string[]): string[] => lines.flatMap((line) => bare(line))

const token = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu

function bare(line: string): string[] {
  const all = (line.match(token) ?? [])
    .filter((sign) => sign !== ';')
    .map((sign) => (sign === "'" || sign === '`' ? '"' : sign))
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const pair = redundant(all)
    if (pair === null) break
    all.splice(pair.close, 1)
    all.splice(pair.open, 1)
  }
  // What lists end with on a line of its own is a matter of taste.
  return all.at(-1) === ',' ? all.slice(0, -1) : all
}

/** So many pairs of parentheses are looked through on one line. */
const ROUNDS_MAX = 20
const before = new Set([
  '=',
  '>',
  ',',
  '(',
  '[',
  '{',
  ':',
  '?',
  'return',
  'throw',
  'yield',
  'await',
  'case',
  'not',
  '!',
])
const behind = new Set([',', ')', ']', '}', ':', '?', '{'])
const isWord = (sign: string | undefined): boolean => sign !== undefined && /^[\p{L}\p{N}_$]/u.test(sign)

/** A pair that groups nothing: around all that stands between two delimiters, or around one name or value. */
function redundant(all: readonly string[]): { readonly open: number; readonly close: number } | null {
  const opened: number[] = []
  for (const [close, sign] of all.entries()) {
    if (sign === '(') opened.push(close)
    if (sign !== ')') continue
    const open = opened.pop()
    if (open === undefined) continue
    const [left, right] = [all[open - 1], all[close + 1]]
    const calls = (isWord(left) && !before.has(left ?? '')) || left === ')' || left === ']'
    if (calls || close === open + 1) continue
    const inside = all.slice(open + 1, close)
    const alone = inside.every((one) => isWord(one) || ['.', '!', '"'].includes(one))
    const bounded =
      (left === undefined || (before.has(left) && left !== '!')) && (right === undefined || behind.has(right))
    if (alone || bounded) return { open, close }
  }
  return null
}

export function holds(whole: readonly string[], part: readonly string[]): boolean {
  if (part.length === 0) return false
  return whole.some((_, start) => part.every((sign, offset) => whole[start + offset] === sign))
}

const ALIKE_MIN = 4

/** The same signs and values in the same places, and at least half of the names: it was only named otherwise. */
export function holdsAlike(whole: readonly string[], part: readonly string[]): boolean {
  if (part.length < ALIKE_MIN) return false
  return whole.some((_, start) => isAlike(whole.slice(start, start + part.length), part))
}

const isName = (sign: string): boolean => /^[\p{L}_$]/u.test(sign)

function isAlike(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  let names = 0
  let same = 0
  for (const [index, sign] of other.entries()) {
    const own = one[index] ?? ''
    if (!isName(sign) || !isName(own)) {
      if (sign !== own) return false
      continue
    }
    names += 1
    if (sign === own) same += 1
  }
  return names > 0 && same * 2 >= names
}
