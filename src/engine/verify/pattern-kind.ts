// A plain answer read by two patterns: of a model, one call for each piece of the change, and every piece must pass; or of
// an evaluator from outside, whose check is on record for this very commit, and then no model is asked.
import type { CheckRecord } from '../../core/decision/model.ts'
import { Ended, forth } from '../../core/chain.ts'
import { beyondLimits } from '../../core/contract/problem.ts'
import { compiled } from '../../core/linear-pattern.ts'
import { defaultFail, defaultPass } from '../../verifier/weighing/pattern.ts'
import { patternRequest, type Brief } from '../../verifier/asking/prompt.ts'
import { dollarsPlanned } from '../../verifier/calls/money.ts'
import { rubricOf } from '../../verifier/asking/rubric.ts'
import { put, type Asking } from './asking/asking.ts'
import { barOf, plain, referred, unasked, unavailable, type Result, type Subject } from './conclusion.ts'
import { questionsOf } from './questions.ts'
import type { Reading } from './reading.ts'

export async function examineByPatterns(subject: Subject, asking: Asking, reading: Reading): Promise<Result> {
  const { attempt, past, redact, keyed, packed } = subject
  const { verifier } = attempt.contract.policy.verification
  const patterns = patternsOf(subject)
  if (patterns === null) return referred(subject, 'malformed', wrongPattern)
  const rubric = rubricOf(attempt.contract.policy)
  const asked = await questionsOf({ attempt, rubric, redact, keyed, known: past.known, steps: subject.steps }, asking)
  const { probes, raw } = asked
  const soFar = { happened: asked.happened, raw }
  if (asked.failure !== null) return unasked(subject, asked.failure, soFar)
  const own = probes.filter(({ source }) => source !== 'rubric')
  const brief: Brief = { attempt, probes: own, rubric, packed, earlier: past.earlier, redact, keyed, ttl: past.ttl }
  const planned = packed.chunks.map((chunk) => patternRequest(brief, chunk, verifier.model))
  const usd = dollarsPlanned(planned, asking.budget.prices)
  const dispatch = { asking, questions: asked, tier: 2, calls: planned.length, usd } as const
  const begun = await forth(subject.steps.coordination, ({ beforeDispatch }) => beforeDispatch, dispatch)
  if (begun instanceof Ended) return unasked(subject, begun.as, soFar)
  const { happened } = begun.questions
  const failures: string[] = []
  for (const chunk of packed.chunks) {
    const reply = await put(asking, {
      purpose: 'response_pattern',
      request: () => patternRequest(brief, chunk, verifier.model),
      read: (text) => ({ ok: true, value: text }),
    })
    if (reply.kind === 'unavailable') return unavailable(subject, reply.reason, happened, raw)
    if (reply.kind === 'refer') return referred(subject, reply.reason, reply.detail, { happened, raw })
    const answer = await reading.answer({ text: reply.value, ...patterns })
    if (answer === null)
      return referred(subject, 'malformed', beyondLimits('The answer of the model'), { happened, raw })
    if (!answer.passed) failures.push(answer.reason)
  }
  const more = { happened, raw }
  if (failures.length > 0) return plain(subject, { outcome: 'SOFT_FAIL', reason: failures.join('\n') }, more)
  const bar = barOf(subject)
  if (bar !== null) return referred(subject, bar.reason, bar.words, more)
  return plain(subject, { outcome: 'PASS' }, more, 'The answer matches the passing pattern.')
}

/** What the evaluator said of this commit. One that has not answered has said nothing; one that failed has objected. */
export async function examineByEvaluator(subject: Subject, reading: Reading): Promise<Result> {
  const { checks, contract } = subject.attempt
  const { evaluator = '' } = contract.policy.verification.verifier
  const record = checks[evaluator]
  const patterns = patternsOf(subject)
  if (patterns === null) return referred(subject, 'malformed', wrongPattern)
  if (record === undefined || record.result === null) return unavailable(subject, 'no_result')
  const answer = record.state === 'passed' ? await reading.answer({ text: record.result.output, ...patterns }) : null
  if (record.state !== 'passed') return plain(subject, { outcome: 'SOFT_FAIL', reason: failedWords(record) })
  if (answer === null) return referred(subject, 'malformed', beyondLimits(`What \`${evaluator}\` printed`))
  if (!answer.passed) return plain(subject, { outcome: 'SOFT_FAIL', reason: `\`${evaluator}\`: ${answer.reason}` })
  return plain(subject, { outcome: 'PASS' }, {}, `What \`${evaluator}\` printed matches the passing pattern.`)
}

const failedWords = ({ name, state, result }: CheckRecord): string =>
  `\`${name}\` ${state === 'timed_out' ? 'ran out of time' : `failed with exit code ${result?.exit_code ?? 1}`}`

const wrongPattern = 'USER_INVALID_CONFIG: a pattern does not compile'

function patternsOf({ attempt }: Subject): { readonly pass: string; readonly fail: string } | null {
  const { pass_pattern: pass = defaultPass, fail_pattern: fail = defaultFail } =
    attempt.contract.policy.verification.verifier
  return compiled(pass) === null || compiled(fail) === null ? null : { pass, fail }
}
