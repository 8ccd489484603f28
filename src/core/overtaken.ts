// Words at goals and requests are about what their author had in front of them: what changed since makes them words about
// something that is no more, however late they are heard.
import { isLater } from './people/order.ts'
import type { Saying } from './people/saying.ts'

/** `since`: GitHub's time of the change; empty where nobody knows of one. */
export const isOvertaken = (since: string, { at, key }: Pick<Saying, 'at' | 'key'>): boolean =>
  since !== '' && isLater({ at: since, seq: 0 }, { at, id: key, seq: 1 })

export const laterOf = (one: string, other: string | undefined): string =>
  other !== undefined && other > one ? other : one
