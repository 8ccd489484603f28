// A list of results and what a webhook told of one of them: which of the two is newer.
import { expect, test } from 'vitest'
import { expectTold } from '../../src/adapters/github/results/told.ts'
import type { ToldResult } from '../../src/core/news.ts'

const one = (id: number, conclusion: string | null, at = '2026-11-26T10:00:00Z', name = 'build'): ToldResult => ({
  kind: 'check_run',
  id,
  name,
  conclusion,
  at,
})
const red = one(7, 'failure')

test.each<[string, readonly ToldResult[], boolean]>([
  ['it is there', [red], true],
  ['the list is empty', [], false],
  ['only an older one of its name is there', [one(6, 'success')], false],
  ['a newer one of its name took its place', [one(8, 'success')], true],
  ['a newer one of another name is there', [one(8, 'success', red.at, 'lint')], false],
  ['it is there and not over', [one(7, null, '')], false],
  ['it is there as it ended before', [one(7, 'success', '2026-11-26T09:59:00Z')], false],
  ['it is there as it ended in the same second', [one(7, 'success')], false],
  ['it ended once more since', [one(7, 'success', '2026-11-26T10:01:00Z')], true],
])('%s', (_, listed, isBelieved) => {
  const look = (): void => expectTold([red], () => true, listed)
  if (isBelieved) expect(look).not.toThrow()
  else expect(look).toThrow('does not list yet')
})

test('what is of no concern is not looked for', () => {
  expect(() => expectTold([red], () => false, [])).not.toThrow()
})
