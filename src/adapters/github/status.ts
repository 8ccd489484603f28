// What an error that the client threw says of its answer: the HTTP status, or null where it was no answer at all.
import { z } from 'zod'

export function statusOf(error: unknown): number | null {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : null
}

/** The answer, or null where GitHub says that there is no such thing. */
export async function orMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

/** The same, also where GitHub says that it was deleted. */
export async function orGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    const status = statusOf(error)
    if (status === 404 || status === 410) return null
    throw error
  }
}

/** A repository whose issues are switched off says of each of them that it is gone; it is there again when they are back. */
export const isSwitchedOff = (error: unknown): boolean =>
  statusOf(error) === 410 && error instanceof Error && /disabled/i.test(error.message)

/** The answer, or null where there is no such thing or we may not see it. */
export async function orUnseen<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    const status = statusOf(error)
    if (status === 404 || status === 403) return null
    throw error
  }
}

/** GraphQL was there and did not answer what was asked. */
export const isRefusedQuery = (error: unknown): boolean =>
  error instanceof Error && error.name === 'GraphqlResponseError'

/** How GitHub calls a request of ours, for whoever asks its support about it; null where it said nothing. */
export function requestIdOf(error: unknown): string | null {
  if (error instanceof AggregateError) return error.errors.map(requestIdOf).find((id) => id !== null) ?? null
  const told = requestShape.safeParse(error)
  if (told.success) return told.data.response.headers['x-github-request-id']
  return error instanceof Error && error.cause !== undefined ? requestIdOf(error.cause) : null
}
const requestShape = z.object({
  response: z.object({ headers: z.object({ 'x-github-request-id': z.string().regex(/^[\w:-]{1,100}$/) }) }),
})
