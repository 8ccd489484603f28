// Steps on the way of a task from its criteria to a verdict: what is planned, whether it may be begun, what is still open of
// earlier attempts, and what stands still.
import { Ended } from '../../../core/chain.ts'
import { isVague } from '../../../core/contract/task/clear-criteria.ts'
import { plural } from '../../../core/words/text/plural.ts'
import type { Criterion } from '../../../verifier/asking/probes.ts'
import { mayBegin } from '../../../verifier/calls/money.ts'
import type { CoordinationStep, Ending } from './step.ts'

/** Of words that say nothing that could be checked nobody makes questions: they would be somebody else's criteria. */
export const clarificationGate: CoordinationStep = {
  name: 'clarification_gate',
  beforeDecompose: ({ attempt, criteria, verbatim }) => {
    const { clarification } = attempt.contract.policy.intake
    const isUnclear = ({ source, text }: Criterion): boolean =>
      clarification !== 'off' && source !== 'policy' && source !== 'rubric' && isVague(text)
    return {
      attempt,
      criteria: criteria.filter((one) => !isUnclear(one)),
      verbatim: [...verbatim, ...criteria.filter(isUnclear)],
    }
  },
}

/** What is about to be asked goes on record with what came of it. */
export const taskLedger: CoordinationStep = {
  name: 'task_ledger',
  beforeDispatch: (dispatch) => {
    const { questions, tier, calls, usd } = dispatch
    const data = { tier, questions: questions.probes.length, calls, usd }
    const happened = [...questions.happened, { type: 'VerificationPlanned', data } as const]
    return { ...dispatch, questions: { ...questions, happened } }
  },
}

/** Nothing is begun that asks nothing of the task, or that cannot be paid to its end. What is on record costs nothing. */
export const planReviewGate: CoordinationStep = {
  name: 'plan_review_gate',
  afterDecompose: (questions) =>
    questions.ofTask || questions.failure !== null
      ? questions
      : new Ended({ kind: 'refer', reason: 'no_probes', detail: null }),
  beforeDispatch: (dispatch) => {
    const { asking, calls, usd } = dispatch
    if (calls === 0) return dispatch
    const { before, paid, taskUsd } = asking
    const spent = before.reduce((sum, one) => sum + one.usd, 0)
    const planned = { calls: before.length + paid.calls + calls, usd: spent + paid.usd + usd }
    const permit = mayBegin(asking.budget, planned, taskUsd - spent)
    return permit.ok ? dispatch : new Ended({ kind: 'refer', reason: 'budget', detail: permit.why })
  },
}

/** What earlier attempts left open, and what somebody overruled since, stays on record beside what is new. */
export const progressLedger: CoordinationStep = {
  name: 'progress_ledger',
  afterRollup: ({ subject, result }) => {
    const { open, overruled } = subject.past
    const own = result.examined.ledger.length === 0 ? open : result.examined.ledger
    const ledger = [...own, ...overruled.filter(({ id }) => !own.some((item) => item.id === id))]
    return { subject, result: { ...result, examined: { ...result.examined, ledger } } }
  },
}

/** An objection that outlives this many attempts is hardly met by another one. */
const ATTEMPTS_STALLED = 2
const NAMED_MAX = 3

/** Whoever tries the same in vain is told to try less. */
export const coordinationReplan: CoordinationStep = {
  name: 'coordination_replan',
  afterRollup: (ending) => {
    const { attempt, past } = ending.subject
    const standing = ending.result.examined.ledger
      .filter(({ status }) => status === 'open')
      .map(({ id }) => ({ id, attempts: attempt.ordinal - (past.raisedAt.get(id) ?? attempt.ordinal) }))
      .filter(({ attempts }) => attempts >= ATTEMPTS_STALLED)
    const words = standing.map(
      ({ id, attempts }) =>
        `[${id}] has outlived ${plural(attempts, 'attempt', 'attempts')}: a task of its own, or a narrower one, may settle it.`,
    )
    return remarked(ending, words.slice(0, NAMED_MAX))
  },
}

function remarked({ subject, result }: Ending, words: readonly string[]): Ending {
  const { examined } = result
  return { subject, result: { ...result, examined: { ...examined, remarks: [...examined.remarks, ...words] } } }
}

/** Words of rank in the text of the task go no further than the record. */
export const authorityDeferenceCoordination: CoordinationStep = {
  name: 'authority_deference_coordination',
  beforeUpdateParent: ({ subject, result }) => ({
    subject,
    result: { ...result, happened: [...result.happened, ...subject.ranked] },
  }),
}
