// What a stage of a review came to.
export type StageResult = {
  readonly stage: string
  /** `SKIP`: it does not apply. */
  readonly verdict: 'PASS' | 'FAIL' | 'SKIP'
  readonly by: readonly string[]
  readonly reason: string
}
