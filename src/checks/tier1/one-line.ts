// A stranger's path or message within one of our sentences: one line, nothing invisible, not too long.
import { visible } from '../../core/visible.ts'

const LENGTH_MAX = 300

export function oneLine(text: string): string {
  // A huge text is cut before anything looks at all of it.
  const line = visible(text.slice(0, 2 * LENGTH_MAX))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= LENGTH_MAX ? line : `${line.slice(0, LENGTH_MAX - 1)}…`
}

/** `a, b and 3 more`. */
export function someOf(texts: readonly string[], max: number): string {
  const shown = texts.slice(0, max).map(oneLine).join(', ')
  return texts.length <= max ? shown : `${shown} and ${texts.length - max} more`
}
