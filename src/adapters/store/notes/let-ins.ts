// Where several processes share a store, GitHub tells one of them that somebody lets us in again. What the others remember of
// those places is too old from then on, so it is kept here for a while, for each of them to find.
import { z } from 'zod'
import { forgetOldest } from '../../../core/forget.ts'
import type { Sql } from '../sql.ts'

export type LetInAgain = { readonly installation: number; readonly repositories: readonly string[] }

export type LetIns = {
  readonly note: (one: LetInAgain) => Promise<void>
  /** What others noted since this was asked before, or in the last minute: whoever begins looks at everything. */
  readonly news: () => Promise<readonly LetInAgain[]>
}

/** There are no others. */
export const nobodyElse: LetIns = { note: async () => {}, news: async () => [] }

export function sqlLetIns({ query }: Pick<Sql, 'query'>): LetIns {
  const known = new Set<string>()
  const know = (id: string): void => {
    known.add(id)
    forgetOldest(known, KNOWN_MAX)
  }
  let began = false
  return {
    note: async ({ installation, repositories }) => {
      await query(`delete from let_in where at < now() - interval '1 day'`)
      for (const { id } of ids.parse(await query(noteStatement, [installation, repositories]))) know(id)
    },
    news: async () => {
      const all = rows.parse(await query(allStatement))
      const found = all.filter(({ id, late }) => !known.has(id) && (began || late))
      for (const { id } of all) know(id)
      began = true
      return found.map(({ installation, repositories }) => ({ installation, repositories }))
    },
  }
}

/** More than are kept. */
const KNOWN_MAX = 100_000
const noteStatement = 'insert into let_in (installation, repositories) values ($1, $2::text[]) returning id'
const ids = z.array(z.object({ id: z.string() }))
const allStatement = `
  select id, installation::float8, repositories, at > now() - interval '1 minute' as late from let_in order by at`
const rows = z.array(
  z.object({ id: z.string(), installation: z.number(), repositories: z.array(z.string()), late: z.boolean() }),
)
