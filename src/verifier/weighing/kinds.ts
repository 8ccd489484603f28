// The other ways to a verdict: a check's recorded result, and several kinds that must all pass. What nobody could answer is
// never a pass.
import type { Attempt } from '../../core/decision/model.ts'
import type { ReferReason, UnavailableReason } from '../../core/decision/verdict.ts'
import { excerpt } from './pattern.ts'

export type KindResult =
  | { readonly outcome: 'PASS' }
  | { readonly outcome: 'SOFT_FAIL'; readonly reason: string }
  | { readonly outcome: 'REFER'; readonly reason: ReferReason }
  | { readonly outcome: 'UNAVAILABLE'; readonly reason: UnavailableReason }

const COMPOSITE_REASON_MAX = 2_000

/** The suite's own result for this very commit, whatever any evaluator says. */
export function suiteResult({ contract, checks }: Attempt): KindResult {
  const name = contract.policy.verification.verifier.test_suite?.check
  const record = name === undefined ? undefined : checks[name]
  const missing: KindResult = { outcome: 'UNAVAILABLE', reason: 'no_result' }
  if (record === undefined) return missing
  switch (record.state) {
    case 'passed':
      return { outcome: 'PASS' }
    case 'failed':
      return { outcome: 'SOFT_FAIL', reason: `\`${name}\` failed with exit code ${record.result?.exit_code ?? 1}` }
    case 'timed_out':
      return { outcome: 'SOFT_FAIL', reason: `\`${name}\` ran out of time: VERIFICATION_TIMEOUT` }
    case 'running':
    case 'missing':
    case 'left_out':
      return missing
  }
}

/** All of them ran; the worst kind of answer decides, and every failure is named by its place in the list. */
export function compose(children: readonly KindResult[]): KindResult {
  const silent = children.find((child) => child.outcome === 'UNAVAILABLE')
  if (silent !== undefined) return silent
  const unsure = children.find((child) => child.outcome === 'REFER')
  if (unsure !== undefined) return unsure
  const failed = children.flatMap((child, index) =>
    child.outcome === 'SOFT_FAIL' ? [`[verifier ${index}] ${child.reason}`] : [],
  )
  if (children.length === 0) return { outcome: 'REFER', reason: 'no_probes' }
  return failed.length === 0
    ? { outcome: 'PASS' }
    : { outcome: 'SOFT_FAIL', reason: excerpt(failed.join('\n'), COMPOSITE_REASON_MAX) }
}

/** Whether the work claims to be done is another question, asked before and answered elsewhere. */
export type CompletionCheck = (work: Work) => Claim
export type Work = { readonly draft: boolean; readonly body: string; readonly closes: readonly number[] }
export type Claim = { readonly claimed: boolean; readonly warnings: readonly ('open_boxes' | 'no_issue')[] }

export const claimsCompletion: CompletionCheck = ({ draft, body, closes }) => ({
  claimed: !draft,
  warnings: [
    ...(/^\s*[-*+] \[ \]/m.test(body) ? (['open_boxes'] as const) : []),
    ...(closes.length === 0 ? (['no_issue'] as const) : []),
  ],
})
