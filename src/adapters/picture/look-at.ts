// What is seen on one picture: measured in a thread, since a decoder may take long over what others wrote.
import type { VisualExpectation } from '../../core/contract/task/expectations.ts'
import type { Job } from '../../core/jobs.ts'
import { measure, type Measured } from '../../verifier/vision/measure.ts'

export type PictureQuestion = {
  readonly png: Uint8Array
  /** What the base showed last, where that is asked for and kept. */
  readonly before: Uint8Array | null
  readonly expectations: readonly VisualExpectation[]
}
export type PictureSeen =
  | {
      readonly kind: 'seen'
      readonly width: number
      readonly height: number
      /** In the order of the expectations. */
      readonly measured: readonly Measured[]
      /** The picture and nothing else, for a model. */
      readonly png: Uint8Array
    }
  | { readonly kind: 'broken'; readonly why: string }

export const pictureJob: Job<PictureQuestion, PictureSeen> = {
  run: async ({ png, before, expectations }) => {
    // Only the threads that look at pictures ever hold what decodes them.
    const { decodePng } = await import('./png.ts')
    const now = decodePng(png)
    if (now.kind === 'broken') return now
    const then = before === null ? null : decodePng(before)
    const pixels = then?.kind === 'picture' ? then.pixels : null
    const measured = expectations.map((one) => measure(one, now.pixels, pixels))
    const { width, height } = now.pixels
    return { kind: 'seen', width, height, measured, png: now.png }
  },
  // A small file may hold a large picture.
  work: () => Infinity,
}
