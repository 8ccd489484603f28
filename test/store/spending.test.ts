// What a day and a task allow is never overspent, whoever spends it at once; a day's is there again with the next day.
import { beforeEach, describe, expect, test } from 'vitest'
import { sqlPurses, sqlTaskPurses } from '../../src/adapters/store/notes/spending.ts'
import { everySql } from './opened.ts'

const databases = await everySql()

describe.each(Object.entries(databases))('in %s', (_, sql) => {
  let now: string
  beforeEach(async () => {
    now = '2026-11-20T23:59:00.000Z'
    await sql.query('delete from spending')
    await sql.query('delete from task_spending')
  })
  /** Of a process of its own. */
  const purse = (installation = '1', usd = 1) => sqlPurses(sql, usd, { now: () => now })(installation)
  const takes = async (count: number, usd: number) =>
    (await Promise.all(Array.from({ length: count }, () => purse().take(usd)))).filter(({ ok }) => ok).length

  test('of many calls at once as many are made as it pays for, and another installation has its own', async () => {
    expect(await takes(20, 0.25)).toBe(4)
    expect(await takes(1, 0.01)).toBe(0)
    expect((await purse('2').take(1)).ok).toBe(true)
  })

  test('a call that costs more than a day allows is not made', async () => {
    expect(await purse().take(1.01)).toEqual({
      ok: false,
      why: 'the 1 USD that the operator allows this installation for a day do not suffice any more; they are there again at 2026-11-21 00:00 UTC',
    })
  })

  test('what was spent longer than a month ago is forgotten', async () => {
    const days = async () =>
      (await sql.query('select installation, day from spending order by day')).map(({ day }) => day)
    const mine = purse()
    await mine.take(0.5)
    now = '2026-12-21T00:00:00.000Z'
    await mine.take(0.5)
    expect(await days()).toEqual(['2026-11-20', '2026-12-21'])
    now = '2026-12-22T00:00:00.000Z'
    await mine.take(0.5)
    expect(await days()).toEqual(['2026-12-21', '2026-12-22'])
  })

  test('what a call did not cost is given back, and the next day has all of it', async () => {
    const taken = await purse().take(1)
    if (!taken.ok) throw new Error('the day had just begun')
    expect(await takes(1, 0.5)).toBe(0)
    await taken.spent(0.5)
    expect(await takes(2, 0.5)).toBe(1)
    now = '2026-11-21T00:00:00.000Z'
    expect(await takes(2, 0.5)).toBe(2)
  })

  /** Of a process of its own. */
  const ofTask = (recorded = 0, task = 'R1#4') => sqlTaskPurses(sql)(task, { limit: 1, recorded })

  test('of calls about one task at once as many are made as it may cost, and another task has its own', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => ofTask().take(0.25)))
    expect(taken.filter(({ ok }) => ok)).toHaveLength(4)
    expect(taken.find(({ ok }) => !ok)).toEqual({ ok: false, why: '`budget.usd_per_task` is 1; 1.25 would do' })
    expect((await ofTask(0, 'R1#5').take(1)).ok).toBe(true)
  })

  test('what is on its record counts where it is more than was noted, and not twice', async () => {
    expect(await ofTask(0.8).take(0.25)).toMatchObject({ ok: false })
    const taken = await ofTask(0.5).take(0.5)
    if (!taken.ok) throw new Error('half of it was left')
    await taken.spent(0.25)
    expect((await ofTask(0.75).take(0.3)).ok).toBe(false)
    expect((await ofTask(0.75).take(0.25)).ok).toBe(true)
  })
})
