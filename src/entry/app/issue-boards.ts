// Goals and requests whose tasks have moved are looked at once nothing else is being taken in, so that a burst is one change of the board.
// A process that dies forgets nothing by forgetting this: the rounds look at everything that is not over.
import type { TaskRef } from '../../engine/engine.ts'
import type { Settled } from '../../engine/settle.ts'
import { tryingAgain, type Again } from './again.ts'

const QUIET_MS = 250
/** However much goes on, the board is not older than this. */
const WAIT_MS_MAX = 10_000

export type IssueBoards = Pick<Again, 'soon' | 'stop'> & { readonly moved: (issue: TaskRef) => void }

type Parts = {
  readonly settle: (issue: TaskRef) => Promise<Settled>
  /** Whether something that was heard is still being handled, or waits for that. */
  readonly isBusy: () => Promise<boolean>
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export function issueBoards({ settle, isBusy, now, onError }: Parts): IssueBoards {
  const waiting = new Map<string, NodeJS.Timeout>()
  const later = tryingAgain(settle, now, onError)
  let looking = 0
  const wait = (issue: TaskRef, since: number): void => {
    const timer = setTimeout(() => void look(issue, since), QUIET_MS)
    timer.unref()
    waiting.set(issue.stream, timer)
  }
  const look = async (issue: TaskRef, since: number): Promise<void> => {
    looking += 1
    try {
      if (performance.now() - since < WAIT_MS_MAX && (await isBusy())) return wait(issue, since)
      waiting.delete(issue.stream)
      await settle(issue)
    } catch (error) {
      waiting.delete(issue.stream)
      onError(error)
      later.again(issue, error)
    } finally {
      looking -= 1
    }
  }
  return {
    moved: (issue) => {
      if (!waiting.has(issue.stream)) wait(issue, performance.now())
    },
    soon: () => waiting.size + looking + later.soon(),
    stop: () => {
      later.stop()
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
