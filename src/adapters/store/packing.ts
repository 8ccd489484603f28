// The texts of events as they are stored: packed, since most of an event is what every event of its kind has. What comes out
// is what went in, to the letter, and with it the hash that was taken over it.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { dictionary1 } from './packing-dictionary.ts'

/** By the number that stands before what was packed by it. */
const dictionaries: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.from(dictionary1)]])
const newest = 1

/** Higher costs more time than it saves room. */
const LEVEL = 6
/** What most of them fit in: with the usual room for what comes out a fifth of the time goes to making that. */
const CHUNK_BYTES = 4_096

/** In base 64; null where it would be no smaller. */
export function pack(text: string): string | null {
  const bytes = Buffer.from(text)
  // A lone surrogate is no UTF-8 and would come back as something else.
  if (bytes.toString() !== text) return null
  const packed = deflateRawSync(bytes, { level: LEVEL, chunkSize: CHUNK_BYTES, dictionary: dictionaryOf(newest) })
  return packed.length + 1 < bytes.length ? Buffer.concat([Buffer.of(newest), packed]).toString('base64') : null
}

/** `bytesMax`: no text that was packed is longer. */
export function unpack(base64: string, bytesMax: number): string {
  const bytes = Buffer.from(base64, 'base64')
  const dictionary = dictionaryOf(bytes[0] ?? 0)
  return inflateRawSync(bytes.subarray(1), { dictionary, maxOutputLength: bytesMax }).toString()
}

function dictionaryOf(number: number): Buffer {
  const dictionary = dictionaries.get(number)
  if (dictionary === undefined) throw new Error(`It was packed by a newer Countersign, with dictionary ${number}`)
  return dictionary
}
