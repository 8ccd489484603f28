// PNGs as they come: every kind of pixel looks as it does on a white page, and what is no picture, or far more than it says, is
// refused in words before it costs anything.
import { deflateSync } from 'node:zlib'
import { encode } from 'fast-png'
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import { decodePng } from '../../src/adapters/picture/png.ts'
import { pictureJob } from '../../src/adapters/picture/look-at.ts'
import { blue, chunk, picture, red } from './pictures.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
type Made = { readonly width: number; readonly height: number; readonly depth: number; readonly type: number }

/** By the letter of the format, so that no encoder helps. */
function made({ width, height, depth, type }: Made, rows: Buffer, more: readonly Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, type, 0, 0, 0], 8)
  return Buffer.concat([signature, chunk('IHDR', head), ...more, chunk('IDAT', deflateSync(rows)), chunk('IEND', '')])
}
const rgbOf = (bytes: Buffer): number[] => {
  const read = decodePng(bytes)
  return read.kind === 'picture' ? [...read.pixels.rgb] : []
}

describe('each kind of pixel', () => {
  test.each<[string, Buffer, number[]]>([
    ['colours', picture(red, { width: 1, height: 1 }), [255, 0, 0]],
    [
      'half through, on white',
      Buffer.from(encode({ width: 1, height: 1, channels: 4, data: Uint8Array.of(0, 0, 0, 128) })),
      [127, 127, 127],
    ],
    [
      'gray',
      Buffer.from(encode({ width: 2, height: 1, channels: 1, data: Uint8Array.of(0, 200) })),
      [0, 0, 0, 200, 200, 200],
    ],
    [
      'gray that is through',
      Buffer.from(encode({ width: 1, height: 1, channels: 2, data: Uint8Array.of(0, 0) })),
      [255, 255, 255],
    ],
    [
      'sixteen bits',
      Buffer.from(encode({ width: 1, height: 1, channels: 3, depth: 16, data: Uint16Array.of(65_535, 0, 32_768) })),
      [255, 0, 128],
    ],
    [
      'one bit, eight to a byte',
      made({ width: 3, height: 2, depth: 1, type: 0 }, Buffer.from([0, 0b1010_0000, 0, 0b0100_0000])),
      [255, 0, 255, 0, 255, 0].flatMap((one) => [one, one, one]),
    ],
    [
      'four bits',
      made({ width: 2, height: 1, depth: 4, type: 0 }, Buffer.from([0, 0xf8])),
      [255, 255, 255, 136, 136, 136],
    ],
    [
      'a palette',
      made({ width: 2, height: 1, depth: 8, type: 3 }, Buffer.from([0, 1, 0]), [
        chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6])),
      ]),
      [4, 5, 6, 1, 2, 3],
    ],
    [
      'a palette that is through in places',
      made({ width: 2, height: 1, depth: 8, type: 3 }, Buffer.from([0, 0, 1]), [
        chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6])),
        chunk('tRNS', Buffer.from([0])),
      ]),
      [255, 255, 255, 4, 5, 6],
    ],
    [
      'one colour that is through',
      made({ width: 3, height: 1, depth: 8, type: 2 }, Buffer.from([0, 9, 9, 9, 8, 8, 8, 9, 9, 8]), [
        chunk('tRNS', Buffer.from([0, 9, 0, 9, 0, 9])),
      ]),
      [255, 255, 255, 8, 8, 8, 9, 9, 8],
    ],
  ])('%s', (_, bytes, rgb) => {
    expect(rgbOf(bytes)).toEqual(rgb)
  })
})

describe('what is refused', () => {
  const good = picture(blue)
  const huge = made({ width: 4, height: 4, depth: 8, type: 2 }, Buffer.alloc(200 * 1024 * 1024))
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'it cannot be read as a PNG'],
    ['text', Buffer.from('not a picture'), 'it cannot be read as a PNG'],
    ['a beginning', good.subarray(0, good.length - 20), 'it cannot be read as a PNG'],
    [
      'a picture with a wrong sum',
      Buffer.concat([good.subarray(0, 40), Buffer.from([7]), good.subarray(41)]),
      'it cannot be read as a PNG',
    ],
    [
      'what says that it is longer than it is',
      Buffer.concat([signature, Buffer.from('ffffffff49484452', 'hex')]),
      'it cannot be read as a PNG',
    ],
    ['what unpacks to more than a picture of its size', huge, 'it cannot be read as a PNG'],
    [
      'what is wider than anything',
      made({ width: 4_000_000_000, height: 1, depth: 8, type: 2 }, Buffer.alloc(1)),
      'it is 4000000000 × 1 pixels; 2000 a side are the most',
    ],
    ['what is too large', Buffer.alloc(5 * 1024 * 1024 + 1), 'it has 5.1 MB; 5 MB are the most'],
  ])('%s', async (_, bytes, why) => {
    expect(await costMs(() => expect(decodePng(bytes)).toEqual({ kind: 'broken', why }))).toBeLessThan(2_000)
  })
})

test('words beside the picture, and pictures beside it, are left behind', () => {
  const bytes = picture(red)
  const at = bytes.indexOf('IDAT') - 4
  const more = [chunk('tEXt', 'Comment\0pass'), chunk('iCCP', Buffer.from('x\0\0junk')), chunk('fdAT', 'frame')]
  const spoken = Buffer.concat([bytes.subarray(0, at), ...more, bytes.subarray(at), Buffer.from('behind the end')])
  const read = decodePng(spoken)
  expect(read.kind === 'picture' && Buffer.from(read.png).equals(bytes)).toBe(true)
})

test('what the base showed and cannot be read is nothing to compare with', async () => {
  const expectations = [{ kind: 'max_difference', description: 'the same', severity: 'HIGH' }] as const
  const seen = await pictureJob.run({ png: picture(red), before: Buffer.from('x'), expectations })
  expect(seen).toMatchObject({ kind: 'seen', measured: [{ met: null }] })
})
