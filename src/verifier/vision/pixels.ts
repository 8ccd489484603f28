// What can be measured of a picture, without anybody's opinion: colours, sizes, and how much of it differs from another. The
// same pixels give the same numbers everywhere.

export type Rgb = readonly [red: number, green: number, blue: number]
/** Red, green, blue of each pixel, row by row, as it stands on white. */
export type Pixels = { readonly width: number; readonly height: number; readonly rgb: Uint8Array }
export type Region = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Channels are rounded to so many levels before pixels are counted, so that shades of one colour are one. */
const LEVELS = 16
const STEP = 256 / LEVELS

const squared = (red: number, green: number, blue: number): number => red * red + green * green + blue * blue

/** From 0 to 442. */
export const distance = (one: Rgb, other: Rgb): number =>
  Math.sqrt(squared(one[0] - other[0], one[1] - other[1], one[2] - other[2]))

export const wholeOf = ({ width, height }: Pick<Pixels, 'width' | 'height'>): Region => ({ x: 0, y: 0, width, height })

/** The part of a region that lies on the picture; null where none does. */
export function onPicture({ width, height }: Pick<Pixels, 'width' | 'height'>, region: Region): Region | null {
  const right = Math.min(width, region.x + region.width)
  const lower = Math.min(height, region.y + region.height)
  if (region.x >= right || region.y >= lower) return null
  return { x: region.x, y: region.y, width: right - region.x, height: lower - region.y }
}

/** The mean of the pixels that are rounded to the most frequent colour; of equals the darkest. */
export function dominantColour(pixels: Pixels, region: Region): Rgb {
  const counts = new Uint32Array(LEVELS ** 3)
  each(pixels, region, (red, green, blue) => {
    const key = keyOf(red, green, blue)
    counts[key] = (counts[key] ?? 0) + 1
  })
  const most = counts.indexOf(Math.max(...counts))
  const sum = [0, 0, 0]
  each(pixels, region, (red, green, blue) => {
    if (keyOf(red, green, blue) !== most) return
    sum[0] = (sum[0] ?? 0) + red
    sum[1] = (sum[1] ?? 0) + green
    sum[2] = (sum[2] ?? 0) + blue
  })
  const count = counts[most] ?? 1
  const [red = 0, green = 0, blue = 0] = sum.map((one) => Math.round(one / count))
  return [red, green, blue]
}

const keyOf = (red: number, green: number, blue: number): number =>
  (Math.floor(red / STEP) * LEVELS + Math.floor(green / STEP)) * LEVELS + Math.floor(blue / STEP)

/** The share of pixels that are no farther from a colour than this. */
export function shareOf(pixels: Pixels, region: Region, colour: Rgb, tolerance: number): number {
  let near = 0
  const [r, g, b] = colour
  each(pixels, region, (red, green, blue) => {
    if (squared(red - r, green - g, blue - b) <= tolerance ** 2) near += 1
  })
  return near / (region.width * region.height)
}

/** The share of pixels that differ by more than this from another picture; all of them where it has another size. */
export function differing(pixels: Pixels, other: Pixels, region: Region, tolerance: number): number {
  if (pixels.width !== other.width || pixels.height !== other.height) return 1
  let different = 0
  eachDiffering(pixels, other, region, tolerance, () => void (different += 1))
  return different / (region.width * region.height)
}

/** Where a pixel differs by more than this from the one in its place, or has none there. */
export function eachDiffering(
  pixels: Pixels,
  { width, height, rgb }: Pixels,
  region: Region,
  tolerance: number,
  see: (at: number) => void,
): void {
  each(pixels, region, (red, green, blue, at, row, column) => {
    const there = (row * width + column) * 3
    const [r = 0, g = 0, b = 0] = [rgb[there], rgb[there + 1], rgb[there + 2]]
    const isBeyond = row >= height || column >= width
    if (isBeyond || squared(red - r, green - g, blue - b) > tolerance ** 2) see(at)
  })
}

type See = (red: number, green: number, blue: number, at: number, row: number, column: number) => void

function each({ width, rgb }: Pixels, { x, y, width: wide, height: high }: Region, see: See): void {
  for (let row = y; row < y + high; row += 1)
    for (let column = x; column < x + wide; column += 1) {
      const at = (row * width + column) * 3
      see(rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0, at, row, column)
    }
}
