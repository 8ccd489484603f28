// What somebody may have put into an artifact: whatever its bytes are, they are results or refused, and cost little.
import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { handOver } from '../../action/handing-over/artifact.ts'
import { destinationOf } from '../../action/handing-over/upload.ts'
import { unpacked } from '../../src/adapters/github/results/results-artifact.ts'
import { RESULTS_BYTES_MAX, type ResultsFile } from '../../src/core/decision/results/results-file.ts'
import { artifactServer } from '../action/artifact-server.ts'
import { zipOf } from '../app/lab/zip.ts'

const results: ResultsFile = {
  schema: 'countersign-results/1',
  repository: 'acme/shop',
  event: 'pull_request',
  pull: 1,
  head_sha: 'a'.repeat(40),
  base_ref: 'main',
  run: { id: 1, attempt: 1, workflow: '.github/workflows/a.yml' },
  policy: { hash: 'h', organisation: 'none' },
  checks: [],
  left_out: [],
  tier1: null,
  screenshots: [],
  warnings: ['ünï'],
}
const plain = zipOf([
  { name: 'results.json', content: JSON.stringify(results) },
  { name: 'logs/001-test.log', content: 'ok\n'.repeat(100) },
])
let uploaded: Buffer

beforeAll(async () => {
  const server = await artifactServer()
  const quiet = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const logs = new Map([['logs/001-test.log', 'ok\n'.repeat(100)]])
  await handOver(
    { artifact: 'countersign-results', results, document: '{}', logs, screenshots: [] },
    destinationOf(server.env),
  )
  quiet.mockRestore()
  uploaded = server.uploads[0]?.zip ?? Buffer.alloc(0)
  await server.close()
}, 30_000)

const kinds = async (archive: Uint8Array) => (await unpacked(Buffer.from(archive))).kind

test('an archive of the Action and one of the tests are read', async () => {
  expect(await unpacked(uploaded)).toEqual({ kind: 'results', results })
  expect(await unpacked(plain)).toEqual({ kind: 'results', results })
})

test('bytes of any kind are refused, also behind the marks of an archive', async () => {
  const end = Buffer.from('PK\u0005\u0006')
  const start = Buffer.from('PK\u0003\u0004')
  const bytes = fc.uint8Array({ maxLength: 300 })
  const archives = fc.oneof(
    bytes,
    bytes.map((tail) => Buffer.concat([start, tail])),
    fc.tuple(bytes, fc.uint8Array({ minLength: 18, maxLength: 18 })).map(([head, tail]) => {
      return Buffer.concat([start, head, end, tail])
    }),
    // An end that points at a directory of nonsense.
    fc.tuple(bytes, fc.nat(5)).map(([head, entries]) => {
      const tail = Buffer.alloc(18)
      tail.writeUInt16LE(entries, 4)
      tail.writeUInt16LE(entries, 6)
      tail.writeUInt32LE(head.length, 8)
      return Buffer.concat([head, end, tail])
    }),
  )
  const refused = fc.asyncProperty(archives, async (archive) => {
    expect(await kinds(archive)).toBe('refused')
  })
  await fc.assert(refused, { numRuns: 500 })
})

test('an archive that was cut off is refused, wherever it was cut', async () => {
  const believed: number[] = []
  for (const archive of [uploaded, plain]) {
    for (let length = 0; length < archive.length; length += 1) {
      if ((await kinds(archive.subarray(0, length))) !== 'refused') believed.push(length)
    }
  }
  expect(believed).toEqual([])
})

test('an archive with any of its bytes changed is results or refused, and nothing is thrown', async () => {
  const seen = { results: 0, refused: 0, absent: 0 }
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), changes, async (isReal, where) => {
      const archive = Buffer.from(isReal ? uploaded : plain)
      for (const [place, value] of where) archive[place % archive.length] = value
      seen[await kinds(archive)] += 1
    }),
    { numRuns: 500 },
  )
  expect(seen.absent).toBe(0)
  // Both ends are reached, or the changes say nothing.
  expect(Math.min(seen.refused, seen.results)).toBeGreaterThan(0)
})

test('half a gigabyte behind a small size takes no room', async () => {
  const piece = deflateRawSync(Buffer.alloc(RESULTS_BYTES_MAX, 32), { finishFlush: constants.Z_FULL_FLUSH })
  const packed = Buffer.concat([...Array.from({ length: 64 }, () => piece), Buffer.from([3, 0])])
  const bomb = zipOf([{ name: 'results.json', content: '', packed, claims: RESULTS_BYTES_MAX }])
  const before = process.resourceUsage().maxRSS
  for (let round = 0; round < 4; round += 1) expect(await unpacked(bomb)).toMatchObject({ kind: 'refused' })
  expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(150)
})
