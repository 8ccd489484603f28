// Patterns that come from policies, on an engine whose time grows with the text and the pattern and nothing else. A counted
// repetition is written out before it runs, so what counts is how long a pattern becomes, not how long it is.
import { RE2JS } from 're2js'

export const PATTERN_SIGNS_MAX = 500

/** Null for one that does not compile, or becomes longer than that. */
export function compiled(pattern: string): RE2JS | null {
  // Quoted signs would be counted for what they are not.
  if (pattern.includes(String.raw`\Q`) || signsOf(pattern) > PATTERN_SIGNS_MAX) return null
  try {
    return RE2JS.compile(pattern)
  } catch {
    return null
  }
}

const atoms = /\\p\{\w*\}|\\.|\[\^?\]?[^\]]*\]|\{(\d{1,9})(?:(,)(\d{0,9}))?\}|[^]/gu

/** Characters, classes and groups, each as often as it is repeated. */
export function signsOf(pattern: string): number {
  const groups = [0]
  let last = 0
  const add = (signs: number): void => {
    last = signs
    groups.push((groups.pop() ?? 0) + signs)
  }
  for (const [atom, least, comma, most] of pattern.matchAll(atoms)) {
    if (atom === '(') groups.push(1)
    else if (atom === ')' && groups.length > 1) add(groups.pop() ?? 0)
    else if (least === undefined) add(1)
    else {
      const times = Math.max(Number(least) + (comma === undefined ? 0 : 1), Number(most ?? 0), 1)
      add(last * (times - 1))
    }
  }
  return groups.reduce((sum, signs) => sum + signs, 0)
}
