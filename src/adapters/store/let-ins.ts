// Where several processes share a store, GitHub tells one of them that somebody lets us in again. What the others remember of
// those places is too old from then on, so it is kept here for a while, for each of them to find.
import { z } from 'zod'
import type { Sql } from './sql.ts'

export type LetInAgain = { readonly installation: number; readonly repositories: readonly string[] }

export type LetIns = {
  readonly note: (one: LetInAgain) => Promise<void>
  /** What others noted since this was asked before, or in the last minute: whoever begins looks at everything. */
  readonly news: () => Promise<readonly LetInAgain[]>
}

/** There are no others. */
export const nobodyElse: LetIns = { note: async () => {}, news: async () => [] }

export function sqlLetIns({ query }: Pick<Sql, 'query'>): LetIns {
  let known: ReadonlySet<string> | null = null
  const own = new Set<string>()
  return {
    note: async ({ installation, repositories }) => {
      await query(`delete from let_in where at < now() - interval '1 day'`)
      for (const { id } of ids.parse(await query(noteStatement, [installation, repositories]))) own.add(id)
    },
    news: async () => {
      const all = rows.parse(await query(allStatement))
      const found = all.filter(({ id, late }) => !own.has(id) && (known === null ? late : !known.has(id)))
      known = new Set(all.map(({ id }) => id))
      for (const id of known) own.delete(id)
      return found.map(({ installation, repositories }) => ({ installation, repositories }))
    },
  }
}

const noteStatement = 'insert into let_in (installation, repositories) values ($1, $2::text[]) returning id'
const ids = z.array(z.object({ id: z.string() }))
const allStatement = `
  select id, installation::float8, repositories, at > now() - interval '1 minute' as late from let_in order by at`
const rows = z.array(
  z.object({ id: z.string(), installation: z.number(), repositories: z.array(z.string()), late: z.boolean() }),
)
