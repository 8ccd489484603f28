// What GitHub is asked with the token of whoever calls a tool; what it does not let them do is told in its words.
import type { PullNamed } from '../attempts/pull-named.ts'
import { Refused } from './refused.ts'

export const PER_PAGE = 100

export const placeOf = ({ repository }: Pick<PullNamed, 'repository'>) => {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}

export async function understood<T>(asked: Promise<T>, what: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw new Refused(
      `GitHub does not let this token ${what}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
