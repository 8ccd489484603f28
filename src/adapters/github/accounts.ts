// Who did something, as GitHub names accounts.
import { z } from 'zod'
import type { Maker } from '../../core/people/builders.ts'

export const account = z.object({ login: z.string(), type: z.string().default('User') })

export const makerOf = ({ login, type }: z.output<typeof account>): Maker => ({
  login,
  kind: type === 'User' ? 'human' : 'bot',
})

/** GraphQL names a bot without the suffix that it has over REST, and an account that is gone not at all. */
export const actor = z.object({ __typename: z.string(), login: z.string() }).nullable()

export function makerOfActor(who: z.output<typeof actor>): Maker {
  if (who === null) return { login: 'ghost', kind: 'human' }
  const { __typename: type, login } = who
  return { login: type === 'Bot' ? `${login}[bot]` : login, kind: type === 'User' ? 'human' : 'bot' }
}
