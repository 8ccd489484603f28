// How far apart two words are, for answers such as "did you mean".

/** Letters to insert, delete, replace or swap with their neighbour to turn one word into the other. */
export function editDistance(one: string, other: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      const replaced = at(last, column - 1) + (same ? 0 : 1)
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swap = swapped ? at(beforeLast, column - 2) + 1 : Infinity
      current.push(Math.min(replaced, swap, at(last, column) + 1, at(current, column - 1) + 1))
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity

/** The nearest of the words, the first of several equally near ones, or null when all are too far away. */
export function nearest(word: string, words: readonly string[], maxDistance: number): string | null {
  let best: string | null = null
  let bestDistance = maxDistance + 1
  for (const candidate of words) {
    // The lengths alone rule most words out, which also bounds the work for a word of any length.
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(word, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}
