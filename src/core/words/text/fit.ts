// Long texts made to fit where GitHub counts bytes. What must be read stays whole, the rest is cut at the end of a line,
// fences and folds are closed again, and it is said what is missing.
// https://docs.github.com/en/rest/checks/runs#create-a-check-run

/** GitHub takes 65,535 bytes of a summary and as many characters of a comment. */
export const BODY_BYTES_MAX = 65_000

export type Part = {
  /** What is missing when it is. Null for what is never left out. */
  readonly name: string | null
  readonly text: string
}

const encoder = new TextEncoder()
export const bytesOf = (text: string): number => encoder.encode(text).length

/** Cut between characters, never within one. */
export function upToBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  const bytes = encoder.encode(text)
  if (bytes.length <= max) return text
  let end = Math.max(0, max)
  // A byte that continues a character is no place to cut.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return new TextDecoder().decode(bytes.subarray(0, end))
}

const between = '\n\n'
/** Room for the sentence that says what is missing, and for what closes a cut part. */
const NOTE_BYTES = 600

/** Parts in their order, without the empty ones. */
export function fitted(given: readonly Part[], max: number = BODY_BYTES_MAX): string {
  const parts = given.filter(({ text }) => text !== '')
  const whole = parts.map(({ text }) => text).join(between)
  if (bytesOf(whole) <= max) return whole
  const kept = parts.filter(({ name }) => name === null)
  let left = max - NOTE_BYTES - kept.reduce((sum, { text }) => sum + bytesOf(text) + between.length, 0)
  const missing: string[] = []
  const shown = parts.flatMap(({ name, text }) => {
    if (name === null) return [text]
    const size = bytesOf(text) + between.length
    const isFitting = size <= left
    const piece = isFitting ? text : cutAtLine(text, left)
    if (!isFitting) missing.push(name)
    left -= piece === '' ? 0 : bytesOf(piece) + between.length
    return piece === '' ? [] : [piece]
  })
  const note = `_Cut for want of space: ${[...new Set(missing)].join(', ')}._`
  const last = shown.length - 1
  // Whoever reads only the end still finds what to do.
  const end = parts.at(-1)?.name === null ? [note, ...shown.slice(last)] : [...shown.slice(last), note]
  return cutAtLine([...shown.slice(0, last), ...end].join(between), max)
}

/** Whole lines, as many as there is room for, with what they opened closed again. Empty where none fits. */
export function cutAtLine(text: string, max: number): string {
  if (bytesOf(text) <= max) return text
  const cut = upToBytes(text, Math.max(0, max - NOTE_BYTES / 2))
  const lines = cut.slice(0, Math.max(0, cut.lastIndexOf('\n'))).split('\n')
  const shown = lines.join('\n').trimEnd()
  return shown === '' ? '' : [shown, ...closings(lines)].join('\n')
}

function closings(lines: readonly string[]): string[] {
  let fence: string | null = null
  let folds = 0
  for (const line of lines) {
    const [, ticks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== null) {
      if (ticks.startsWith(fence) && line.trim() === ticks) fence = null
    } else if (ticks !== '') fence = ticks
    else folds += (line.match(/<details\b/g)?.length ?? 0) - (line.match(/<\/details>/g)?.length ?? 0)
  }
  return [...(fence === null ? [] : [fence]), ...Array.from({ length: Math.max(0, folds) }, () => '\n</details>')]
}
