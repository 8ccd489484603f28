// Who moved a branch since it is there, as we were told push by push, so that GitHub need not be asked again. Each push names
// the commit before it: where one was not told, the line has a gap, and of that branch nothing is known.
import { keptByUse, type KeptByUse } from '../../core/forget.ts'
import type { News, Repository } from '../../core/news.ts'
import type { PullFacts, PushMade } from '../../ports.ts'

type Pushed = Extract<News, { kind: 'pushed' }>
export type Move = Omit<PushMade, 'at'>
export type Moves = KeptByUse<readonly Move[]>

const BOUNDS = { entriesMax: 5_000, weightMax: 50_000 }
/** Of what was moved more often GitHub is asked. */
const MOVES_MAX = 100

export const noMoves = (): Moves => keptByUse(BOUNDS)

const nameOf = ({ key }: Pick<Repository, 'key'>, branch: string): string => `${key}:${branch}`

export function noteMove(moves: Moves, repository: Repository, { branch, sha, before, by }: Pushed): void {
  const name = nameOf(repository, branch)
  const known = moves.get(name)
  const last = known?.at(-1)
  // Told twice.
  if (last !== undefined && last.sha === sha && last.before === before) return
  const line = before === null ? [] : last?.sha === before ? known : undefined
  if (line === undefined || line.length === MOVES_MAX || sha === null) moves.delete(name)
  else moves.set(name, [...line, { sha, before, by }], line.length + 1)
}

/** Null where not all of them are known up to the head. */
export function movesTold(
  moves: Moves,
  repository: Repository,
  { head_branch, head_sha }: Pick<PullFacts, 'head_branch' | 'head_sha'>,
): readonly Move[] | null {
  const line = head_branch === null ? undefined : moves.get(nameOf(repository, head_branch))
  return line?.some(({ sha }) => sha === head_sha) ? line : null
}
