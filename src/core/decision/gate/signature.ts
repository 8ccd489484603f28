// The signature of a failure: two attempts with the same one failed in the same way, so that nothing was gained between
// them. It is made of the stage, the codes and the names; numbers in names are blanked, since line numbers, shard numbers
// and counts move without anything getting better.
import { canonical } from '../../canonical.ts'
import type { Attempt } from '../model.ts'

/** Null where the attempt has not failed, or not through anything that its builder did to this commit. */
export function failureSignature(attempt: Attempt): string | null {
  const { decision } = attempt
  if (decision === null || (decision.status !== 'retry' && decision.status !== 'failed')) return null
  if (['rejected', 'spent', 'invalid', 'unavailable'].includes(decision.row)) return null
  // That the limit was reached says nothing about how this attempt failed.
  const failures = decision.reasons.filter(({ code }) => !code.startsWith('POLICY_'))
  const reasons = failures.map(({ code, subject }) => `${code} ${blankDigits(subject ?? '')}`)
  // Below the verifier's own rows its objections are advice, and other advice on the same failure is no progress.
  const objections = decision.row === 'hard' || decision.row === 'soft' ? objectionsOf(attempt) : []
  return canonical([decision.row, sorted(reasons), sorted(objections)])
}

/** Ids are kept as they are: without its digits one probe could not be told from another. */
function objectionsOf({ verifier }: Attempt): readonly string[] {
  if (verifier.phase !== 'answered') return []
  const { objections, feedback } = verifier.verdict
  return objections.length > 0 ? objections : [blankDigits(feedback ?? '')]
}

const blankDigits = (text: string): string => text.replace(/\d/g, '#')
const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort()
