// A plain answer read by two patterns: one call for each piece of the change, and every piece must pass.
import { beyondLimits } from '../../core/contract/problem.ts'
import { compiled } from '../../core/linear-pattern.ts'
import { defaultFail, defaultPass } from '../../verifier/weighing/pattern.ts'
import { patternRequest, type Brief } from '../../verifier/asking/prompt.ts'
import { rubricOf } from '../../verifier/asking/rubric.ts'
import { put, type Asking } from './asking.ts'
import { barOf, plain, referred, unasked, unavailable, type Result, type Subject } from './conclusion.ts'
import { questionsOf } from './questions.ts'
import type { Reading } from './reading.ts'

export async function examineByPatterns(subject: Subject, asking: Asking, reading: Reading): Promise<Result> {
  const { attempt, past, redact, keyed, packed } = subject
  const { verifier } = attempt.contract.policy.verification
  const [pass, fail] = [verifier.pass_pattern ?? defaultPass, verifier.fail_pattern ?? defaultFail]
  if (compiled(pass) === null || compiled(fail) === null)
    return referred(subject, 'malformed', 'USER_INVALID_CONFIG: a pattern does not compile')
  const rubric = rubricOf(attempt.contract.policy)
  const { probes, ofTask, happened, raw, failure } = await questionsOf(
    { attempt, rubric, redact, keyed, known: past.known },
    asking,
  )
  if (failure !== null) return unasked(subject, failure, { happened, raw })
  if (!ofTask) return referred(subject, 'no_probes', null, { happened, raw })
  const own = probes.filter(({ source }) => source !== 'rubric')
  const brief: Brief = { attempt, probes: own, rubric, packed, earlier: past.earlier, redact, keyed, ttl: past.ttl }
  const failures: string[] = []
  for (const chunk of packed.chunks) {
    const reply = await put(asking, {
      purpose: 'response_pattern',
      request: () => patternRequest(brief, chunk, verifier.model),
      read: (text) => ({ ok: true, value: text }),
    })
    if (reply.kind === 'unavailable') return unavailable(subject, reply.reason, happened, raw)
    if (reply.kind === 'refer') return referred(subject, reply.reason, reply.detail, { happened, raw })
    const answer = await reading.answer({ text: reply.value, pass, fail })
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
