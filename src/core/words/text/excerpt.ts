// Long text cut to a limit, with nothing hidden in what remains. Each cut leaves a mark in the text and says so.
import { visible, withoutSteering } from '../../visible.ts'

export type Excerpt = { readonly text: string; readonly isCut: boolean }

const LINE_LENGTH_MAX = 400

/** The lines of a program's output, without what steers a terminal and blank lines at the end. */
export function linesOf(text: string): string[] {
  const lines = withoutSteering(text)
    .split(/\r\n|\n|\r/)
    .map((line) => visible(line).trimEnd())
  const end = lines.findLastIndex((line) => line !== '')
  return lines.slice(0, end + 1)
}

/** Lines begin with their sign, so only what ends a line there ends one here. */
export const linesOfDiff = (text: string): string[] =>
  text === '' ? [] : text.split('\n').map((line) => visible(line.replace(/\r$/, '')))

/** The end of it, which is where a failing program says why. */
export function lastLines(lines: readonly string[], max: number): Excerpt {
  const kept = max === 0 ? [] : lines.slice(-max)
  return marked(kept, lines.length - kept.length, (mark, shown) => [mark, ...shown])
}

/** `omitted` were left out before. */
export function firstLines(lines: readonly string[], max: number, omitted = 0): Excerpt {
  const kept = lines.slice(0, max)
  return marked(kept, omitted + lines.length - kept.length, (mark, shown) => [...shown, mark])
}

function marked(
  kept: readonly string[],
  omitted: number,
  withMark: (mark: string, shown: readonly string[]) => readonly string[],
): Excerpt {
  const shown = kept.map((line) => firstCharacters(line, LINE_LENGTH_MAX))
  const texts = shown.map(({ text }) => text)
  const all = omitted > 0 ? withMark(`[... ${omitted} lines omitted]`, texts) : texts
  return { text: all.join('\n'), isCut: omitted > 0 || shown.some(({ isCut }) => isCut) }
}

export function firstCharacters(text: string, max: number): Excerpt {
  const shown = visible(text.slice(0, max).replaceAll('\r\n', '\n'))
  const omitted = Math.max(0, text.length - max)
  return omitted === 0
    ? { text: shown, isCut: false }
    : { text: `${shown} [... ${omitted} characters omitted]`, isCut: true }
}

/** The first of a list, and a last entry that counts the others. */
export function firstOf(texts: readonly string[], max: number): { readonly list: string[]; readonly isCut: boolean } {
  if (texts.length <= max) return { list: [...texts], isCut: false }
  return { list: [...texts.slice(0, max), `[... ${texts.length - max} more]`], isCut: true }
}
