// Work of one name goes one at a time, across connections as across processes, and nothing stays locked.
import { expect, test } from 'vitest'
import { postgresTurns } from '../../src/adapters/store/postgres/turns.ts'

const url = process.env['DATABASE_URL'] ?? ''

test.skipIf(url === '')('two processes take turns under one name, and work side by side under others', async () => {
  const processes = [postgresTurns(url), postgresTurns(url)]
  const name = `R1#${process.pid}`
  const at = { work: 0, most: 0, done: 0 }
  const work = async (): Promise<void> => {
    at.work += 1
    at.most = Math.max(at.most, at.work)
    await new Promise((done) => setTimeout(done, 5))
    at.work -= 1
    at.done += 1
  }
  const [one, other] = processes
  if (one === undefined || other === undefined) throw new Error('there are two')
  for (let round = 0; round < 5; round += 1) await Promise.all([one.take(name, work), other.take(name, work)])
  expect(at).toEqual({ work: 0, most: 1, done: 10 })

  const order: string[] = []
  await one.take(name, async () => {
    await other.take(`${name} beside`, async () => void order.push('beside'))
    order.push('first')
  })
  expect(order).toEqual(['beside', 'first'])
  await expect(one.take(name, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed')
  expect(await other.take(name, async () => 'free again')).toBe('free again')
  await Promise.all(processes.map((turns) => turns.close()))
})

test.skipIf(url === '')('a process that dies lets go', async () => {
  const [dying, other] = [postgresTurns(url), postgresTurns(url)]
  const name = `R2#${process.pid}`
  let began = (): void => undefined
  const begun = new Promise<void>((done) => (began = done))
  const stuck = dying.take(name, () => new Promise<void>(() => began()))
  await begun
  await dying.close()
  expect(await other.take(name, async () => 'mine')).toBe('mine')
  await other.close()
  expect(stuck).toBeInstanceOf(Promise)
})

test.skipIf(url === '')(
  'a process that stands still is given up by whoever waits, and knows it when it wakes',
  async () => {
    const [frozen, other] = [postgresTurns(url, { beatMs: 60_000 }), postgresTurns(url, { silentMsMax: 400 })]
    const name = `R3#${process.pid}`
    const held: boolean[] = []
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
    const { promise: begun, resolve: began } = Promise.withResolvers<void>()
    const stuck = frozen.take(name, async () => {
      held.push(await frozen.holds(name))
      began()
      await woken
      held.push(await frozen.holds(name))
    })
    await begun
    expect(await other.take(name, async () => other.holds(name))).toBe(true)
    wake()
    await stuck
    expect(held).toEqual([true, false])
    expect(await frozen.take(name, async () => 'mine again')).toBe('mine again')
    await Promise.all([frozen.close(), other.close()])
  },
)

test.skipIf(url === '')('a process that works for long, and says so, is waited for', async () => {
  const [slow, other] = [postgresTurns(url, { beatMs: 50 }), postgresTurns(url, { silentMsMax: 400 })]
  const name = `R4#${process.pid}`
  const order: string[] = []
  const { promise: begun, resolve: began } = Promise.withResolvers<void>()
  const working = slow.take(name, async () => {
    began()
    await new Promise((done) => setTimeout(done, 1_000))
    order.push((await slow.holds(name)) ? 'slow' : 'lost')
  })
  await begun
  await other.take(name, async () => void order.push('other'))
  await working
  expect(order).toEqual(['slow', 'other'])
  await Promise.all([slow.close(), other.close()])
})

test.skipIf(url === '')("a name that is held is one process's until it dies, and nobody waits for it", async () => {
  const [first, other] = [postgresTurns(url), postgresTurns(url)]
  const name = `R5#${process.pid}`
  expect([await first.lead(name), await other.lead(name), await first.lead(name)]).toEqual([true, false, true])
  // What is held keeps no work of the same name waiting.
  expect(await other.take(name, async () => 'mine')).toBe('mine')
  await first.close()
  expect(await other.lead(name)).toBe(true)
  await other.close()
})
