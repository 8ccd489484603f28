// A PNG that somebody handed over, as pixels. Of the file only what makes the picture is taken: everything beside it, and
// whatever would unpack to more than the picture has, is left behind before a decoder sees it.
import { inflateSync } from 'node:zlib'
import { convertIndexedToRgb, decode, type DecodedPng } from 'fast-png'
import type { Pixels } from '../../verifier/vision/pixels.ts'

export const PICTURE_BYTES_MAX = 5 * 1024 * 1024
export const PICTURE_SIDE_MAX = 2_000

/** `png`: the same picture and nothing else. */
export type Decoded =
  | { readonly kind: 'picture'; readonly pixels: Pixels; readonly png: Uint8Array }
  | { readonly kind: 'broken'; readonly why: string }

const broken = (why: string): Decoded => ({ kind: 'broken', why })
const unreadable = broken('it cannot be read as a PNG')

export function decodePng(bytes: Uint8Array): Decoded {
  if (bytes.length > PICTURE_BYTES_MAX) return broken(`it has ${inMb(bytes.length)}; 5 MB are the most`)
  const parts = partsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (parts === null) return unreadable
  const { width, height } = parts
  if (width > PICTURE_SIDE_MAX || height > PICTURE_SIDE_MAX)
    return broken(`it is ${width} × ${height} pixels; ${PICTURE_SIDE_MAX} a side are the most`)
  try {
    // A row of 16 bits in four channels, and a filter for each row of each of the seven passes of an interlaced picture.
    inflateSync(parts.data, { maxOutputLength: height * (width * 8 + 1) + 7 * (height + 8) })
    return { kind: 'picture', pixels: onWhite(decode(parts.png, { checkCrc: true })), png: parts.png }
  } catch {
    return unreadable
  }
}

const inMb = (bytes: number): string => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MB`

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** What a picture is made of; https://www.w3.org/TR/png-3/#5ChunkOrdering */
const kept = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
const FRAME = 12

type Parts = { readonly width: number; readonly height: number; readonly data: Buffer; readonly png: Uint8Array }

function partsOf(file: Buffer): Parts | null {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  const chunks: { readonly type: string; readonly whole: Buffer; readonly body: Buffer }[] = []
  for (let at = SIGNATURE.length; at + FRAME <= file.length && chunks.at(-1)?.type !== 'IEND';) {
    const length = file.readUInt32BE(at)
    if (at + FRAME + length > file.length) return null
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({
      type,
      whole: file.subarray(at, at + FRAME + length),
      body: file.subarray(at + 8, at + 8 + length),
    })
    at += FRAME + length
  }
  const [head] = chunks
  if (head?.type !== 'IHDR' || head.body.length !== 13 || chunks.at(-1)?.type !== 'IEND') return null
  const some = chunks.filter(({ type }) => kept.includes(type))
  return {
    width: head.body.readUInt32BE(0),
    height: head.body.readUInt32BE(4),
    data: Buffer.concat(some.flatMap(({ type, body }) => (type === 'IDAT' ? [body] : []))),
    png: Buffer.concat([SIGNATURE, ...some.map(({ whole }) => whole)]),
  }
}

type Samples = { readonly values: Uint8Array; readonly channels: number }

/** As it looks on a white page, in eight bits a channel. */
function onWhite(image: DecodedPng): Pixels {
  const { width, height, palette, transparency } = image
  const { values, channels } = samplesOf(image)
  const hasAlpha = channels === 2 || channels === 4
  const colours = channels - (hasAlpha ? 1 : 0)
  const through =
    palette === undefined && transparency !== undefined
      ? Array.from(transparency, (one) => scaled(one, image.depth))
      : null
  const rgb = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * channels
    const alpha = hasAlpha
      ? (values[at + colours] ?? 255)
      : through?.every((one, index) => values[at + index] === one)
        ? 0
        : 255
    for (let channel = 0; channel < 3; channel += 1) {
      const value = values[at + (colours === 1 ? 0 : channel)] ?? 0
      rgb[pixel * 3 + channel] = alpha === 255 ? value : Math.round((value * alpha) / 255 + 255 - alpha)
    }
  }
  return { width, height, rgb }
}

function samplesOf(image: DecodedPng): Samples {
  const { data, depth, channels, palette } = image
  if (palette !== undefined) return { values: convertIndexedToRgb(image), channels: palette[0]?.length ?? 3 }
  if (depth < 8) return { values: unpacked(image), channels }
  return {
    values: data instanceof Uint8Array ? data : Uint8Array.from(data, (value) => scaled(value, depth)),
    channels,
  }
}

const scaled = (value: number, depth: number): number => Math.round((value * 255) / (2 ** depth - 1))

/** Several pixels of a gray picture share a byte, and each row begins with one of its own. */
function unpacked({ width, height, data, depth }: DecodedPng): Uint8Array {
  const perByte = 8 / depth
  const rowBytes = Math.ceil(width / perByte)
  const values = new Uint8Array(width * height)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const byte = data[row * rowBytes + Math.floor(column / perByte)] ?? 0
      const shift = 8 - depth * ((column % perByte) + 1)
      values[row * width + column] = scaled((byte >> shift) & (2 ** depth - 1), depth)
    }
  return values
}
