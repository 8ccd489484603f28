// Which way an attempt is examined, and what keeps it from being examined at all: no model, one that cannot do it, or one
// that is too near to the builder's.
import { modelDistance } from '../../verifier/asking/identity.ts'
import { compose, suiteResult, type KindResult } from '../../verifier/weighing/kinds.ts'
import { finderModelOf } from '../../verifier/calls/money.ts'
import { tierOf } from './tier.ts'
import type { Asking } from './asking.ts'
import { keepable, plain, referred, unavailable, type Result, type Subject } from './conclusion.ts'
import { examineByEvaluator, examineByPatterns } from './pattern-kind.ts'
import type { Reading } from './reading.ts'
import { examineByRubric } from './rubric-kind.ts'
import { subjectOf, type Given } from './subject.ts'

type Kind = 'rubric' | 'response_pattern' | 'test_suite'

export async function examine(given: Given, asking: Asking | null, reading: Reading): Promise<Result> {
  const { verifier } = given.attempt.contract.policy.verification
  const { kind, model, require_different_model: demand } = verifier
  const kinds: readonly Kind[] = kind === 'composite' ? (verifier.all ?? []) : [kind]
  const distance = modelDistance(model, given.declaredModels)
  const remarks = demand === 'warn' && distance !== 'different' ? [distanceRemark[distance]] : []
  const { subject, isRead } = await subjectOf(given, reading, remarks)
  if (!isRead) return referred(subject, 'too_large')
  const asks = kinds.some(
    (one) =>
      (one === 'response_pattern' && verifier.evaluator === undefined) ||
      (one === 'rubric' && verifier.grader === 'llm'),
  )
  if (asks && asking === null) return unavailable(subject, 'no_key')
  if (asks && demand === 'enforce' && distance !== 'different')
    return referred(subject, 'same_model', distanceRemark[distance])
  if (asks && asking !== null && !(await canJudge(asking, modelsOf(verifier))))
    return unavailable(subject, 'capability')
  if (kind !== 'composite') return examineAs(kind, subject, asking, reading)
  const children = []
  for (const one of kinds) children.push(await examineAs(one, subject, asking, reading))
  return composed(subject, children)
}

/** All that have to answer. */
const modelsOf = (verifier: Subject['attempt']['contract']['policy']['verification']['verifier']): string[] => [
  verifier.model,
  ...verifier.votes_models,
  ...(verifier.finders > 0 && verifier.kind !== 'response_pattern' ? [finderModelOf(verifier)] : []),
]

export const distanceRemark = {
  same: 'The model that judges is of the family that built the change.',
  unknown: 'Which model built the change is not declared.',
} as const

export async function canJudge({ model, breakers, fallbackModel }: Asking, ids: readonly string[]): Promise<boolean> {
  const able = async (id: string): Promise<boolean> => {
    // Nobody could say now. Answers on record are good all the same.
    if (breakers.pausedUntil(id) !== null) return true
    const can = await model.describe(id)
    return can === 'unknown' || (can !== null && !can.retired && can.structured_outputs)
  }
  const known = await Promise.all([...new Set(ids)].map(able))
  // Whoever steps in is asked as it can be asked, too.
  if (fallbackModel !== null) await able(fallbackModel)
  return known.every(Boolean)
}

async function examineAs(kind: Kind, subject: Subject, asking: Asking | null, reading: Reading): Promise<Result> {
  switch (kind) {
    case 'rubric': {
      const { grader, grader_fallback } = subject.attempt.contract.policy.verification.verifier
      const result = await examineByRubric(subject, grader === 'heuristic' ? null : asking, tierOf(subject.attempt))
      const fallsBack = result.kind === 'unavailable' && grader_fallback === 'heuristic'
      return fallsBack ? examineByRubric(subject, null, 2) : result
    }
    case 'response_pattern':
      if (subject.attempt.contract.policy.verification.verifier.evaluator !== undefined)
        return examineByEvaluator(subject, reading)
      return asking === null ? unavailable(subject, 'no_key') : examineByPatterns(subject, asking, reading)
    case 'test_suite':
      return plain(subject, suiteResult(subject.attempt))
  }
}

/** The child with a rubric, where there is one, is told in full. */
function composed(subject: Subject, children: readonly Result[]): Result {
  const whole = compose(children.map(kindResult))
  const told = children.find((child) => child.kind === 'verdict' && child.examined.rubric !== null)
  const happened = children.flatMap((child) => child.happened.filter((event) => !subject.happened.includes(event)))
  const ended = plain(subject, whole)
  const raw = keepable(children.flatMap((child) => child.raw))
  if (ended.kind === 'unavailable') return { ...ended, raw, happened: [...ended.happened, ...happened] }
  if (told?.kind !== 'verdict') return { ...ended, raw, happened: [...ended.happened, ...happened] }
  const { confidence, objections, votes } = told.verdict
  return {
    ...ended,
    verdict: { ...ended.verdict, confidence, objections, votes },
    examined: told.examined,
    raw,
    happened: [...ended.happened, ...happened],
  }
}

function kindResult(result: Result): KindResult {
  if (result.kind === 'unavailable') return { outcome: 'UNAVAILABLE', reason: result.reason }
  const { outcome, reason_code, feedback, reasoning } = result.verdict
  if (outcome === 'PASS') return { outcome }
  if (outcome === 'REFER') return { outcome, reason: reason_code ?? 'cannot_tell' }
  return { outcome: 'SOFT_FAIL', reason: feedback ?? reasoning }
}
