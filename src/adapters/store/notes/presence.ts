// When somebody listened last. Between then and now webhooks may have been lost, and what GitHub could not deliver before may not
// have been asked for again: that ends with a time of its own. Each process also knows by what it noted itself
// whether this is still the store that it wrote to, or an earlier state of it: one from a backup, or of a server that was behind
// when it took over; or an empty one in its place.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isState, NO_TABLE } from '../away.ts'
import type { Sql } from '../sql.ts'

export type Last = { readonly listened: string; readonly taken: string }

export type Presence = {
  /** When somebody listened, and up to when all was taken that GitHub sent. Empty where nobody ever noted it on this store. */
  readonly last: () => Promise<Last>
  /** The same whoever says it: it is a fact about what GitHub sent. */
  readonly took: (until: string) => Promise<void>
  /**
   * Resolves with null, or with when somebody listened last as far as the store knows, empty where that is unknown: then it was
   * set back, and nothing was noted.
   */
  readonly note: (at: string) => Promise<string | null>
}

export function sqlPresence(db: Sql): Presence {
  const self = randomUUID()
  let noted: string | null = null
  /** What may stand there as well, since nobody said whether it was noted. It is noted again before anything else is. */
  let unsure: string | null = null
  let noting: Promise<unknown> = Promise.resolve()
  const last = async (): Promise<Last> =>
    lastRows.parse(await db.query('select at as listened, taken from presence'))[0] ?? { listened: '', taken: '' }
  const note = async (at: string): Promise<string | null> => {
    if (noted === null) await db.query(forgetStatement, [new Date(Date.parse(at) - KEPT_MS).toISOString()])
    for (const one of unsure === null ? [at] : [unsure, at]) {
      const { kept, before } = await write(one)
      if (!kept) return setBackTo(before)
    }
    return null
  }
  const write = async (at: string): Promise<z.output<typeof noteRow>> => {
    unsure = at
    const known = noted === null ? [at] : [noted, at]
    const [answer] = noteRows.parse(await db.query(noteStatement, [self, at, known, noted === null]))
    unsure = null
    if (answer.kept) noted = at
    return answer
  }
  const setBackTo = async (before: string | null): Promise<string> => {
    if (before !== null) return before
    // It knows nothing of this process. Others may have noted since that they listen.
    const { listened: somebody } = await last()
    return noted !== null && somebody < noted ? somebody : ''
  }
  return {
    last,
    took: async (until) => void (await db.query('update presence set taken = greatest(taken, $1)', [until])),
    note: async (at) => {
      const mine = noting.then(() => note(at)).catch(madeAnew)
      noting = mine.catch(() => undefined)
      return mine
    },
  }
}

/** What it had to be set back to is not known. */
function madeAnew(error: unknown): string {
  if (isState(error, NO_TABLE)) return ''
  throw error
}

const KEPT_MS = 7 * 24 * 60 * 60_000
const forgetStatement = 'delete from listener where at < $1'

/** Only where it finds what it may have noted, or begins. */
const noteStatement = `
  with mine as (select at from listener where process = $1),
  kept as (
    insert into listener (process, at)
    select $1, $2 where (select at from mine) = any($3::text[]) or ($4 and not exists (select from mine))
    on conflict (process) do update set at = excluded.at
    returning at
  ),
  listening as (
    insert into presence ("only", at) select true, at from kept
    on conflict ("only") do update set at = greatest(presence.at, excluded.at)
  )
  select exists (select from kept) as kept, (select at from mine) as before`

const lastRows = z.array(z.object({ listened: z.string(), taken: z.string() }))
const noteRow = z.object({ kept: z.boolean(), before: z.string().nullable() })
const noteRows = z.tuple([noteRow])
