// Who did something, as GitHub names accounts. The number is the account; the name is only what it is called.
import { z } from 'zod'
import type { Maker } from '../../../core/people/people.ts'
import { isMachineName, oneSpelling } from '../../../core/people/machines.ts'

export const account = z.object({
  login: z.string(),
  type: z.string().default('User'),
  id: z.number().nullish().default(null),
})

export const makerOf = ({ login, type, id }: z.output<typeof account>): Maker =>
  oneSpelling({ id: id ?? null, login, kind: type === 'User' && !isMachineName(login) ? 'human' : 'bot' })

/** What is asked of an account over GraphQL. */
export const actorFields = '{ __typename login ... on User { databaseId } ... on Bot { databaseId } }'

/** GraphQL names a bot without the suffix that it has over REST, and an account that is gone not at all. */
export const actor = z
  .object({ __typename: z.string(), login: z.string(), databaseId: z.number().nullish() })
  .nullable()

export function makerOfActor(who: z.output<typeof actor>): Maker {
  if (who === null) return { id: null, login: 'ghost', kind: 'human' }
  const { __typename: type, login, databaseId } = who
  const named = type === 'Bot' ? `${login}[bot]` : login
  return oneSpelling({ id: databaseId ?? null, login: named, kind: type === 'User' ? 'human' : 'bot' })
}
