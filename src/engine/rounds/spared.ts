// While a part of GitHub fails, what is asked of it in vain spends the quota that is needed once it works. So of those that failed in
// the last round some of each repository are asked about again, and where these fail too, the others are left for the next one.
// They come last, and whoever failed again comes behind them: each has its turn, however many they are.
import { isOutage } from '../outage.ts'
import { repositoryIn } from '../../core/names.ts'

/** More than one of which something of its own is in the way. */
const TRIED_MAX = 5

/** Who failed when it was asked about last, in that order; kept from one round to the next. */
export type Failing = Set<string>

/** For one round: looks at one of them, and says whether nothing is to be asked about it. */
export function sparing(failing: Failing) {
  const failures = new Map<string, number>()
  return async (stream: string, look: (isSpared: boolean) => Promise<void>): Promise<void> => {
    const repository = repositoryIn(stream)
    const failed = failures.get(repository) ?? 0
    const isSpared = failing.has(stream) && failed >= TRIED_MAX
    try {
      await look(isSpared)
      if (!isSpared) failing.delete(stream)
    } catch (error) {
      failing.delete(stream)
      if (isOutage(error)) {
        failing.add(stream)
        failures.set(repository, failed + 1)
      }
      throw error
    }
  }
}

/** What is not there any more is forgotten. */
export async function* failingLast(streams: AsyncIterable<string>, failing: Failing): AsyncGenerator<string> {
  const before = new Set(failing)
  const there = new Set<string>()
  for await (const stream of streams)
    if (before.has(stream)) there.add(stream)
    else yield stream
  for (const stream of before)
    if (there.has(stream)) yield stream
    else failing.delete(stream)
}
