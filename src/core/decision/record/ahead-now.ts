// Who is ahead of a commit by what was seen last, and who was.
import type { Ahead, PullAhead } from '../model.ts'

export function aheadNow({ pulls, gone }: Ahead, now: readonly PullAhead[]): Ahead {
  const isAhead = (pull: number): boolean => now.some((one) => one.pull === pull)
  const were = new Set([...gone, ...pulls.map(({ pull }) => pull)])
  return { pulls: now, gone: [...were].filter((pull) => !isAhead(pull)) }
}
