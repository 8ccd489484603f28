// One expectation held against one picture: what was measured, what was wanted, and whether the one is the other. What cannot
// be measured is neither met nor missed.
import type { VisualExpectation } from '../../core/contract/task/expectations.ts'
import {
  differing,
  distance,
  dominantColour,
  onPicture,
  shareOf,
  wholeOf,
  type Pixels,
  type Region,
  type Rgb,
} from './pixels.ts'

export type Measured = {
  /** Null: it could not be held against anything. */
  readonly met: boolean | null
  readonly measured: string
  readonly expected: string
}

const COLOUR_TOLERANCE = 60
export const DIFFERENCE_TOLERANCE = 25
const SHARE = 0.01

/** `before`: what the base showed of this page last; null where nothing is kept of it. */
export function measure(expectation: VisualExpectation, pixels: Pixels, before: Pixels | null): Measured {
  const region = expectation.region === undefined ? wholeOf(pixels) : onPicture(pixels, expectation.region)
  if (region === null) {
    return { met: false, measured: `${sizeOf(pixels)}, which ends before it`, expected: regionWords(expectation) }
  }
  switch (expectation.kind) {
    case 'dominant_colour':
    case 'region':
      return colour(expectation, pixels, region)
    case 'contains_colour':
      return contains(expectation, pixels, region)
    case 'size':
      return size(expectation, pixels)
    case 'max_difference':
      return difference(expectation, pixels, region, before)
  }
}

function colour(
  { expected_rgb, tolerance = COLOUR_TOLERANCE, ...where }: VisualExpectation,
  pixels: Pixels,
  region: Region,
): Measured {
  const wanted = rgbOf(expected_rgb)
  const seen = dominantColour(pixels, region)
  const far = distance(seen, wanted)
  return {
    met: far <= tolerance,
    measured: `${rgbWords(seen)}, ${rounded(far)} away`,
    expected: `${rgbWords(wanted)}${whereWords(where)}, at most ${rounded(tolerance)} away`,
  }
}

function contains(
  { expected_rgb, tolerance = COLOUR_TOLERANCE, share = SHARE, ...where }: VisualExpectation,
  pixels: Pixels,
  region: Region,
): Measured {
  const wanted = rgbOf(expected_rgb)
  const seen = shareOf(pixels, region, wanted, tolerance)
  return {
    met: seen >= share,
    measured: `${percent(seen)} of the pixels`,
    expected: `at least ${percent(share)} ${rgbWords(wanted)}${whereWords(where)}`,
  }
}

function size({ expected_size, tolerance = 0 }: VisualExpectation, pixels: Pixels): Measured {
  const { width, height } = expected_size ?? pixels
  const off = Math.max(Math.abs(pixels.width - width), Math.abs(pixels.height - height))
  const leeway = tolerance === 0 ? '' : `, give or take ${rounded(tolerance)}`
  return { met: off <= tolerance, measured: sizeOf(pixels), expected: `${sizeOf({ width, height })}${leeway}` }
}

function difference(
  { tolerance = DIFFERENCE_TOLERANCE, share = SHARE, ...where }: VisualExpectation,
  pixels: Pixels,
  region: Region,
  before: Pixels | null,
): Measured {
  const expected = `at most ${percent(share)} of pixels that differ${whereWords(where)}`
  if (before === null) return { met: null, measured: 'nothing to compare it with', expected }
  const share_seen = differing(pixels, before, region, tolerance)
  const other = pixels.width !== before.width || pixels.height !== before.height
  const measured = other ? `${sizeOf(pixels)} instead of ${sizeOf(before)}` : `${percent(share_seen)} that differ`
  return { met: share_seen <= share, measured, expected }
}

/** The schema has seen to it that the kinds that need a colour have one. */
const rgbOf = (rgb: VisualExpectation['expected_rgb']): Rgb => rgb ?? [0, 0, 0]

const sizeOf = ({ width, height }: Pick<Pixels, 'width' | 'height'>): string => `${width} × ${height}`
const rgbWords = (rgb: Rgb): string => `rgb(${rgb.join(', ')})`
const rounded = (value: number): string => String(Math.round(value * 10) / 10)
const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`
const whereWords = (where: Pick<VisualExpectation, 'region'>): string =>
  where.region === undefined ? '' : ` in ${regionWords(where)}`
const regionWords = ({ region }: Pick<VisualExpectation, 'region'>): string =>
  region === undefined ? 'the page' : `${region.width} × ${region.height} at ${region.x}, ${region.y}`
