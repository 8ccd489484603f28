// Events are stored packed and come back to the letter; what was packed by any version can be read by every later one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/core/canonical.ts'
import { pack, unpack } from '../../src/adapters/store/packing.ts'
import { dictionary1 } from '../../src/adapters/store/packing-dictionary.ts'

const max = 2 * 1024 * 1024

test('whatever is packed comes back to the letter', () => {
  const isKept = fc.property(fc.json(), fc.string({ unit: 'binary', maxLength: 400 }), (json, more) => {
    const text = json + JSON.stringify({ more })
    const packed = pack(text)
    return packed === null || unpack(packed, max) === text
  })
  expect(fc.check(isKept).failed).toBe(false)
})

test('half a surrogate pair is not packed, since it would come back as something else', () => {
  expect(pack(`${'a'.repeat(500)}\ud83e`)).toBeNull()
})

test('what was packed once is read for ever', () => {
  const words = '{"type":"TaskStarted","attempt_id":null,"head_sha":null,"data":{"by":"bob","implicit":true}}'
  expect(sha256(dictionary1)).toBe('2720b08447e9f0d8c3b4b410ff8432eb24c5451b20bfa23425de709be01ddc6b')
  expect(unpack('AaPOfoKk/CTMle61AA==', max)).toBe(words)
})

test('what a newer version packed is named as such, and what would burst is refused', () => {
  expect(() => unpack(Buffer.of(9, 1, 2, 3).toString('base64'), max)).toThrow(
    'by a newer Countersign, with dictionary 9',
  )
  expect(() => unpack(pack('a'.repeat(100_000)) ?? '', 1_000)).toThrow(/larger than/)
})
