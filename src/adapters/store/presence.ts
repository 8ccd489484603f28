// When somebody listened last. Between then and now webhooks may have been lost.
import { z } from 'zod'
import type { Sql } from './sql.ts'

export type Presence = {
  /** Empty where nobody ever did on this store. */
  readonly last: () => Promise<string>
  readonly note: (at: string) => Promise<void>
}

export function sqlPresence(db: Sql): Presence {
  return {
    last: async () =>
      z.array(z.object({ at: z.string() })).parse(await db.query('select at from presence'))[0]?.at ?? '',
    note: async (at) => {
      await db.query(
        'insert into presence ("only", at) values (true, $1) on conflict ("only") do update set at = greatest(presence.at, excluded.at)',
        [at],
      )
    },
  }
}
