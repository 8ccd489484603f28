// Where two changes write the same places: both touch a path, or one touches what the task of the other declares for itself. Only
// paths are held against patterns, never patterns against each other, so that each place is one that somebody can look at.
import { matchesAny } from './glob.ts'
import type { TaskScope } from './task/contract.ts'

/** What of these paths a task declares that it writes. One that declares nothing has not reserved everything. */
export function declaredPaths(paths: readonly string[], { write, deny }: TaskScope): string[] {
  if (write === null) return []
  return paths.filter((path) => matchesAny(write, path) && !matchesAny(deny, path))
}
