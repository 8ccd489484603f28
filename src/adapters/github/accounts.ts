// Who did something, as GitHub names accounts.
import { z } from 'zod'
import type { Maker } from '../../core/people/builders.ts'

export const account = z.object({ login: z.string(), type: z.string().default('User') })

export const makerOf = ({ login, type }: z.output<typeof account>): Maker => ({
  login,
  kind: type === 'User' ? 'human' : 'bot',
})
