// What GitHub is asked with the token of whoever calls a tool; what it does not let them do is told in its words.
import type { PullNamed } from '../attempts/pull-named.ts'
import type { Thread } from '../attempts/our-app.ts'
import { wholeList } from '../attempts/whole-list.ts'
import { Refused } from './refused.ts'

export const placeOf = ({ repository }: Pick<PullNamed, 'repository'>) => {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}

export const threadOf = (named: PullNamed): Thread => ({ ...placeOf(named), issue_number: named.number })

export async function understood<T>(asked: Promise<T>, what: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw new Refused(
      `GitHub does not let this token ${what}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Of a list all that there is. */
export const listed = <T>(
  what: string,
  ask: (page: number) => Promise<{ readonly data: readonly T[] }>,
): Promise<readonly T[]> => wholeList(what, async (page) => (await understood(ask(page), `see the ${what} there`)).data)
