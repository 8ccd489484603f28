// Pictures as a browser would take them: plain pages of one colour, with a stripe where a test wants one.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { encode } from 'fast-png'
import type { Screenshot } from '../../src/core/decision/results/results-file.ts'

type Rgb = readonly [number, number, number]
export const red: Rgb = [255, 0, 0]
export const blue: Rgb = [0, 0, 255]
export const white: Rgb = [255, 255, 255]

export type Drawn = {
  readonly width?: number
  readonly height?: number
  /** So many of the lowest rows have another colour. */
  readonly stripe?: { readonly colour: Rgb; readonly rows: number }
}

export function picture(colour: Rgb, { width = 40, height = 30, stripe }: Drawn = {}): Buffer {
  const data = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const isBelow = stripe !== undefined && Math.floor(pixel / width) >= height - stripe.rows
    data.set(isBelow ? stripe.colour : colour, pixel * 3)
  }
  return Buffer.from(encode({ width, height, data, channels: 3 }))
}

/** As a run names it, beside the file itself. */
export function shotOf(
  page: string,
  bytes: Buffer,
  more: Partial<Screenshot> = {},
): { readonly named: Screenshot; readonly entry: { readonly name: string; readonly content: Buffer } } {
  const path = `screenshots/001-${page}.png`
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const named = { page, path, bytes: bytes.length, sha256, media_type: 'image/png', ...more }
  return { named, entry: { name: named.path, content: bytes } }
}

/** A part of a PNG, as its format has them. */
export function chunk(type: string, content: string | Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(content)])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length - 4, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
