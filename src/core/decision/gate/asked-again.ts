// What may be asked once more about the same commit: answers that say nothing about the code. An opinion on the same evidence
// stands.
import type { Attempt, GateRecord } from '../model.ts'
import type { ReferReason, VerifierRecord } from '../verdict.ts'

const noOpinion: readonly ReferReason[] = ['refused', 'truncated', 'malformed', 'budget']

export const isOpinion = (verifier: VerifierRecord): boolean =>
  verifier.phase === 'answered' && !noOpinion.some((reason) => reason === verifier.verdict.reason_code)

export const saidNothing = ({ verdict, report }: GateRecord): boolean =>
  report !== undefined &&
  (report.could_not_run !== null || (verdict === 'REFER' && noOpinion.some((reason) => reason === report.referred)))

/** The gates whose word is not one about the code. */
export const gatesToAsk = ({ gates }: Pick<Attempt, 'gates'>): GateRecord[] => Object.values(gates).filter(saidNothing)

/** What is left of the answers once somebody has asked for others. */
export function askedAgain({ verifier, gates }: Attempt): Pick<Attempt, 'verifier' | 'gates'> {
  return {
    verifier: isOpinion(verifier) ? verifier : { phase: 'idle' },
    gates: Object.fromEntries(Object.entries(gates).filter(([, record]) => !saidNothing(record))),
  }
}
