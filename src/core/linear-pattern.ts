// Patterns that come from policies, on an engine whose time grows with the text and nothing else.
import { RE2JS } from 're2js'

/** Null for one that does not compile. */
export function compiled(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return null
  }
}
