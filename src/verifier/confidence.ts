// How sure a verdict may be: the least of its parts, rounded down. The model's own word is a cap and never a source.

export type ConfidenceParts = {
  readonly agreement: number
  readonly evidence: number
  readonly coverage: number
  readonly calibration: number
  /** Null where an answer states none, which leaves no confidence at all. */
  readonly stated: number | null
}

export const SINGLE_VOTE_AGREEMENT = 0.9

export function confidenceOf({ stated, ...parts }: ConfidenceParts): number | null {
  if (stated === null) return null
  const least = Math.min(stated, ...Object.values(parts))
  // Rounding down must not take a hundredth from what is exact but for its last bit.
  return Math.floor(least * 100 + 1e-9) / 100
}

export const evidenceShare = ({ verified, given }: { readonly verified: number; readonly given: number }): number =>
  given === 0 ? 1 : verified / given
