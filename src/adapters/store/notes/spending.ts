// What the verifier has cost each installation on each day, and each task in all, in the database that all processes share.
// A call takes the most that it may cost before it is made and gives back what it did not, in one statement each: several
// processes together never spend more than one may, and what a process that died had taken stays spent.
import type { Clock } from '../../../ports.ts'
import { dayIsSpent, taskIsSpent, type Purse, type TaskPurses } from '../../../verifier/calls/money.ts'
import type { Sql } from '../sql.ts'

export type Purses = (installation: string) => Purse

const DAY_MS = 86_400_000
const KEPT_DAYS = 31
const dayOf = (at: string): string => at.slice(0, 'YYYY-MM-DD'.length)
const isoOf = (ms: number): string => new Date(ms).toISOString()

export const sqlPurses = (db: Sql, usdPerDay: number, clock: Clock): Purses => {
  let forgotten = ''
  /** Nobody asks for more than a day, and a call that was under way at its end gives back soon. */
  const forgetBefore = async (now: string): Promise<void> => {
    const day = dayOf(isoOf(Date.parse(now) - KEPT_DAYS * DAY_MS))
    if (day === forgotten) return
    await db.query('delete from spending where day < $1', [day])
    forgotten = day
  }
  return (installation) => ({
    take: async (usdAtMost) => {
      const now = clock.now()
      const day = dayOf(now)
      await forgetBefore(now)
      const taken = await db.query(takeStatement, [installation, day, usdAtMost, usdPerDay])
      if (taken.length === 0) return { ok: false, why: dayIsSpent(usdPerDay, dayOf(isoOf(Date.parse(now) + DAY_MS))) }
      return {
        ok: true,
        // Where it cannot be noted the call counts as dear as it was feared.
        spent: (usd) => db.query(backStatement, [installation, day, usdAtMost - usd]).then(nothing, nothing),
      }
    },
  })
}

/** What the record of a task knows of counts, also where it is more than was noted here. */
export const sqlTaskPurses =
  (db: Sql): TaskPurses =>
  (task, { limit, recorded }) => ({
    take: async (usdAtMost) => {
      const taken = await db.query(takeOfTaskStatement, [task, recorded, usdAtMost, limit])
      if (taken.length === 0) {
        const [noted] = await db.query('select usd from task_spending where stream = $1', [task])
        return { ok: false, why: taskIsSpent(limit, Math.max(Number(noted?.['usd'] ?? 0), recorded) + usdAtMost) }
      }
      return {
        ok: true,
        // As above.
        spent: (usd) => db.query(backToTaskStatement, [task, usdAtMost - usd]).then(nothing, nothing),
      }
    },
  })

const takeOfTaskStatement = `
  insert into task_spending as noted (stream, usd)
  select $1, $2::float8 + $3::float8 where $2::float8 + $3::float8 <= $4::float8
  on conflict (stream) do update set usd = greatest(noted.usd, $2::float8) + $3::float8
  where greatest(noted.usd, $2::float8) + $3::float8 <= $4::float8
  returning usd`
const backToTaskStatement = 'update task_spending set usd = usd - $2::float8 where stream = $1'

const takeStatement = `
  insert into spending (installation, day, usd)
  select $1, $2, $3::float8 where $3::float8 <= $4::float8
  on conflict (installation, day) do update set usd = spending.usd + excluded.usd
  where spending.usd + excluded.usd <= $4::float8
  returning usd`
const backStatement = 'update spending set usd = usd - $3::float8 where installation = $1 and day = $2'

const nothing = (): void => undefined
