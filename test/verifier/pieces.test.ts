// A change that is too big to be read at once is read in pieces: what stands in which, and in which order.
import { expect, test } from 'vitest'
import { aChange, aContract, aFile, aModel, attemptFor, outcomeOf, promptText, saysPass } from './lab.ts'
import { guard, many, packed } from './packed.ts'

const passing = () => aModel((request) => saysPass(request))

test('a big change is read in pieces, each with the whole list of files', async () => {
  const change = aChange([guard, ...Array.from({ length: 12 }, (_, at) => aFile(`src/part${at}.ts`, many(900)))])
  const { chunks, coverage } = packed(change)
  expect(chunks.length).toBeGreaterThan(1)
  expect(coverage).toMatchObject({ share: 1, shown: 3 + 12 * 900 })
  const model = passing()
  const budget = { usd_per_attempt: 20, usd_per_task: 20, calls_per_attempt: 50 }
  expect(await outcomeOf({ model, change, attempt: attemptFor(aContract({ policy: { budget } })) })).toBe('PASS')
  expect(model.requests).toHaveLength(chunks.length)
  for (const request of model.requests) expect(promptText(request)).toContain('part11.ts')
  expect(
    model.requests.flatMap((request) => /this is piece .*(?=\.$)/m.exec(promptText(request)) ?? []).sort(),
  ).toEqual(chunks.map((_chunk, index) => `this is piece ${index + 1} of ${chunks.length}`))
})

test('a change that is read at once is no piece', async () => {
  const model = passing()
  await outcomeOf({ model })
  expect(model.requests.map(promptText).join()).not.toContain('this is piece')
})

test('a file that is too big alone is split between its hunks', () => {
  const hunk = (at: number): string => [`@@ -${at},0 +${at},4000 @@`, ...many(4_000)].join('\n')
  const patch = [1, 5_001, 10_001].map((at) => hunk(at).replaceAll('compute', `compute${at}`)).join('\n')
  const change = aChange([aFile('src/huge.ts', null, { patch, additions: 12_000 })])
  const { chunks, coverage } = packed(change)
  expect(chunks).toHaveLength(3)
  expect(new Set(chunks.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  expect(coverage).toMatchObject({ share: 1, shown: 12_000 })
})

test('hunks of a file that is too big alone stay together as far as they fit', () => {
  const hunk = (at: number): string => [`@@ -${at},0 +${at},2000 @@`, ...many(2_000)].join('\n')
  const patch = [1, 3_001, 6_001, 9_001, 12_001].map((at) => hunk(at)).join('\n')
  const { chunks, coverage } = packed(aChange([aFile('src/huge.ts', null, { patch, additions: 10_000 })]))
  expect(chunks.map(({ files }) => files.map(({ hunks }) => hunks.length))).toEqual([[3], [2]])
  expect(coverage).toMatchObject({ share: 1, shown: 10_000 })
})

test('a model that is dear above some length reads shorter pieces', () => {
  const change = aChange([aFile('src/a.ts', many(3_000)), aFile('src/b.ts', many(3_000))])
  expect(packed(change).chunks).toHaveLength(1)
  expect(packed(change, { model: 'claude-haiku-5-5' }).chunks).toHaveLength(2)
})

test('protected paths and source come before tests and documents', () => {
  const names = ['README.md', 'test/a.test.ts', 'src/a.ts', 'package.json', '.github/workflows/ci.yml']
  const order = packed(aChange(names.map((path) => aFile(path, ['+x'])))).chunks.flatMap(({ files }) =>
    files.map(({ path }) => path),
  )
  expect(order).toEqual(['.github/workflows/ci.yml', 'src/a.ts', 'test/a.test.ts', 'package.json', 'README.md'])
})
