// How one kind of webhook is read: its shape, and what news it is.
import type { z } from 'zod'
import type { Maker } from '../../../core/people/people.ts'
import type { News } from '../../../core/news.ts'

export type Context = {
  readonly action: string
  readonly guid: string
  readonly by: Maker
  readonly defaultBranch: string
  readonly ownApp: number
  readonly found: boolean
}
export type Reading = (payload: unknown, context: Context) => { readonly news: News; readonly essence: object } | null

/** Every schema is made once: making one anew for each delivery costs more than all the rest of its way in. */
export function reading<S extends z.ZodObject>(
  shape: S,
  newsIn: (payload: z.output<S>, context: Context) => News | null,
): Reading {
  return (payload, context) => {
    const { data: essence } = shape.safeParse(payload)
    const news = essence === undefined ? null : newsIn(essence, context)
    return essence === undefined || news === null ? null : { news, essence }
  }
}
