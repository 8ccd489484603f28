// Which changed paths a contract allows, and which of them need somebody to look first. Never the model's business.
import type { ChangedFile, ScopeViolation } from '../decision/model.ts'
import { matchesAny } from './glob.ts'
import type { Scope } from './policy/policy.ts'

export type ScopeRule = { readonly [Key in keyof Pick<Scope, 'write' | 'deny'>]: readonly string[] }

/** These decide how everything else is judged, so no policy can leave them unprotected. */
export const policyFile = '.github/countersign.yml'
const alwaysProtected = [policyFile, '.github/workflows/**']

/** Whether a policy is there afterwards that this change has touched. */
export const bringsPolicy = (files: readonly ChangedFile[]): boolean =>
  files.some(({ path, status }) => path === policyFile && status !== 'removed')

/** A rename touches the path it leaves and the path it arrives at. */
export function touchedPaths(files: readonly ChangedFile[]): string[] {
  const paths = files.flatMap((file) => (file.previous_path === null ? [file.path] : [file.previous_path, file.path]))
  return [...new Set(paths)]
}

/** So many are named; one alone decides. Each goes on record with what the rule says, as far as that can be shown. */
const VIOLATIONS_MAX = 200
const PATTERNS_SHOWN_MAX = 20

/** A path must be writable under every rule; `deny` beats `write`. */
export function scopeViolations(files: readonly ChangedFile[], rules: readonly ScopeRule[]): ScopeViolation[] {
  const found = touchedPaths(files).flatMap((path) => {
    for (const { write, deny } of rules) {
      const denied = matchesAny(deny, path)
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
  return touchedPaths(files).filter((path) => matchesAny(all, path))
}
