// Which way an attempt is examined, and what keeps it from being examined at all: no model, one that cannot do it, or one
// that is too near to the builder's.
import type { Attempt } from '../../core/decision/model.ts'
import { matchesAny } from '../../core/contract/glob.ts'
import { authorityIn, type Spoken } from '../../verifier/authority.ts'
import { hunksOf, type Change, type Hit } from '../../verifier/change.ts'
import { holdsSecret } from '../../core/secret-formats.ts'
import { hiddenIn, type Hidden } from '../../verifier/hidden-text.ts'
import { modelDistance } from '../../verifier/identity.ts'
import { compose, suiteResult, type KindResult } from '../../verifier/kinds.ts'
import { pack } from '../../verifier/pack.ts'
import { tierOf } from './tier.ts'
import type { Asking } from './asking.ts'
import { keepable, plain, referred, unavailable, type Result, type Subject } from './conclusion.ts'
import { examineByPatterns } from './pattern-kind.ts'
import { examineByRubric } from './rubric-kind.ts'

type Given = Pick<Subject, 'attempt' | 'change' | 'past' | 'redact' | 'keyed' | 'evaluator'> & {
  readonly declaredModels: readonly string[]
}
type Kind = 'rubric' | 'response_pattern' | 'test_suite'

export async function examine(given: Given, asking: Asking | null): Promise<Result> {
  const { verifier } = given.attempt.contract.policy.verification
  const { kind, model, require_different_model: demand } = verifier
  const kinds: readonly Kind[] = kind === 'composite' ? (verifier.all ?? []) : [kind]
  const distance = modelDistance(model, given.declaredModels)
  const subject = subjectOf(given, demand === 'warn' && distance !== 'different' ? [distanceRemark[distance]] : [])
  const asks = kinds.some((one) => one === 'response_pattern' || (one === 'rubric' && verifier.grader === 'llm'))
  if (asks && asking === null) return unavailable(subject, 'no_key')
  if (asks && demand === 'enforce' && distance !== 'different')
    return referred(subject, 'same_model', distanceRemark[distance])
  if (asks && asking !== null && !(await canJudge(asking, model))) return unavailable(subject, 'capability')
  if (kind !== 'composite') return examineAs(kind, subject, asking)
  const children = []
  for (const one of kinds) children.push(await examineAs(one, subject, asking))
  return composed(subject, children)
}

const distanceRemark = {
  same: 'The model that judges is of the family that built the change.',
  unknown: 'Which model built the change is not declared.',
} as const

async function canJudge({ model, breakers }: Asking, id: string): Promise<boolean> {
  // Nobody could say now. Answers on record are good all the same.
  if (breakers.pausedUntil(id) !== null) return true
  const can = await model.describe(id)
  return can === 'unknown' || (can !== null && !can.retired && can.structured_outputs)
}

async function examineAs(kind: Kind, subject: Subject, asking: Asking | null): Promise<Result> {
  switch (kind) {
    case 'rubric': {
      const { grader, grader_fallback } = subject.attempt.contract.policy.verification.verifier
      const result = await examineByRubric(subject, grader === 'heuristic' ? null : asking, tierOf(subject.attempt))
      const fallsBack = result.kind === 'unavailable' && grader_fallback === 'heuristic'
      return fallsBack ? examineByRubric(subject, null, 2) : result
    }
    case 'response_pattern':
      return asking === null ? unavailable(subject, 'no_key') : examineByPatterns(subject, asking)
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
  if (ended.kind === 'unavailable') return { ...ended, happened: [...ended.happened, ...happened] }
  const raw = keepable(children.flatMap((child) => (child.kind === 'verdict' ? child.raw : [])))
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

/** What deterministic reading finds before any model is asked. */
function subjectOf({ declaredModels: _models, ...given }: Given, remarks: readonly string[]): Subject {
  const { attempt, change, redact } = given
  const { policy } = attempt.contract
  const { verifier } = policy.verification
  const packed = pack(change, redact, { protectedPaths: policy.protected_paths, model: verifier.model })
  const lines = addedLines(change)
  const allowed = verifier.hidden_text_allowed
  const inLines = lines.flatMap(({ path, line, text }) => {
    const found = matchesAny(allowed, path) ? null : hiddenIn(text, `${path}:${line}`, line === 1)
    return found === null ? [] : [{ ...found, path, line }]
  })
  const hidden: Hidden[] = [...inLines, ...inNames(change), ...inTask(attempt)]
  const hits = [
    ...change.hits,
    ...inLines.filter(({ useless }) => useless).map(({ path, line }): Hit => ({ kind: 'hidden_text', path, line })),
    ...lines.filter(({ text }) => holdsSecret(text)).map(({ path, line }): Hit => ({ kind: 'secret', path, line })),
  ]
  return {
    ...given,
    change: { ...change, hits },
    packed,
    hiddenText: verifier.hidden_text === 'refer' && hidden.some(({ useless }) => useless),
    remarks: [
      ...remarks,
      ...hidden.slice(0, HIDDEN_NAMED_MAX).map(({ place, sign }) => `hidden_unicode: ${place} has ${sign}.`),
    ],
    happened: authorityIn(spokenIn(attempt, lines)),
  }
}

const HIDDEN_NAMED_MAX = 20

type AddedLine = { readonly path: string; readonly line: number; readonly text: string }

const addedLines = ({ files }: Change): AddedLine[] =>
  files.flatMap(({ path, patch }) =>
    hunksOf(patch ?? '').flatMap(({ lines }) =>
      lines.flatMap(({ sign, new: line, text }) => (sign === '+' && line !== null ? [{ path, line, text }] : [])),
    ),
  )

const inNames = ({ files }: Change): Hidden[] => files.flatMap(({ path }) => hiddenIn(path, 'the name of a file') ?? [])

const inTask = ({ contract }: Attempt): Hidden[] =>
  [contract.description, ...contract.acceptance_criteria].flatMap(
    (text) => hiddenIn(text, 'the text of the task') ?? [],
  )

function* spokenIn({ contract }: Attempt, lines: readonly AddedLine[]): Iterable<Spoken> {
  yield { place: 'the text of the task', text: contract.description }
  for (const { path, line, text } of lines) yield { place: `${path}:${line}`, text }
}
