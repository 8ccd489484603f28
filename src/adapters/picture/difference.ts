// What differs between two pictures that somebody handed over, as a picture.
import { encode } from 'fast-png'
import type { VisualExpectation } from '../../core/contract/task/expectations.ts'
import { differenceDrawn } from '../../verifier/vision/difference.ts'
import { decodePng } from './png.ts'

/** Null where nothing differs, or one of them cannot be read. */
export function differencePng(
  now: Uint8Array,
  before: Uint8Array,
  expectations: readonly VisualExpectation[],
): Uint8Array | null {
  const [one, other] = [decodePng(now), decodePng(before)]
  if (one.kind === 'broken' || other.kind === 'broken') return null
  const drawn = differenceDrawn(one.pixels, other.pixels, expectations)
  if (drawn === null) return null
  const { width, height, rgb } = drawn
  return encode({ width, height, data: rgb, channels: 3, depth: 8 })
}
