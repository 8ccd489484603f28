// Many things in turn: nobody waits for one that fails, and nobody waits for ever behind those that come first each time.
import { expect, test } from 'vitest'
import { each, type Turns } from '../../src/engine/rounds/each.ts'

class Patience extends Error {}
const turns = (): Turns => ({ first: new Set(), mustWait: (error) => error instanceof Patience })

test('one that fails is named, and the others have their turn', async () => {
  const done: string[] = []
  const failed = await each(['a', 'b', 'c'], turns(), async (key) => {
    if (key === 'a') throw new Error('broken')
    done.push(key)
  })
  expect(done).toEqual(['b', 'c'])
  expect(failed).toMatchObject([{ key: 'a', error: { message: 'broken' } }])
})

test('where not all can be done at a time, each is done in time', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const order = turns()
  const rounds: string[][] = []
  for (let round = 0; round < 4; round += 1) {
    const done: string[] = []
    await each(keys, order, async (key) => {
      if (done.length === 3) throw new Patience()
      done.push(key)
    })
    rounds.push(done)
  }
  expect(rounds).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
    ['g', 'a', 'b'],
    ['c', 'd', 'e'],
  ])
})

test('what is gone by the next time is not waited for', async () => {
  const order = turns()
  await each(['a'], order, async () => {
    throw new Patience()
  })
  await each(['b'], order, async () => undefined)
  expect(order.first).toEqual(new Set())
})
