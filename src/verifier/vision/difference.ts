// What differs between two pictures of a page, for people: the page in grey, and in red each pixel that counts as another one.
import type { VisualExpectation } from '../../core/contract/task/expectations.ts'
import { DIFFERENCE_TOLERANCE } from './measure.ts'
import { eachDiffering, onPicture, wholeOf, type Pixels } from './pixels.ts'

const RED = [220, 0, 0]
/** As the eye weighs them; https://www.w3.org/TR/AERT/#color-contrast */
const [OF_RED, OF_GREEN, OF_BLUE] = [0.299, 0.587, 0.114]

/** By what compares the page; null where nothing differs. */
export function differenceDrawn(
  pixels: Pixels,
  before: Pixels,
  expectations: readonly VisualExpectation[],
): Pixels | null {
  const rgb = greyed(pixels)
  let differs = false
  for (const { region, tolerance = DIFFERENCE_TOLERANCE } of expectations) {
    const where = region === undefined ? wholeOf(pixels) : onPicture(pixels, region)
    if (where === null) continue
    eachDiffering(pixels, before, where, tolerance, (at) => {
      rgb.set(RED, at)
      differs = true
    })
  }
  return differs ? { ...pixels, rgb } : null
}

/** Pale, so that red stands out on a dark page too. */
function greyed({ rgb }: Pixels): Uint8Array {
  const grey = new Uint8Array(rgb.length)
  for (let at = 0; at < rgb.length; at += 3) {
    const light = (rgb[at] ?? 0) * OF_RED + (rgb[at + 1] ?? 0) * OF_GREEN + (rgb[at + 2] ?? 0) * OF_BLUE
    grey.fill(Math.round(255 - (255 - light) / 2), at, at + 3)
  }
  return grey
}
