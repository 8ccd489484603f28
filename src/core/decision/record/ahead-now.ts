// Who is ahead of a commit by what was seen last, since when, and who was.
import type { Ahead, PullAhead } from '../ahead.ts'

export function aheadNow({ pulls, gone, since = {} }: Ahead, now: readonly PullAhead[], at: string): Ahead {
  const isAhead = (pull: number): boolean => now.some((one) => one.pull === pull)
  const were = new Set([...gone, ...pulls.map(({ pull }) => pull)])
  const known = (pull: number): string => (pulls.some((one) => one.pull === pull) ? (since[pull] ?? at) : at)
  return {
    pulls: now,
    gone: [...were].filter((pull) => !isAhead(pull)),
    since: Object.fromEntries(now.map(({ pull }) => [pull, known(pull)])),
  }
}
