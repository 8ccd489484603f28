// The signature of a failure: two attempts with the same one failed in the same way, so that nothing was gained between
// them. It is made of the tests and problems that failed, of paths and of objections, never of a check's name and code
// alone: a suite that fails on another test than before has moved. Where nothing more is known there is none.
import { canonical } from '../../canonical.ts'
import { blankDigits, failingNames } from './failing.ts'
import type { Attempt } from '../model.ts'
import type { Decision } from '../decision.ts'

/** Null where the attempt has not failed, not through anything that its builder did, or nobody can tell how. */
export function failureSignature(attempt: Attempt): string | null {
  const { decision } = attempt
  if (decision === null || (decision.status !== 'retry' && decision.status !== 'failed')) return null
  const told = toldBy(attempt, decision)
  return told === null || told.length === 0 ? null : canonical([decision.row, [...new Set(told)].sort()])
}

function toldBy(attempt: Attempt, decision: Decision): readonly string[] | null {
  switch (decision.row) {
    case 'scope':
      return attempt.scope_violations.map(({ path }) => path)
    case 'tier1':
      return all(
        decision.reasons
          .filter(isFailure)
          .map(({ subject, detail }) => (detail === null ? null : [`${subject ?? ''}: ${blankDigits(detail)}`])),
      )
    case 'checks':
      return all(
        decision.reasons
          .filter(isFailure)
          .map(({ code, subject }) =>
            code === 'VERIFICATION_CHECK_FAILED' ? failingIn(attempt, subject ?? '') : null,
          ),
      )
    case 'hard':
    case 'soft':
      return objectionsOf(attempt)
    case 'block':
      return decision.reasons
        .filter(isFailure)
        .flatMap(({ subject, detail }) => (detail === null ? [] : [`${subject ?? ''}: ${blankDigits(detail)}`]))
    case 'invalid':
    case 'rejected':
    case 'approved':
    case 'spent':
    case 'protected':
    case 'pending':
    case 'unavailable':
    case 'refer':
    case 'vacuous':
    case 'review':
    case 'confirmation':
    case 'parallel':
    case 'success':
      return null
  }
}

/** That a limit was reached, or that the verifier objects too, says nothing about how a check failed. */
const isFailure = ({ code }: Decision['reasons'][number]): boolean =>
  !code.startsWith('POLICY_') && code !== 'VERIFICATION_AGENT_REJECTED'

/** One part of which nothing is known may be a part that got better. */
function all(parts: readonly (readonly string[] | null)[]): readonly string[] | null {
  const known = parts.filter((part) => part !== null && part.length > 0)
  return known.length < parts.length ? null : known.flatMap((part) => part ?? [])
}

const failingIn = ({ checks }: Attempt, name: string): string[] =>
  failingNames(checks[name]?.result?.output ?? '').map((failing) => `${name}: ${failing}`)

/** Ids are kept as they are: without its digits one probe could not be told from another. */
function objectionsOf({ verifier }: Attempt): readonly string[] {
  if (verifier.phase !== 'answered') return []
  const { objections, feedback } = verifier.verdict
  if (objections.length > 0) return objections
  return feedback === null || feedback.trim() === '' ? [] : [blankDigits(feedback)]
}
