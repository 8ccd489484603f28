// An archive of a few files from memory, as the results service takes them.
import { crc32, deflateRawSync } from 'node:zlib'

/** Version 2.0 of the format is what deflated files need. */
const NEEDS = 20
const NAMES_ARE_UTF8 = 0x0800
const DEFLATED = 8
/** 1 January 1980, the first day that the format knows: the same files give the same bytes. */
const FIRST_DAY = 0x21
const ENTRIES_MAX = 0xffff

export function zipOf(files: ReadonlyMap<string, Uint8Array>): Buffer {
  if (files.size > ENTRIES_MAX) throw new Error(`An archive takes ${ENTRIES_MAX} files, and these are ${files.size}.`)
  const bodies: Buffer[] = []
  const listing: Buffer[] = []
  let offset = 0
  for (const [path, bytes] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes)
    const facts = factsOf(bytes, packed, name)
    const body = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, name, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    listing.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.of(NEEDS, 0), facts, place, name]))
    bodies.push(body)
    offset += body.length
  }
  const directory = Buffer.concat(listing)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.size, 4)
  end.writeUInt16LE(files.size, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, directory, Buffer.from('PK\u0005\u0006'), end])
}

/** What stands before a file and, once more, in the directory at the end. */
function factsOf(bytes: Uint8Array, packed: Uint8Array, name: Uint8Array): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(NEEDS, 0)
  facts.writeUInt16LE(NAMES_ARE_UTF8, 2)
  facts.writeUInt16LE(DEFLATED, 4)
  facts.writeUInt16LE(FIRST_DAY, 8)
  facts.writeUInt32LE(crc32(bytes), 10)
  facts.writeUInt32LE(packed.length, 14)
  facts.writeUInt32LE(bytes.length, 18)
  facts.writeUInt16LE(name.length, 22)
  return facts
}
