// Of many commits a round looks at few, and at every one of them in time.
import { expect, test } from 'vitest'
import { dueLooks, nameOf } from '../../src/entry/app/rounds/due-looks.ts'

const commits = Array.from({ length: 120 }, (_, index) => ({ repository: 'R1', sha: `sha-${index}` }))
const all = (word: string | null) => new Map(commits.map((one) => [nameOf(one), word]))
const names = (some: readonly { readonly sha: string }[]) => some.map(({ sha }) => sha)

test('everything is looked at once, then a twelfth each time until all had their turn', () => {
  const { due, looked } = dueLooks()
  expect(due(commits, all('SUCCESS'))).toHaveLength(120)
  looked(commits, all('SUCCESS'))
  const seen = new Set<string>()
  for (let round = 0; round < 12; round += 1) {
    const some = due(commits, all('SUCCESS'))
    expect(some).toHaveLength(10)
    looked(some, all('SUCCESS'))
    for (const { sha } of some) seen.add(sha)
  }
  expect(seen.size).toBe(120)
})

test('where GitHub says something else in one word, or nothing, it is looked at in the same round', () => {
  const { due, looked } = dueLooks()
  looked(commits, all('FAILURE'))
  const [, , ...others] = commits.toReversed()
  const told = new Map([...all('FAILURE'), ['R1@sha-119', 'SUCCESS']])
  told.delete('R1@sha-118')
  expect(names(due(commits, told))).toEqual(expect.arrayContaining(['sha-119', 'sha-118']))
  expect(due(commits, told)).toHaveLength(12)
  expect(due(others, told)).toHaveLength(10)
})

test('what could not be read has its turn first', () => {
  const { due, looked } = dueLooks()
  looked(commits.slice(0, 100), all(null))
  expect(names(due(commits, all(null)))).toEqual(expect.arrayContaining(names(commits.slice(100))))
})
