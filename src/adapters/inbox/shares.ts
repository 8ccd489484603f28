// Whose turn it is where more waits than is being handled: each repository has its turns, however much one of them brings. Who
// brought much lately stands behind who did not; whoever brings alone loses nothing by it.
import { forgetOldest } from '../../core/forget.ts'
import { repositoryIn } from '../../core/names.ts'

export type Shares = {
  /** How many turns a line waits behind others, for what its repository brought lately, with this. */
  readonly behind: (key: string) => number
  /** What a repository brought lately. */
  readonly lately: (repository: string) => number
}
type Level = { readonly brought: number; readonly at: number }

/** What is forgotten of it in a second: about what is handled. */
const FORGOTTEN_PER_SECOND = 50
const REPOSITORIES_MAX = 10_000

export function shares(nowMs: () => number): Shares {
  const levels = new Map<string, Level>()
  const left = ({ brought, at }: Level): number =>
    Math.max(0, brought - ((nowMs() - at) / 1_000) * FORGOTTEN_PER_SECOND)
  const lately = (repository: string): number => {
    const known = levels.get(repository)
    return known === undefined ? 0 : left(known)
  }
  return {
    lately,
    behind: (key) => {
      const repository = repositoryIn(key)
      const brought = lately(repository)
      levels.delete(repository)
      levels.set(repository, { brought: brought + 1, at: nowMs() })
      forgetOldest(levels, REPOSITORIES_MAX)
      return Math.floor(brought)
    },
  }
}
