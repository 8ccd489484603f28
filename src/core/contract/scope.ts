// Which changed paths a contract allows, and which of them need somebody to look first. Never the model's business.
import type { ChangedFile, ScopeViolation } from '../decision/model.ts'
import { matchesAny } from './glob.ts'
import type { Scope } from './policy.ts'

export type ScopeRule = { readonly [Key in keyof Pick<Scope, 'write' | 'deny'>]: readonly string[] }

/** These decide how everything else is judged, so no policy can leave them unprotected. */
export const policyFile = '.github/countersign.yml'
const alwaysProtected = [policyFile, '.github/workflows/**']

/** A rename touches the path it leaves and the path it arrives at. */
export function touchedPaths(files: readonly ChangedFile[]): string[] {
  const paths = files.flatMap((file) => (file.previous_path === null ? [file.path] : [file.previous_path, file.path]))
  return [...new Set(paths)]
}

/** A path must be writable under every rule; `deny` beats `write`. */
export function scopeViolations(files: readonly ChangedFile[], rules: readonly ScopeRule[]): ScopeViolation[] {
  return touchedPaths(files).flatMap((path) => {
    for (const { write, deny } of rules) {
      const denied = matchesAny(deny, path)
      if (!denied && matchesAny(write, path)) continue
      const violation_type = denied ? 'denied' : 'outside_write'
      return [{ violation_type, path, allowed: write, denied: deny } satisfies ScopeViolation]
    }
    return []
  })
}

export function protectedPaths(files: readonly ChangedFile[], patterns: readonly string[]): string[] {
  const all = [...alwaysProtected, ...patterns]
  return touchedPaths(files).filter((path) => matchesAny(all, path))
}
