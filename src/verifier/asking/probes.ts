// Criteria become yes/no questions. Their ids are ours, so an answer about another one is noticed. Each criterion is asked
// as it stands, whatever else is made of it, and a yes to it needs a quote; nothing is ever cut.
import { z } from 'zod'
import { digest } from '../../core/canonical.ts'
import type { Contract } from '../../core/contract/task/contract.ts'
import { criteriaOf } from '../../core/contract/task/task-text.ts'
import { jsonIn } from '../../core/json.ts'
import type { Rubric } from './rubric.ts'

export type ProbeSource = 'policy' | 'issue' | 'builder' | 'default' | 'rubric'
export type AtomicProbe = {
  readonly id: string
  readonly text: string
  readonly criterion: string
  readonly source: ProbeSource
  readonly polarity: 'presence' | 'absence'
  readonly conditional: boolean
}
export type Criterion = { readonly id: string; readonly text: string; readonly source: ProbeSource }

const PROBE_LENGTH_MAX = 240
export const PROBES_MAX = 60
export const CRITERIA_CHARACTERS_MAX = 8_000

/** What is asked to be nowhere says so. */
const prohibition = /\b(?:no|not|never|none|nowhere|neither|without|mustn't|cannot|don't|absent|free of)\b/i
const condition = /^\s*(?:if|when|where|whenever|unless)\b/i

/** In the order of the contract. What the policy asks of every task is told from what this task asks. */
export function criteriaOfContract(contract: Contract, byBuilder: boolean): Criterion[] {
  const demanded = criteriaOf(contract.policy.verification.verifier.criteria)
  const policy = new Set(demanded.ok ? demanded.criteria : [])
  return contract.acceptance_criteria.map((text, index) => {
    const source = policy.has(text) ? 'policy' : byBuilder ? 'builder' : 'issue'
    return { id: `c${index + 1}`, text, source }
  })
}

/** Criteria of a rubric that bring no questions of their own are decomposed like those of the task. */
export const openRubricCriteria = (rubric: Rubric): Criterion[] =>
  rubric.criteria.flatMap(({ name, description, probes }, index) =>
    probes.length > 0 || name === 'probe-adherence'
      ? []
      : [{ id: `r${index + 1}`, text: description, source: 'rubric' as const }],
  )

export const rubricProbes = (rubric: Rubric): AtomicProbe[] =>
  rubric.criteria.flatMap(({ probes }, index) =>
    probes.map(({ text, polarity, conditional }, at) => ({
      id: `r${index + 1}.p${at + 1}`,
      text,
      criterion: `r${index + 1}`,
      source: 'rubric' as const,
      polarity,
      conditional,
    })),
  )

/** One criterion, one question; the same every time. Whatever it forbids or wants, what shows it has to be quoted. */
export const identityProbes = (criteria: readonly Criterion[]): AtomicProbe[] =>
  criteria.map(({ id, text, source }) => ({
    id: `${id}.p1`,
    text,
    criterion: id,
    source,
    polarity: 'presence',
    conditional: condition.test(text),
  }))

/** The criteria as they stand, and what a model made of them; what only repeats a criterion is asked once. */
export function withVerbatim(criteria: readonly Criterion[], made: readonly AtomicProbe[]): AtomicProbe[] {
  return criteria.flatMap((criterion) => {
    const own = identityProbes([criterion])
    const more = made.filter(({ criterion: id, text }) => id === criterion.id && text !== criterion.text)
    const numbered = more.map((probe, index) => ({ ...probe, id: `${criterion.id}.p${index + 2}` }))
    return [...own, ...numbered]
  })
}

const decomposition = z.strictObject({
  probes: z.array(
    z.strictObject({
      criterion: z.number().describe('Index of the criterion, from 0.'),
      text: z.string().describe('One question that a diff answers with yes or no, at most 240 characters.'),
      polarity: z.enum(['presence', 'absence']),
      conditional: z.boolean().describe('Whether it only matters under a condition that it names.'),
    }),
  ),
})

const { $schema: _dialect, ...format } = z.toJSONSchema(decomposition)
export const decompositionFormat = format

export type Decomposed =
  | { readonly ok: true; readonly probes: readonly AtomicProbe[] }
  | { readonly ok: false; readonly why: string }

/** Any violation, and the whole answer is left: the criteria then stand as they are. */
export function readDecomposition(text: string, criteria: readonly Criterion[], perCriterion: number): Decomposed {
  const parsed = decomposition.safeParse(jsonIn(text))
  if (!parsed.success) return { ok: false, why: 'the answer has another shape' }
  const counts = new Map<number, number>()
  const probes: AtomicProbe[] = []
  for (const { criterion: index, text: question, polarity, conditional } of parsed.data.probes) {
    const criterion = criteria[index]
    const nth = (counts.get(index) ?? 0) + 1
    counts.set(index, nth)
    if (criterion === undefined) return { ok: false, why: 'it names a criterion that does not exist' }
    const length = question.trim().length
    if (length === 0 || length > PROBE_LENGTH_MAX) return { ok: false, why: 'a question is empty or too long' }
    if (nth > perCriterion) return { ok: false, why: 'a criterion became too many questions' }
    const { id, source } = criterion
    const checked = polarity === 'absence' && prohibition.test(question) ? 'absence' : 'presence'
    // Only a condition that stands in the criterion lets a question go unanswered.
    const mayNotApply = conditional && condition.test(criterion.text)
    probes.push({
      id: `${id}.p${nth}`,
      text: question.trim(),
      criterion: id,
      source,
      polarity: checked,
      conditional: mayNotApply,
    })
  }
  if (probes.length > PROBES_MAX) return { ok: false, why: 'there are too many questions' }
  return criteria.every((_, index) => counts.has(index))
    ? { ok: true, probes }
    : { ok: false, why: 'a criterion was left out' }
}

/** Decomposed once per contract: the key of its answer on record. */
export const decompositionKey = (contract: Contract, criteria: readonly Criterion[], model: string): string =>
  digest(['decomposition', contract.contract_hash, criteria, model])
