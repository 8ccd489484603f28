// Which changed paths a contract allows, and which of them need somebody to look first. Never the model's business.
import type { ChangedFile, ScopeViolation } from '../decision/model.ts'
import { matchesAny, reachesBelow } from './glob.ts'
import type { Scope } from './policy/policy.ts'

export type ScopeRule = { readonly [Key in keyof Pick<Scope, 'write' | 'deny'>]: readonly string[] }

/** These decide how everything else is judged, so no policy can leave them unprotected. */
export const policyFile = '.github/countersign.yml'
const alwaysProtected = [policyFile, '.github/workflows/**']

/** Whether a policy is there afterwards that this change has touched. */
export const bringsPolicy = (files: readonly ChangedFile[]): boolean =>
  files.some(({ path, status }) => path === policyFile && status !== 'removed')

/** `below`: all that lies below the path is another one, as where a submodule is. */
export type Touched = { readonly path: string; readonly below: boolean }

/** A rename touches the path it leaves and the path it arrives at. */
export function touched(files: readonly ChangedFile[]): Touched[] {
  const found = new Map<string, Touched>()
  for (const { path: arrives, previous_path: leaves, submodule = false } of files)
    for (const path of leaves === null ? [arrives] : [leaves, arrives])
      found.set(path, { path, below: submodule || found.get(path)?.below === true })
  return [...found.values()]
}

export const touchedPaths = (files: readonly ChangedFile[]): string[] => touched(files).map(({ path }) => path)

/** Whether one of the patterns is about what was touched. */
export const concerns = (patterns: readonly string[], { path, below }: Touched): boolean =>
  matchesAny(patterns, path) || (below && patterns.some((pattern) => reachesBelow(pattern, path)))

/** So many are named; one alone decides. Each goes on record with what the rule says, as far as that can be shown. */
const VIOLATIONS_MAX = 200
const PATTERNS_SHOWN_MAX = 20

/** A path must be writable under every rule; `deny` beats `write`. */
export function scopeViolations(files: readonly ChangedFile[], rules: readonly ScopeRule[]): ScopeViolation[] {
  const found = touched(files).flatMap((one) => {
    const { path } = one
    for (const { write, deny } of rules) {
      const denied = concerns(deny, one)
      if (!denied && matchesAny(write, path)) continue
      const violation_type = denied ? 'denied' : 'outside_write'
      const [allowed, patterns] = [write.slice(0, PATTERNS_SHOWN_MAX), deny.slice(0, PATTERNS_SHOWN_MAX)]
      return [{ violation_type, path, allowed, denied: patterns } satisfies ScopeViolation]
    }
    return []
  })
  return found.slice(0, VIOLATIONS_MAX)
}

export function protectedPaths(files: readonly ChangedFile[], patterns: readonly string[]): string[] {
  const all = [...alwaysProtected, ...patterns]
  return touched(files).flatMap((one) => (concerns(all, one) ? [one.path] : []))
}
