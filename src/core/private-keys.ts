// Private keys in a text, however they stand in it: on lines of their own, with the signs of a diff, indented, in a comment,
// in one string with its line ends spelled out, with headers, and with only their beginning or their end in sight. Whoever
// hides a key as a whole looks for its form; whoever judges code hides its letters, line by line, and sees what else is there.

const label = '(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----'
const KEY_LENGTH_MAX = 16_000

/** As a whole, up to its end; without it, when the text stops in the middle of a key. */
export const keyForm = new RegExp(
  `-----BEGIN ${label}(?:[^-]|-(?!----)){0,${KEY_LENGTH_MAX}}(?:-----END [A-Z0-9 ]{0,64}-----)?`,
)

export const keyBeginning = new RegExp(`-----BEGIN ${label}`)
/** No key goes on from one hunk of a diff to the next. */
const marker = new RegExp(`-----(BEGIN|END) ${label}|^@@ -\\d.*`, 'gm')

/** A run of a key's alphabet, without the sign of its line and the spelling of a line end. */
const letter = String.raw`(?!^\+|(?<=\\)[nrt])[A-Za-z0-9+/=]`
/** The last run may be short, and so may the one before a checksum. */
const lastRun = String.raw`${letter}{1,15}(?=(?:\\[nrt]|[\s"'${'`'}+,\\-]|=[A-Za-z0-9+/]{4}){0,40}-----END )`
const pieces = new RegExp(`-----BEGIN ${label}|${letter}{16,}|${lastRun}`, 'gm')
const RUN_LENGTH_MIN = 16
const SHORT_RUNS_MAX = 2
/** The head of a hunk tells a line before it, which may be one of a key: what is as long is no word of code. */
const HEAD_RUN_LENGTH_MIN = 60
const headText = /^@@ \S+ \S+ @@ (.*)/
/** What may stand between the beginning of a key and its letters. */
const header = /^[+\- ]?\s*(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID): .*)?$/

type Span = { readonly start: number; readonly end: number }
type Mark = Span & { readonly kind: 'beginning' | 'end' | 'hunk' }

/** The same text with what covers a key in place of its beginning and of each run of its letters. */
export function withoutKeys(text: string, coverOf: (key: string) => string): string {
  let from = 0
  const parts = keysIn(text).map(({ start, end }) => {
    const before = text.slice(from, start)
    from = end
    const key = text.slice(start, end)
    return before + key.replaceAll(pieces, () => coverOf(key))
  })
  return parts.join('') + text.slice(from)
}

/** In order and without overlap. */
function keysIn(text: string): Span[] {
  const keys: Span[] = []
  let done = 0
  const marks = marksIn(text)
  for (const [index, mark] of marks.entries()) {
    if (mark.start < done) continue
    const next = marks[index + 1]
    const isWhole = mark.kind === 'beginning' && next?.kind === 'end' && next.start - mark.end <= KEY_LENGTH_MAX
    const key = isWhole
      ? { start: mark.start, end: next.end }
      : mark.kind === 'end'
        ? { start: restBefore(text, done, mark.start), end: mark.end }
        : { start: mark.start, end: restBehind(text, mark, next?.start ?? text.length) }
    keys.push(key)
    done = key.end
  }
  return keys
}

/** Beginnings, ends, and heads of hunks. */
const marksIn = (text: string): Mark[] =>
  Array.from(text.matchAll(marker), ({ 0: found, 1: word, index }): Mark => {
    const kind = word === 'BEGIN' ? 'beginning' : word === 'END' ? 'end' : 'hunk'
    return { kind, start: index, end: index + found.length }
  })

/** Where a key stops whose end is not in sight, behind its beginning or behind a head that tells one of its lines. */
function restBehind(text: string, { kind, start, end }: Mark, limit: number): number {
  const head = headText.exec(text.slice(start, end))?.[1] ?? ''
  if (kind === 'hunk' && !isOfKey(head, HEAD_RUN_LENGTH_MIN)) return start
  let at = Math.min(lineEnd(text, end), limit)
  let last = at
  while (at < limit) {
    const next = Math.min(lineEnd(text, at + 1), limit)
    const line = text.slice(at + 1, next)
    const isLetters = isOfKey(line, RUN_LENGTH_MIN)
    if (!isLetters && (last > end || !header.test(line))) break
    at = next
    if (isLetters) last = at
  }
  return last
}

/** Where the rest of a key starts whose beginning is not in sight. */
function restBefore(text: string, limit: number, end: number): number {
  const lineStart = (before: number): number =>
    before <= limit ? limit : Math.max(limit, text.lastIndexOf('\n', before - 1) + 1)
  let start = lineStart(end)
  for (let lines = 0; start > limit; lines += 1) {
    const before = lineStart(start - 1)
    if (!isOfKey(text.slice(before, start - 1), lines < SHORT_RUNS_MAX ? 1 : RUN_LENGTH_MIN)) break
    start = before
  }
  return start
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** One run of letters and nothing else but signs, as no line of code is. */
function isOfKey(line: string, lengthMin: number): boolean {
  const runs = line.replaceAll(/\\[nrt]/g, ' ').match(/[A-Za-z0-9+/=]+/g) ?? []
  const words = runs.filter((run) => /[A-Za-z0-9]/.test(run))
  return words.length === 1 && words.every(({ length }) => length >= lengthMin)
}
