// A long file in which many quotes are looked for: it is read once, since whoever weighs an answer keeps everybody waiting.
import { expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { findEvidence, type Presented } from '../../src/verifier/weighing/evidence.ts'
import { aFile } from './lab.ts'
import { many } from './packed.ts'

const LINES = 3_000
const aLongFile = (): Presented => ({
  files: [presentedFile(aFile('src/long.ts', many(LINES)), redactor([]))],
  checks: [],
})
const looked = (presented: Presented, at: number): string =>
  findEvidence(
    { path: 'src/long.ts', side: 'new', line: at + 1, quote: `const value${at} = compute(${at})` },
    presented,
  ).outcome

/** In milliseconds. */
function taken(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

test('a hundred quotes take no more than a few first looks at the file', () => {
  for (let round = 0; round < 5; round += 1) looked(aLongFile(), 7)
  const fresh = Array.from({ length: 5 }, aLongFile)
  const first = taken(() => fresh.forEach((one) => looked(one, 7))) / fresh.length
  const presented = aLongFile()
  const outcomes: string[] = []
  const all = taken(() => {
    for (let at = 0; at < 100; at += 1) outcomes.push(looked(presented, at * 30))
  })
  expect(new Set(outcomes)).toEqual(new Set(['verified']))
  expect(all).toBeLessThan(first * 50)
})
