// How an attempt and its builders begin.
import { mayBeSame, type Builder } from '../../people/people.ts'
import type { Attempt } from '../model.ts'

/** What an attempt knows before anything has been reported. */
export const untouched = {
  state: 'none',
  live: true,
  files: null,
  files_complete: true,
  paths: null,
  scope_violations: [],
  ahead: { pulls: [], gone: [] },
  stages: null,
  stage_results: {},
  drift: null,
  diff: null,
  policy_copy: null,
  policy_effect: [],
  tier1: null,
  checks: {},
  obstacle: null,
  refused: [],
  waited: false,
  verifier: { phase: 'idle' },
  gates: {},
  screenshots: null,
  acts: [],
  asked: [],
  faults: {},
  confirmed_by: null,
  merged: null,
  deployments: [],
  regressions: [],
  merged_by: null,
  decision: null,
} as const satisfies Partial<Attempt>

/** Everybody who ever made a part of the task stays its builder. */
export function joined(builders: readonly Builder[], more: readonly Builder[]): readonly Builder[] {
  const together = [...builders]
  for (const builder of more) {
    const index = together.findIndex((one) => isOne(one, builder))
    const known = together[index]
    const via = [...new Set([...(known?.via ?? []), ...builder.via])]
    const merged = { ...builder, id: builder.id ?? known?.id ?? null, via }
    if (known === undefined) together.push(merged)
    else together[index] = merged
  }
  return together
}

/** Whoever took over the name of a builder is another account, and both stay. */
const isOne = (one: Builder, other: Builder): boolean =>
  one.id === null || other.id === null ? mayBeSame(one, other) : one.id === other.id
