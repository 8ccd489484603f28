// How near one text is to another: the words that both use, each as often as it stands there, as the angle between the two
// lists. It knows no meaning, so it can only ask people to look; it moves no verdict.

/** From 0, no word in common, to 1, the same words equally often. */
export function similarity(one: string, other: string): number {
  const [first, second] = [termsOf(one), termsOf(other)]
  const shared = [...first].reduce((sum, [term, times]) => sum + times * (second.get(term) ?? 0), 0)
  const lengths = lengthOf(first) * lengthOf(second)
  return lengths === 0 ? 0 : shared / lengths
}

const TERM_LENGTH_MIN = 3

function termsOf(text: string): ReadonlyMap<string, number> {
  const terms = new Map<string, number>()
  for (const [term] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    if (term.length >= TERM_LENGTH_MIN) terms.set(term, (terms.get(term) ?? 0) + 1)
  return terms
}

const lengthOf = (terms: ReadonlyMap<string, number>): number => Math.hypot(...terms.values())
