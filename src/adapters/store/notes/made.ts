// When a store was made, and by which id it is known. Whoever finds another id than before knows that a store was lost.
import { z } from 'zod'
import type { Query } from '../sql.ts'

export type Made = { readonly id: string; readonly since: string }

const rows = z.tuple([z.object({ id: z.string(), since: z.string() })])

export async function readMade(query: Query): Promise<Made> {
  return rows.parse(await query('select id::text as id, since from store_made'))[0]
}

/** Writes without changing anything: whether the store takes writes is not told by reading. */
export async function rewriteMade(query: Query): Promise<void> {
  await query('update store_made set since = since')
}
