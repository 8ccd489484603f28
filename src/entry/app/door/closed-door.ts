// The door while the database does not answer: whoever comes is told so, and GitHub keeps what it brings.
import { DatabaseAway } from '../../../adapters/store/away.ts'
import { databaseAway, healthFor } from '../watched/health.ts'
import type { Routes } from './server.ts'
import type { Seals } from './signature.ts'

/** What is answered until there is an inbox behind the door. */
export function closedDoor(seals: Seals, why: unknown): Routes {
  const away = (): Promise<never> => Promise.reject(new DatabaseAway('the database does not answer yet'))
  return {
    seals,
    receive: away,
    metrics: away,
    document: away,
    mcp: away,
    signIn: away,
    refused: () => undefined,
    health: async () => healthFor([databaseAway(why)]),
    onError: () => {},
  }
}
