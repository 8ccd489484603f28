// What is measured of a picture, and what that means for what is expected: a table of pictures and expectations.
import { describe, expect, test } from 'vitest'
import type { VisualExpectation } from '../../src/core/contract/task/expectations.ts'
import { measure } from '../../src/verifier/vision/measure.ts'
import { dominantColour, wholeOf, type Pixels, type Rgb } from '../../src/verifier/vision/pixels.ts'

const [red, blue]: readonly [Rgb, Rgb] = [
  [255, 0, 0],
  [0, 0, 255],
]
/** Row by row, a colour for each pixel. */
function drawn(width: number, colours: readonly Rgb[]): Pixels {
  return { width, height: colours.length / width, rgb: Uint8Array.from(colours.flat()) }
}
const plain = (colour: Rgb, width = 4, height = 3): Pixels => drawn(width, Array<Rgb>(width * height).fill(colour))
/** Blue above, red below. */
const halves = drawn(4, [...Array<Rgb>(8).fill(blue), ...Array<Rgb>(8).fill(red)])

const expecting = (more: Partial<VisualExpectation> & Pick<VisualExpectation, 'kind'>): VisualExpectation => ({
  description: 'as it should be',
  severity: 'HIGH',
  ...more,
})

describe('one expectation of one picture', () => {
  test.each<[string, Pixels, Partial<VisualExpectation> & Pick<VisualExpectation, 'kind'>, boolean | null, string]>([
    [
      'the colour itself',
      plain(blue),
      { kind: 'dominant_colour', expected_rgb: [0, 0, 255] },
      true,
      'rgb(0, 0, 255), 0 away',
    ],
    [
      'another colour',
      plain(red),
      { kind: 'dominant_colour', expected_rgb: [0, 0, 255] },
      false,
      'rgb(255, 0, 0), 360.6 away',
    ],
    [
      'as far as it may be',
      plain([3, 4, 0]),
      { kind: 'dominant_colour', expected_rgb: [0, 0, 0], tolerance: 5 },
      true,
      '5 away',
    ],
    [
      'farther than it may be',
      plain([3, 4, 1]),
      { kind: 'dominant_colour', expected_rgb: [0, 0, 0], tolerance: 5 },
      false,
      '5.1 away',
    ],
    [
      'sixty, where nothing is said',
      plain([60, 0, 0]),
      { kind: 'dominant_colour', expected_rgb: [0, 0, 0] },
      true,
      '60 away',
    ],
    [
      'sixty-one, where nothing is said',
      plain([61, 0, 0]),
      { kind: 'dominant_colour', expected_rgb: [0, 0, 0] },
      false,
      '61 away',
    ],
    [
      'a part of it',
      halves,
      { kind: 'region', expected_rgb: [255, 0, 0], region: { x: 0, y: 2, width: 4, height: 2 } },
      true,
      'rgb(255, 0, 0)',
    ],
    [
      'another part of it',
      halves,
      { kind: 'region', expected_rgb: [255, 0, 0], region: { x: 0, y: 0, width: 4, height: 2 } },
      false,
      'rgb(0, 0, 255)',
    ],
    [
      'a part that hangs over',
      halves,
      { kind: 'region', expected_rgb: [255, 0, 0], region: { x: 3, y: 3, width: 9, height: 9 } },
      true,
      'rgb(255, 0, 0)',
    ],
    [
      'a part beyond it',
      halves,
      { kind: 'region', expected_rgb: [255, 0, 0], region: { x: 4, y: 0, width: 1, height: 1 } },
      false,
      '4 × 4, which ends before it',
    ],
    [
      'half of it',
      halves,
      { kind: 'contains_colour', expected_rgb: [255, 0, 0], share: 0.5 },
      true,
      '50 % of the pixels',
    ],
    [
      'less than is wanted',
      halves,
      { kind: 'contains_colour', expected_rgb: [255, 0, 0], share: 0.51 },
      false,
      '50 % of the pixels',
    ],
    ['none of it', plain(blue), { kind: 'contains_colour', expected_rgb: [255, 0, 0] }, false, '0 % of the pixels'],
    [
      'some of it there',
      halves,
      { kind: 'contains_colour', expected_rgb: [255, 0, 0], region: { x: 0, y: 1, width: 4, height: 2 }, share: 0.5 },
      true,
      '50 %',
    ],
    ['its size', plain(red, 4, 3), { kind: 'size', expected_size: { width: 4, height: 3 } }, true, '4 × 3'],
    ['another height', plain(red, 4, 3), { kind: 'size', expected_size: { width: 4, height: 4 } }, false, '4 × 3'],
    [
      'another height within leeway',
      plain(red, 4, 3),
      { kind: 'size', expected_size: { width: 4, height: 4 }, tolerance: 1 },
      true,
      '4 × 3',
    ],
    ['nothing to compare it with', plain(red), { kind: 'max_difference' }, null, 'nothing to compare it with'],
  ])('%s', (_, pixels, wanted, met, words) => {
    const seen = measure(expecting(wanted), pixels, null)
    expect(seen.met).toBe(met)
    expect(seen.measured).toContain(words)
  })
})

describe('what the base showed last', () => {
  const differs = (before: Pixels, more: Partial<VisualExpectation> = {}) =>
    measure(expecting({ kind: 'max_difference', ...more }), halves, before)

  test.each<[string, Pixels, Partial<VisualExpectation>, boolean, string]>([
    ['the same', halves, {}, true, '0 % that differ'],
    ['another half', plain(blue, 4, 4), {}, false, '50 % that differ'],
    ['as much as may be', plain(blue, 4, 4), { share: 0.5 }, true, '50 % that differ'],
    ['somewhere else', plain(blue, 4, 4), { region: { x: 0, y: 0, width: 4, height: 2 } }, true, '0 % that differ'],
    ['another size', plain(blue, 4, 3), { share: 0.99 }, false, '4 × 4 instead of 4 × 3'],
  ])('%s', (_, before, more, met, words) => {
    expect(differs(before, more)).toMatchObject({ met, measured: words })
  })

  test('a shade is no difference, unless it is to be one', () => {
    const shade = plain([10, 0, 0])
    const at = (tolerance?: number) =>
      measure(
        expecting({ kind: 'max_difference', ...(tolerance === undefined ? {} : { tolerance }) }),
        plain([0, 0, 0]),
        shade,
      )
    expect([at().met, at(10).met, at(9).met]).toEqual([true, true, false])
  })
})

test('shades of one colour are one colour, of which the mean is told', () => {
  const shades = drawn(5, [
    [16, 0, 0],
    [17, 0, 0],
    [18, 0, 0],
    [240, 0, 0],
    [255, 255, 255],
  ])
  expect(dominantColour(shades, wholeOf(shades))).toEqual([17, 0, 0])
})
