// What a gate answers where nobody could judge: nobody to ask is no reason to stop a change unless the policy says so, and it is
// said; what the change itself can bring about always goes to a person, and so does what was found before and would block.
import { priceTable } from '../../core/contract/policy/prices.ts'
import type { RawAnswer } from '../../core/decision/examined.ts'
import { weighed, type GateReport } from '../../core/decision/gate-report.ts'
import type { GateName } from '../../core/decision/model.ts'
import { gateSummary } from '../../core/words/gate-review.ts'
import { sayUnavailable } from '../../core/words/say.ts'
import { referWords } from '../../core/words/verifier-review.ts'
import type { GateAnswer } from '../../ports.ts'
import { evaluation, generatorOf } from '../../verifier/asking/identity.ts'
import type { Asking } from './asking/asking.ts'
import type { Failure } from './failure.ts'
import { keepable, recordableReport } from './recordable.ts'
import type { Given } from './subject.ts'

export type Answer = Omit<GateAnswer, 'elapsed_ms'>
/** What was found, without who found it. */
export type Report = Pick<
  GateReport,
  'findings' | 'repaired' | 'dropped' | 'remarks' | 'reused' | 'coverage' | 'pages'
> & {
  readonly raw: readonly RawAnswer[]
}
export const nothingFound: Report = {
  findings: [],
  repaired: [],
  dropped: {},
  remarks: [],
  raw: [],
  reused: false,
  coverage: { shown: 0, changed: 0 },
}

export const noKey: Failure = { kind: 'unavailable', reason: 'no_key' }

type Judge = Pick<Given, 'attempt' | 'evaluator'>

/** `found`: what counts although nobody answers, such as findings of earlier attempts. */
export function unanswered(
  judge: Judge,
  asking: Asking | null,
  gate: GateName,
  failure: Failure,
  found: Report,
): Answer {
  const { security } = judge.attempt.contract.policy
  if (failure.kind === 'refer') {
    const { reason, detail } = failure
    const summary = [referWords[reason], ...(detail === null ? [] : [detail])].join(': ')
    return { verdict: 'REFER', summary, ...told(judge, asking, found, { referred: reason }) }
  }
  const why = sayUnavailable(failure.reason)
  const report = told(judge, asking, found, { could_not_run: why })
  // Silence lifts no block.
  if (weighed(found.findings, security.autonomy) === 'BLOCK')
    return { verdict: 'REFER', summary: `${why}, and this stands: ${gateSummary(found.findings)}`, ...report }
  // What was sent is refused for a change as well as for a setting, and a change passes by nothing that it brings about.
  if (failure.of_request === true || security[gate].on_error === 'refer')
    return { verdict: 'REFER', summary: why, ...report }
  return { verdict: 'PASS_WITH_FINDINGS', summary: `could not run: ${why}`, ...report }
}

export function told(
  { attempt, evaluator }: Judge,
  asking: Asking | null,
  { raw, ...found }: Report,
  { could_not_run = null, referred = null }: Partial<Pick<GateReport, 'could_not_run' | 'referred'>> = {},
): Pick<Answer, 'report' | 'raw'> {
  const calls = asking?.calls ?? []
  const usd = calls.reduce((sum, one) => sum + one.usd, 0)
  const cost = { usd, price_table: priceTable, calls: [...calls] }
  return {
    report: evaluation(evaluator, generatorOf(attempt), { ...recordableReport(found), could_not_run, referred, cost }),
    raw: keepable(raw),
  }
}
