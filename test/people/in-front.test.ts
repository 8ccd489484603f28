// Which commit somebody had in front of them when they said no.
import { expect, test } from 'vitest'
import { inFrontAt, withHead, type Heads } from '../../src/core/people/in-front.ts'

const at = (minute: number): string => `2026-01-05T09:0${minute}:00Z`
const headsOf = (...all: readonly (readonly [string, string])[]): Heads => ({
  heads: all.reduce<Heads['heads']>((heads, [sha, since]) => withHead(heads, 7, { sha, since }), {}),
})

test.each<[string, Heads, string, readonly string[]]>([
  ['the one that is there', headsOf(['a', at(1)]), at(2), ['a']],
  ['the one before the next', headsOf(['a', at(1)], ['b', at(3)]), at(2), ['a']],
  ['both in the same second', headsOf(['a', at(1)], ['b', at(3)]), at(3), ['a', 'b']],
  ['none before the first', headsOf(['a', at(1)]), at(0), []],
  ['one that came again', headsOf(['a', at(1)], ['b', at(3)], ['a', at(5)]), at(6), ['a']],
  ['the same one all the time', headsOf(['a', at(1)], ['a', at(3)]), at(2), ['a']],
  ['the first, where nobody knows since when', headsOf(['a', '']), at(0), ['a']],
  [
    'both, where nobody knows when one took the place of the other',
    headsOf(['a', at(1)], ['b', '']),
    at(2),
    ['a', 'b'],
  ],
  ['none that is over, whenever that was', headsOf(['a', at(1)], ['b', ''], ['c', at(5)]), at(6), ['c']],
  ['none of another pull request', { heads: { 8: [{ sha: 'a', since: at(1) }] } }, at(2), []],
])('%s', (_, heads, then, shas) => {
  expect(inFrontAt(heads, 7, then)).toEqual(shas)
})
