// Which way an attempt is examined, and the steps that stand around all of them.
import { back, forth, whole } from '../../core/chain.ts'
import { compose, suiteResult, type KindResult } from '../../verifier/weighing/kinds.ts'
import { finderModelOf } from '../../verifier/calls/money.ts'
import { tierOf } from './tier.ts'
import type { Asking } from './asking/asking.ts'
import { plain, unasked, unavailable, type Result, type Subject } from './conclusion.ts'
import { examineByEvaluator, examineByPatterns } from './pattern-kind.ts'
import type { Reading } from './reading.ts'
import { examineByRubric } from './rubric-kind.ts'
import type { Ending } from './steps/step.ts'
import { subjectOf, type Given } from './subject.ts'

type Verifier = Subject['attempt']['contract']['policy']['verification']['verifier']
type Kind = 'rubric' | 'response_pattern' | 'test_suite'

export async function examine(given: Given, asking: Asking | null, reading: Reading): Promise<Result> {
  const { verifier } = given.attempt.contract.policy.verification
  const models = kindsOf(verifier).some((one) => isAsked(one, verifier)) ? modelsOf(verifier) : []
  const { subject, failure } = await subjectOf(given, { asking, models, gate: null }, reading)
  const result = failure === null ? await examined(subject, asking, reading) : unasked(subject, failure)
  return result.kind === 'verdict' ? summedUp({ subject, result }) : result
}

const kindsOf = ({ kind, all = [] }: Verifier): readonly Kind[] => (kind === 'composite' ? all : [kind])

const isAsked = (kind: Kind, { evaluator, grader }: Verifier): boolean =>
  (kind === 'response_pattern' && evaluator === undefined) || (kind === 'rubric' && grader === 'llm')

/** All that have to answer. */
const modelsOf = (verifier: Verifier): string[] => [
  verifier.model,
  ...verifier.votes_models,
  ...(verifier.finders > 0 && verifier.kind !== 'response_pattern' ? [finderModelOf(verifier)] : []),
]

async function summedUp(ending: Ending): Promise<Result> {
  const { verifier, coordination } = ending.subject.steps
  const rolled = whole(await back(coordination, ({ afterRollup }) => afterRollup, ending))
  const ended = whole(await back(verifier, ({ afterAgent }) => afterAgent, rolled))
  return whole(await forth(coordination, ({ beforeUpdateParent }) => beforeUpdateParent, ended)).result
}

async function examined(subject: Subject, asking: Asking | null, reading: Reading): Promise<Result> {
  const { verifier } = subject.attempt.contract.policy.verification
  if (verifier.kind !== 'composite') return examineAs(verifier.kind, subject, asking, reading)
  const children = []
  for (const one of kindsOf(verifier)) children.push(await examineAs(one, subject, asking, reading))
  return composed(subject, children)
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
  const raw = children.flatMap((child) => child.raw)
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
