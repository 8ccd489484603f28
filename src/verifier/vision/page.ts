// The screenshots of a change: as they are fetched, and once they have been looked at.
import type { VisualExpectation } from '../../core/contract/task/expectations.ts'
import type { Screenshot } from '../../core/decision/results/results-file.ts'
import type { Measured } from './measure.ts'

export type PicturesWanted = {
  readonly head_sha: string
  readonly run: string
  readonly shots: readonly Screenshot[]
}
/** What runs of the Action handed over, as far as it is kept. */
export interface ScreenshotsKept {
  /** Those that are what the run named. */
  readonly fetch: (wanted: PicturesWanted) => Promise<Pictures>
  /** Heads that were merged into a branch not long ago, the newest first. */
  readonly mergedInto: (branch: string) => Promise<readonly string[]>
}
/** By their paths. `gone`: nothing of the run can be had any more, in words. */
export type Pictures =
  | { readonly kind: 'found'; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: 'gone'; readonly why: string }

export const isPng = ({ media_type }: Screenshot): boolean => media_type === 'image/png'

/** One screenshot, looked at. */
export type PageSeen = { readonly shot: Screenshot } & (
  | {
      readonly kind: 'seen'
      readonly width: number
      readonly height: number
      /** One for each expectation that is of this page, in their order. */
      readonly measured: readonly { readonly expectation: VisualExpectation; readonly measure: Measured }[]
      readonly png: Uint8Array
      /** Where its run drew what differs from the picture that it was measured against, as far as the run did. */
      readonly difference?: string
    }
  | { readonly kind: 'broken'; readonly why: string }
  /** Of a kind that nobody looks at here. */
  | { readonly kind: 'passed over' }
)
export type Pages =
  | { readonly kind: 'seen'; readonly pages: readonly PageSeen[] }
  | { readonly kind: 'gone'; readonly why: string }
