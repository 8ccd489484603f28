// What is asked of GitHub and of the verifier, in words. Under these it stands among the faults of an attempt that the asking of it
// failed through a fault of ours, until it goes well.
import type { Attempt } from '../model.ts'
import type { Input } from '../rules/inputs.ts'
import type { Question } from './owed.ts'

export const doingWords = {
  files: 'reading the changed files',
  policy_copy: 'reading the copy of the policy',
  stages: 'reading whom the review stages ask',
  results: 'reading the results',
  verdict: 'asking the verifier',
  gate: 'asking a gate',
} as const satisfies Record<Question['kind'], string>

const all: readonly string[] = Object.values(doingWords)

/** As it would be if nothing that was asked had failed; what that one would ask is asked again. */
export function withoutFailures(attempt: Attempt): Attempt {
  const faults = Object.entries(attempt.faults)
  const others = faults.filter(([doing]) => !all.includes(doing))
  return others.length === faults.length ? attempt : { ...attempt, faults: Object.fromEntries(others) }
}

/** It went well. */
export const wentWell = ({ id: attempt_id, faults }: Attempt, kind: Question['kind']): readonly Input[] =>
  faults[doingWords[kind]] === undefined
    ? []
    : [{ type: 'note_fault', attempt_id, doing: doingWords[kind], what: null }]
