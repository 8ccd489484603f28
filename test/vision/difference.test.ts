// The picture of a difference: red is each pixel that was counted as another one, by whatever compares the page.
import { decode } from 'fast-png'
import { expect, test } from 'vitest'
import { drawn } from '../../action/differences.ts'
import { BYTES_MAX } from '../../action/screenshots.ts'
import { differencePng } from '../../src/adapters/picture/difference.ts'
import type { VisualExpectation } from '../../src/core/contract/task/expectations.ts'
import { blue, picture, red, white, type Drawn } from './pictures.ts'

const comparing = (more: Partial<VisualExpectation> = {}): VisualExpectation => ({
  kind: 'max_difference',
  description: 'as it was',
  severity: 'HIGH',
  ...more,
})
const small = (colour: typeof red, more: Drawn = {}) => picture(colour, { width: 4, height: 4, ...more })

/** Row by row: red, pale or dark. */
function shown(now: Buffer, before: Buffer, expectations: readonly VisualExpectation[]): string | null {
  const png = differencePng(now, before, expectations)
  if (png === null) return null
  const { width, data } = decode(png)
  const signs = Array.from({ length: data.length / 3 }, (_, nth) => {
    const [r = 0, g = 0, b = 0] = data.slice(nth * 3, nth * 3 + 3)
    return r === 220 && g === 0 && b === 0 ? 'R' : r !== g || g !== b ? '?' : r > 250 ? '.' : 'o'
  })
  return (
    signs
      .join('')
      .match(new RegExp(`.{${width}}`, 'g'))
      ?.join(' ') ?? ''
  )
}

test.each<[string, Buffer, Buffer, VisualExpectation[], string | null]>([
  [
    'what is the same is grey',
    small(white),
    small(white, { stripe: { colour: red, rows: 1 } }),
    [comparing()],
    '.... .... .... RRRR',
  ],
  [
    'a colour is grey, too, and darker',
    small(blue),
    small(blue, { stripe: { colour: red, rows: 1 } }),
    [comparing()],
    'oooo oooo oooo RRRR',
  ],
  ['nothing differs', small(blue), small(blue), [comparing()], null],
  ['nothing that is asked for differs', small(white), small(red), [], null],
  ['a shade is no difference', small([255, 255, 255]), small([250, 250, 250]), [comparing()], null],
  [
    'unless it is to be one',
    small([255, 255, 255]),
    small([250, 250, 250]),
    [comparing({ tolerance: 1 })],
    'RRRR RRRR RRRR RRRR',
  ],
  [
    'a part of the page',
    small(white),
    small(red),
    [comparing({ region: { x: 1, y: 1, width: 2, height: 9 } })],
    '.... .RR. .RR. .RR.',
  ],
  [
    'two parts of it',
    small(white),
    small(red),
    [
      comparing({ region: { x: 0, y: 0, width: 1, height: 1 } }),
      comparing({ region: { x: 3, y: 3, width: 1, height: 1 } }),
    ],
    'R... .... .... ...R',
  ],
  ['a page that grew', small(white), small(white, { width: 3, height: 2 }), [comparing()], '...R ...R RRRR RRRR'],
  ['a page that shrank', small(white), small(white, { width: 9, height: 9 }), [comparing()], null],
  ['no picture', Buffer.from('no picture'), small(red), [comparing()], null],
])('%s', (_, now, before, expectations, seen) => {
  expect(shown(now, before, expectations)).toBe(seen)
})

const shot = (page: string, bytes: Buffer) => ({ name: `screenshots/${page}.png`, page, bytes })

test('what a page is called becomes a name that an artifact may hold, and no two are one', () => {
  const images = ['phone/checkout', 'a b', 'a-b', 'v1.2', 'ä'].map((page) => shot(page, small(white)))
  const before = new Map(images.map(({ page }) => [page, small(red)]))
  const { screenshots, leftOut } = drawn(images, images, before, { expectations: [comparing()], isLate: () => false })
  expect([leftOut, screenshots.map(({ difference }) => difference?.name)]).toEqual([
    0,
    [
      'difference/phone/checkout.png',
      'difference/a-b.png',
      'difference/a-b-2.png',
      'difference/v1-2.png',
      'difference/-.png',
    ],
  ])
})

test('of what does not fit beside the screenshots, as much is drawn as does', () => {
  const large = picture(white, { width: 400, height: 400 })
  const shots = [shot('cart', large), shot('checkout', small(white))]
  const room = 200
  const full = shot('full', Buffer.alloc(BYTES_MAX - room - shots.reduce((sum, { bytes }) => sum + bytes.length, 0)))
  const before = new Map([
    ['cart', picture(red, { width: 400, height: 400 })],
    ['checkout', small(red)],
  ])
  const images = [full, ...shots]
  const { screenshots, leftOut } = drawn(images, images, before, { expectations: [comparing()], isLate: () => false })
  const names = screenshots.flatMap(({ difference }) => difference?.name ?? [])
  expect([leftOut, names]).toEqual([1, ['difference/checkout.png']])
})

test('what there is no time for is left out', () => {
  let asked = 0
  const images = ['cart', 'checkout'].map((page) => shot(page, small(white)))
  const before = new Map(images.map(({ page }) => [page, small(red)]))
  const isLate = () => (asked += 1) > 1
  const { screenshots, leftOut } = drawn(images, images, before, { expectations: [comparing()], isLate })
  expect([leftOut, screenshots.flatMap(({ difference }) => difference?.name ?? [])]).toEqual([
    1,
    ['difference/cart.png'],
  ])
})
