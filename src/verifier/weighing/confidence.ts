// How sure a verdict may be: the least of its parts, rounded down. The model's own word is a cap and never a source.

export type ConfidenceParts = {
  /** Of a single vote; several have their share of votes instead, which is no confidence. */
  readonly agreement?: number
  /** Of several: the mean of what each of them is worth by itself. */
  readonly readings?: number
  readonly evidence: number
  readonly coverage: number
  readonly calibration: number
  /** Null where an answer states none, which leaves no confidence at all. */
  readonly stated: number | null
}

export const SINGLE_VOTE_AGREEMENT = 0.9

export function confidenceOf({ stated, ...parts }: ConfidenceParts): number | null {
  if (stated === null) return null
  return roundedDown(Math.min(stated, ...Object.values(parts)))
}

/** To hundredths, without taking one from what is exact but for its last bit. */
export const roundedDown = (share: number): number => Math.floor(share * 100 + 1e-9) / 100

/** The least of what several answers state; null where one of them states nothing. */
export const leastStated = (said: readonly (number | null)[]): number | null =>
  said.includes(null) ? null : Math.min(1, ...said.flatMap((one) => one ?? []))

export const evidenceShare = ({ verified, given }: { readonly verified: number; readonly given: number }): number =>
  given === 0 ? 1 : verified / given
