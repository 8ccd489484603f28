// What is done at leisure, some in each round: whatever fails, and however much one installation has, each has its turn.
import { expect, test } from 'vitest'
import { atLeisure } from '../../../src/entry/app/rounds/at-leisure.ts'
import { RateLimited } from '../../../src/adapters/github/traffic/pacing.ts'

type Errand = { readonly name: string; readonly installation: number }

const of = (installation: number, ...names: readonly string[]): readonly Errand[] =>
  names.map((name) => ({ name, installation }))

/** What is tried in rounds in which nothing is ever done. */
async function triedIn(rounds: readonly (readonly Errand[])[], most: number, error: Error = new Error('no')) {
  const round = atLeisure<Errand>()
  const tried: string[] = []
  for (const due of rounds) {
    const names: string[] = []
    await round(due, most, ({ name }) => {
      names.push(name)
      return Promise.reject(error)
    })
    tried.push(names.join(' '))
  }
  return tried
}

test('what was tried and failed goes behind the others, and what there was no room for comes first', async () => {
  const due = of(1, 'a', 'b', 'c', 'd', 'e')
  expect(await triedIn([due, due, due, due.slice(2)], 2)).toEqual(['a b', 'c d', 'e a', 'c d'])
})

test('what is new goes behind what waited, and what is due no more has no place', async () => {
  expect(await triedIn([of(1, 'a', 'b', 'c'), of(1, 'z', 'b', 'c'), of(1, 'a', 'c', 'z')], 1)).toEqual(['a', 'b', 'c'])
})

test('each installation has its share, also where there are more of them than there is room for', async () => {
  const due = [...of(1, 'a', 'b', 'c', 'd'), ...of(2, 'k'), ...of(3, 'x', 'y')]
  expect(await triedIn([due], 5)).toEqual(['a k x b y'])
  expect(await triedIn([due, due, due], 2)).toEqual(['a k', 'x b', 'k y'])
})

test('where GitHub asks to wait no more is begun through that installation, and the others have their turns', async () => {
  const due = [...of(1, 'a', 'b', 'c'), ...of(2, 'k', 'l')]
  expect(await triedIn([due, due], 5, new RateLimited('1', { at: 0, why: 'no more' }))).toEqual(['a k', 'b l'])
})
