// The criteria of a contract as questions: from a model that never sees the change, once per contract, or as they stand.
import { canonical } from '../../core/canonical.ts'
import type { OnTheWay } from '../../core/decision/record/events.ts'
import type { RawAnswer } from '../../core/decision/examined.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { defaultCriterion } from '../../core/contract/make-contract.ts'
import type { Redactor } from '../../verifier/asking/clean.ts'
import { fenceId, wrapUntrusted } from '../../verifier/asking/fence.ts'
import type { ModelRequest } from '../../verifier/calls/model.ts'
// prettier-ignore
import {
  CRITERIA_CHARACTERS_MAX, criteriaOfContract, decompositionFormat, decompositionKey, identityProbes, openRubricCriteria,
  readDecomposition, rubricProbes, type AtomicProbe, type Criterion,
} from '../../verifier/asking/probes.ts'
import { isOwnTask } from '../../verifier/asking/prompt.ts'
import { roleChunk } from '../../verifier/asking/role.ts'
import type { Rubric } from '../../verifier/asking/rubric.ts'
import { put, type Asking } from './asking.ts'

export type Questions = {
  readonly probes: readonly AtomicProbe[]
  /** Whether anything of the task itself can be asked. */
  readonly ofTask: boolean
  readonly happened: readonly OnTheWay[]
  readonly raw: readonly RawAnswer[]
}
type Terms = {
  readonly attempt: Attempt
  readonly rubric: Rubric
  readonly redact: Redactor
  readonly keyed: (text: string) => string
  readonly known: ReadonlyMap<string, RawAnswer>
}

const DECOMPOSITION_TOKENS_MAX = 8_000

/** Null asks nobody. */
export async function questionsOf(terms: Terms, asking: Asking | null): Promise<Questions> {
  const { attempt, rubric, known } = terms
  const { contract } = attempt
  const { decomposer, max_probes_per_criterion: perCriterion, model } = contract.policy.verification.verifier
  const criteria = [...criteriaOfContract(contract, isOwnTask(attempt)), ...openRubricCriteria(rubric)]
  const asIs = (happened: readonly OnTheWay[] = []): Questions =>
    questions(terms, identityProbes(blind(criteria, attempt)), happened, [])
  if (criteria.length === 0 || decomposer === 'identity' || asking === null) return asIs()
  const fellBack = (why: string): Questions => asIs([{ type: 'DecompositionFellBack', data: { why } }])
  if (criteria.reduce((sum, { text }) => sum + text.length, 0) > CRITERIA_CHARACTERS_MAX)
    return fellBack('the criteria are too long')
  const key = decompositionKey(contract, criteria, model)
  const before = known.get(key)
  const recalled = before === undefined ? null : readDecomposition(before.text, criteria, perCriterion)
  if (before !== undefined && recalled?.ok === true) return questions(terms, recalled.probes, [], [before])
  const reply = await put(asking, {
    purpose: 'decomposition',
    request: () => decompositionRequest(terms, criteria, model),
    read: (text) => {
      const read = readDecomposition(text, criteria, perCriterion)
      return read.ok ? { ok: true, value: read.probes } : { ok: false, errors: [read.why] }
    },
  })
  if (reply.kind !== 'read') return fellBack(`the model gave no usable answer (${reply.reason})`)
  return questions(terms, reply.value, [], [{ key, nonce: reply.nonce, model: reply.model, text: reply.text }])
}

/** The description of a change by its own author is never shown to its judge, so nothing can be asked about it. */
const blind = (criteria: readonly Criterion[], attempt: Attempt): Criterion[] =>
  criteria.filter(({ text }) => !(isOwnTask(attempt) && text === defaultCriterion))

function questions(
  { rubric }: Terms,
  own: readonly AtomicProbe[],
  happened: readonly OnTheWay[],
  raw: readonly RawAnswer[],
): Questions {
  const probes = [...own, ...rubricProbes(rubric)]
  return { probes, ofTask: own.some(({ source }) => source !== 'rubric'), happened, raw }
}

function decompositionRequest(
  { attempt, redact, keyed }: Terms,
  criteria: readonly Criterion[],
  model: string,
): ModelRequest {
  const { contract } = attempt
  const id = fenceId(keyed, `${contract.task_id}|${contract.contract_hash}`)
  const list = criteria.map(({ text }, index) => canonical({ index, text: redact.people(text) })).join('\n')
  const content = [
    wrapUntrusted('task-data', id, '', redact.people(contract.description)),
    wrapUntrusted('criteria-json', id, '', list),
  ]
  return {
    model,
    system: [{ text: roleChunk('role-decomposer'), cache: null }],
    content: [{ text: content.join('\n'), cache: null }],
    format: decompositionFormat,
    effort: 'low',
    max_tokens: DECOMPOSITION_TOKENS_MAX,
  }
}
