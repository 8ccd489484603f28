// The criteria of a contract as questions: from a model that never sees the change, once per contract, or as they stand.
import { canonical } from '../../core/canonical.ts'
import { back, Ended, forth } from '../../core/chain.ts'
import type { OnTheWay } from '../../core/decision/record/on-the-way.ts'
import type { RawAnswer } from '../../core/decision/examined.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { defaultCriterion } from '../../core/contract/task/make-contract.ts'
import type { Redactor } from '../../verifier/asking/clean.ts'
import { fenceId, wrapUntrusted } from '../../verifier/asking/fence.ts'
import type { ModelRequest } from '../../verifier/calls/model.ts'
// prettier-ignore
import {
  CRITERIA_CHARACTERS_MAX, criteriaOfContract, decompositionFormat, decompositionKey, identityProbes, openRubricCriteria,
  PROBES_MAX, readDecomposition, rubricProbes, withVerbatim, type AtomicProbe, type Criterion,
} from '../../verifier/asking/probes.ts'
import { isOwnTask, leaving } from '../../verifier/asking/prompt.ts'
import { roleChunk } from '../../verifier/asking/role.ts'
import type { Rubric } from '../../verifier/asking/rubric.ts'
import { put, type Asking } from './asking/asking.ts'
import type { Failure } from './failure.ts'
import type { Criteria, Steps } from './steps/step.ts'

export type Questions = {
  readonly probes: readonly AtomicProbe[]
  /** Whether anything of the task itself can be asked. */
  readonly ofTask: boolean
  readonly happened: readonly OnTheWay[]
  readonly raw: readonly RawAnswer[]
  /** Why nobody could make questions, where a criterion can be asked in no other way. */
  readonly failure: Failure | null
}
type Terms = {
  readonly attempt: Attempt
  readonly rubric: Rubric
  readonly redact: Redactor
  readonly keyed: (text: string) => string
  readonly known: ReadonlyMap<string, RawAnswer>
  readonly steps: Steps
}

const DECOMPOSITION_TOKENS_MAX = 8_000

/** Null asks nobody. */
export async function questionsOf(terms: Terms, asking: Asking | null): Promise<Questions> {
  const { attempt, rubric, steps } = terms
  const all = [...criteriaOfContract(attempt.contract, isOwnTask(attempt)), ...openRubricCriteria(rubric)]
  const given = { attempt, criteria: all, verbatim: [] }
  const meant = await forth(steps.coordination, ({ beforeDecompose }) => beforeDecompose, given)
  if (meant instanceof Ended) return questions(terms, { own: [], failure: meant.as })
  const made = await questionsFrom(meant, terms, asking)
  const looked = await back(steps.coordination, ({ afterDecompose }) => afterDecompose, made)
  return looked instanceof Ended ? { ...made, failure: looked.as } : looked
}

async function questionsFrom(
  { criteria, verbatim }: Criteria,
  terms: Terms,
  asking: Asking | null,
): Promise<Questions> {
  const { attempt } = terms
  const { contract } = attempt
  const { decomposer } = contract.policy.verification.verifier
  const known = blind([...criteria, ...verbatim], attempt)
  const asIs = (more: Partial<Questions> = {}): Questions => questions(terms, { own: identityProbes(known), ...more })
  if (criteria.length === 0 || decomposer === 'identity' || asking === null) return asIs()
  const fellBack = (why: string): Partial<Questions> => ({
    happened: [{ type: 'DecompositionFellBack', data: { why } }],
  })
  if (criteria.reduce((sum, { text }) => sum + text.length, 0) > CRITERIA_CHARACTERS_MAX)
    return asIs(fellBack('the criteria are too long'))
  const parts: Part[] = []
  for (const group of groupsOf(criteria)) {
    const part = await decomposed(terms, group, asking)
    parts.push(part)
    const isLost = group.criteria.some((one) => !known.includes(one))
    if ('why' in part) return asIs({ ...fellBack(part.why), raw: rawOf(parts), failure: isLost ? part.failure : null })
  }
  const made = parts.flatMap((part) => ('why' in part ? [] : part.probes))
  const unknown = made.filter(({ criterion }) => !known.some(({ id }) => id === criterion))
  const own = [...withVerbatim(known, made), ...unknown]
  if (own.length > PROBES_MAX) return asIs({ ...fellBack('there are too many questions'), raw: rawOf(parts) })
  return questions(terms, { own, raw: rawOf(parts) })
}

type Group = { readonly criteria: readonly Criterion[]; readonly withDescription: boolean }
type Part =
  | { readonly probes: readonly AtomicProbe[]; readonly raw: RawAnswer }
  | { readonly why: string; readonly failure: Failure }

const rawOf = (parts: readonly Part[]): RawAnswer[] => parts.flatMap((part) => ('raw' in part ? [part.raw] : []))

/** What the policy asks of everybody is put into questions in a call that holds no word of anybody else. */
function groupsOf(criteria: readonly Criterion[]): Group[] {
  const isOurs = ({ source }: Criterion): boolean => source === 'policy' || source === 'rubric'
  const [ours, theirs] = [criteria.filter(isOurs), criteria.filter((one) => !isOurs(one))]
  return [
    ...(ours.length === 0 ? [] : [{ criteria: ours, withDescription: false }]),
    ...(theirs.length === 0 ? [] : [{ criteria: theirs, withDescription: true }]),
  ]
}

/** Once per contract and group. */
async function decomposed(terms: Terms, { criteria, withDescription }: Group, asking: Asking): Promise<Part> {
  const { contract } = terms.attempt
  const { max_probes_per_criterion: perCriterion, model } = contract.policy.verification.verifier
  const key = decompositionKey(contract, criteria, model)
  const before = terms.known.get(key)
  const recalled = before === undefined ? null : readDecomposition(before.text, criteria, perCriterion)
  if (before !== undefined && recalled?.ok === true) return { probes: recalled.probes, raw: before }
  const reply = await put(asking, {
    purpose: 'decomposition',
    request: () => decompositionRequest(terms, criteria, model, withDescription ? contract.description : null),
    read: (text) => {
      const read = readDecomposition(text, criteria, perCriterion)
      return read.ok ? { ok: true, value: read.probes } : { ok: false, errors: [read.why] }
    },
  })
  if (reply.kind === 'read')
    return { probes: reply.value, raw: { key, nonce: reply.nonce, model: reply.model, text: reply.text } }
  return { why: `the model gave no usable answer (${reply.reason})`, failure: reply }
}

/** The description of a change by its own author is never shown to its judge, so nothing can be asked about it. */
const blind = (criteria: readonly Criterion[], attempt: Attempt): Criterion[] =>
  criteria.filter(({ text }) => !(isOwnTask(attempt) && text === defaultCriterion))

type Made = Partial<Questions> & { readonly own: readonly AtomicProbe[] }

function questions({ rubric }: Terms, { own, happened = [], raw = [], failure = null }: Made): Questions {
  const probes = [...own, ...rubricProbes(rubric)]
  return { probes, ofTask: own.some(({ source }) => source !== 'rubric'), happened, raw, failure }
}

function decompositionRequest(
  { attempt, redact, keyed }: Terms,
  criteria: readonly Criterion[],
  model: string,
  description: string | null,
): ModelRequest {
  const { contract } = attempt
  const id = fenceId(keyed, `${contract.task_id}|${contract.contract_hash}`)
  const list = criteria.map(({ text }, index) => canonical({ index, text: redact.people(text) })).join('\n')
  const content = [
    ...(description === null ? [] : [wrapUntrusted('task-data', id, '', redact.people(description))]),
    wrapUntrusted('criteria-json', id, '', list),
  ]
  return leaving(redact, {
    model,
    system: [{ text: roleChunk('role-decomposer'), cache: null }],
    content: [{ text: content.join('\n'), cache: null }],
    format: decompositionFormat,
    effort: 'low',
    max_tokens: DECOMPOSITION_TOKENS_MAX,
  })
}
