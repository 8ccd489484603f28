// Threads for reading what others wrote: whatever a job does, it ends, and nobody else pays for it.
import { afterEach, describe, expect, test } from 'vitest'
import { poolLimits, threadPool, type Pool, type PoolLimits } from '../../src/adapters/aside/pool.ts'
import { until } from '../app/lab/running.ts'

const worker = new URL('./hostile-worker.ts', import.meta.url)
const pools: Pool[] = []
const aPool = (limits: Partial<PoolLimits> = {}): Pool => {
  const pool = threadPool(worker, { ...poolLimits, jobMsMax: 150, memoryMbMax: 32, ...limits })
  pools.push(pool)
  return pool
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()))
})

test('a job is answered', async () => {
  const pool = aPool()
  expect(pool.stats().threads).toBe(0)
  expect(await pool.ask('echo', { a: [1, null, 'x'] }, 'R1')).toEqual({ value: { a: [1, null, 'x'] } })
  expect(pool.stats()).toEqual({ threads: 1, waiting: 0, ended: 0 })
})

test.each(['spin', 'backtrack', 'grow', 'deepen'])(
  'one that would %s for ever has no answer, and the next one has',
  async (job) => {
    const pool = aPool()
    expect(await pool.ask(job, null, 'R1')).toBeNull()
    expect(await pool.ask('echo', 1, 'R1')).toEqual({ value: 1 })
  },
)

test('what is given away is handed over, and what shares its memory is copied', async () => {
  const pool = aPool()
  const whole = new Uint8Array(100_000).fill(7)
  expect(await pool.ask('echo', { whole }, 'R1', whole)).toEqual({ value: { whole: new Uint8Array(100_000).fill(7) } })
  expect(whole.length).toBe(0)
  const memory = new Uint8Array(100_000).fill(7)
  const part = memory.subarray(10, 20)
  expect(await pool.ask('echo', { part }, 'R1', part)).toEqual({ value: { part: new Uint8Array(10).fill(7) } })
  expect(memory.length).toBe(100_000)
})

test('a fault of ours is no answer of anybody', async () => {
  const pool = aPool()
  await expect(pool.ask('fail', null, 'R1')).rejects.toThrow('a fault of ours')
  await expect(pool.ask('nothing', null, 'R1')).rejects.toThrow('There is no job nothing')
  expect(await pool.ask('echo', 1, 'R1')).toEqual({ value: 1 })
})

test('the loop of the process goes on meanwhile', async () => {
  const pool = aPool()
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await pool.ask('spin', null, 'R1')
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

describe('a tenant', () => {
  test('that brings one killer after the other does not keep another waiting for them', async () => {
    const pool = aPool()
    const order: string[] = []
    const killers = Array.from({ length: 3 }, () => pool.ask('spin', null, 'evil').then(() => order.push('killer')))
    const good = [1, 2, 3].map((one) => pool.ask('echo', one, `good${one}`).then(() => order.push('good')))
    await Promise.all(good)
    expect(order.filter((one) => one === 'killer').length).toBeLessThan(3)
    await Promise.all(killers)
    expect(order).toHaveLength(6)
  })

  test('has one thread at most', async () => {
    const pool = aPool()
    await Promise.all([1, 2, 3].map((one) => pool.ask('compute', 20 + one, 'R1')))
    expect(pool.stats()).toEqual({ threads: 1, waiting: 0, ended: 0 })
  })

  test('that took its share has less time for each job, and what is ordinary is still read', async () => {
    const pool = aPool({ jobMsMax: 400, tenantMsMax: 300, tenantJobMsMax: 50 })
    expect(await pool.ask('spin', null, 'evil')).toBeNull()
    expect(await pool.ask('compute', 200, 'evil')).toBeNull()
    expect(await pool.ask('compute', 5, 'evil')).toEqual({ value: 5 })
    expect(await pool.ask('compute', 200, 'good')).toEqual({ value: 200 })
  })

  test('is given its time again after a while', async () => {
    const pool = aPool({ jobMsMax: 200, tenantMsMax: 100, tenantJobMsMax: 20, tenantSpanMs: 250 })
    expect(await pool.ask('spin', null, 'R1')).toBeNull()
    await until(async () => (await pool.ask('compute', 100, 'R1')) !== null)
  })
})

test('no more wait than there is room for', async () => {
  const pool = aPool({ waitingMax: 2 })
  const asked = await Promise.allSettled([1, 2, 3].map((one) => pool.ask('echo', one, 'R1')))
  expect(asked).toMatchObject([
    { value: { value: 1 } },
    { value: { value: 2 } },
    { reason: { message: 'More than 2 texts wait to be read' } },
  ])
})

test('threads end when there is nothing to do, and start again', async () => {
  const pool = aPool({ idleMs: 20 })
  await pool.ask('echo', 1, 'R1')
  await until(async () => pool.stats().threads === 0)
  expect(await pool.ask('echo', 2, 'R1')).toEqual({ value: 2 })
})

test('a stop ends what is under way and what waits', async () => {
  const pool = aPool({ jobMsMax: 60_000 })
  const asked = [pool.ask('spin', null, 'R1'), pool.ask('echo', 1, 'R1')]
  const ended = Promise.allSettled(asked)
  await until(async () => pool.stats().waiting === 1)
  await pool.stop()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(pool.ask('echo', 1, 'R1')).rejects.toThrow('stopped')
})

test('threads that cannot start keep nobody waiting', async () => {
  const pool = threadPool(new URL('./missing-worker.ts', import.meta.url))
  pools.push(pool)
  await expect(pool.ask('echo', 1, 'R1')).rejects.toThrow(/missing-worker/)
})
