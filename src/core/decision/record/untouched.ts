// How an attempt and its builders begin.
import type { Builder } from '../../people/people.ts'
import type { Attempt } from '../model.ts'

/** What an attempt knows before anything has been reported. */
export const untouched = {
  state: 'none',
  live: true,
  files: null,
  files_complete: true,
  paths: null,
  scope_violations: [],
  policy_copy: null,
  tier1: null,
  checks: {},
  obstacle: null,
  refused: [],
  waited: false,
  verifier: { phase: 'idle' },
  gates: {},
  acts: [],
  asked: [],
  confirmed_by: null,
  merged_by: null,
  decision: null,
} as const satisfies Partial<Attempt>

/** Everybody who ever made a part of the task stays its builder. */
export function joined(builders: readonly Builder[], more: readonly Builder[]): readonly Builder[] {
  const together = new Map(builders.map((builder) => [builder.login.toLowerCase(), builder]))
  for (const builder of more) {
    const known = together.get(builder.login.toLowerCase())
    const via = [...new Set([...(known?.via ?? []), ...builder.via])]
    together.set(builder.login.toLowerCase(), { ...builder, via })
  }
  return [...together.values()]
}
