// The HTTP status of an error that the client threw, or null where it was no answer at all.

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
