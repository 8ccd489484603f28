// Who is let in at the doors of agents: whoever shows a token that GitHub knows, and does not ask too often with it.
import type { IncomingMessage } from 'node:http'
import { AskedTooOften, GitHubSilent, type Readers } from '../../../adapters/github/people/readers.ts'

export type Refusal = readonly [status: number, words: string]

/** A token goes on in a header, so it holds nothing that a header could not. */
export function tokenOf({ headers }: IncomingMessage): string | null {
  return /^(?:bearer|token) ([!-~]{1,500})$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** Null where they are let in. */
export async function refusalOf(readers: Readers, token: string): Promise<Refusal | null> {
  if (!readers.mayAsk(token)) return [429, 'This token asks too often.']
  const answer = await orRefusal(readers.knows(token))
  if (typeof answer !== 'boolean') return answer
  return answer ? null : [401, 'GitHub does not know this token.']
}

/** What GitHub says, or why it said nothing. */
export async function orRefusal<T>(asked: Promise<T>): Promise<T | Refusal> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof AskedTooOften) return [429, error.message]
    if (error instanceof GitHubSilent) return [502, 'GitHub did not say what this token may read; ask again.']
    throw error
  }
}
