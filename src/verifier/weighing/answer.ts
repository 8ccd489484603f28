// A model's answer, read strictly: one JSON object of one shape with our nonce and our ids, or it is malformed. What is too
// long is shortened and counted; prose is never bent into a verdict. Two older shapes are read too, and can only object.
import { z } from 'zod'
import { jsonIn } from '../../core/json.ts'
import { upTo } from '../../core/visible.ts'
import { controlFlaws, isControl, type Control } from '../asking/control.ts'

export const evidence = z.object({
  path: z.string(),
  side: z.enum(['old', 'new']),
  line: z.number(),
  quote: z.string(),
})
const answer = z.object({
  schema: z.literal('v1'),
  nonce: z.string(),
  findings: z.array(
    z.object({
      path: z.string(),
      side: z.enum(['old', 'new']),
      line: z.number(),
      quote: z.string(),
      category: z.enum(['correctness', 'security', 'data_loss', 'test', 'contract', 'other']),
      claim: z.string(),
      failure_scenario: z.string(),
      fix: z.string(),
      level: z.enum(['blocking', 'question']),
    }),
  ),
  suspicious_text: z.array(evidence),
  copied: z.array(evidence),
  probes: z.array(
    z.object({
      id: z.string(),
      evidence: z.array(evidence),
      why: z.string(),
      answer: z.enum(['met', 'not_met', 'cannot_tell', 'not_applicable']),
    }),
  ),
  open_items: z.array(
    z.object({
      id: z.string(),
      evidence: z.array(evidence),
      why: z.string(),
      status: z.enum(['fixed', 'still_open', 'cannot_tell']),
    }),
  ),
  unseen_needed: z.array(z.string()),
  feedback: z.array(z.object({ about: z.string(), instruction: z.string() })),
  summary: z.string(),
  proposed_verdict: z.enum(['PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER']),
  confidence: z.enum(['low', 'medium', 'high']),
})

export type Evidence = z.output<typeof evidence>
type Parsed = z.output<typeof answer>
/** `stated` is the model's word for its confidence as a number; null where an older shape has none. */
export type Answer = Omit<Parsed, 'schema' | 'nonce' | 'confidence' | 'copied'> & {
  readonly stated: number | null
  /** How many texts and entries were too long or too many. */
  readonly clipped: number
}
/** What somebody says who has nothing to say. */
export const silence: Answer = {
  probes: [],
  open_items: [],
  findings: [],
  suspicious_text: [],
  unseen_needed: [],
  feedback: [],
  summary: '',
  proposed_verdict: 'PASS',
  stated: 1,
  clipped: 0,
}
export type ReadAnswer =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly errors: readonly string[] }
export type Expected = {
  readonly nonce: string
  readonly probes: readonly string[]
  /** Null for an answer on record, whose open items were those of its time. */
  readonly items: readonly string[] | null
  /** Null for an answer on record, which has shown that it was read. */
  readonly control: Control | null
}

const { $schema: _dialect, ...schema } = z.toJSONSchema(answer)
/** The same object for all votes: another schema would be another prefix. */
export const answerSchema = schema

const stated = { low: 0.5, medium: 0.8, high: 1 } as const
export const TEXT_MAX = 600
const QUOTE_MAX = 400
const SUMMARY_MAX = 2_000
export const upToQuote = (text: string): string => upTo(text, QUOTE_MAX)
const FINDINGS_MAX = 25
const ANSWER_CHARACTERS_MAX = 400_000

export function readAnswer(text: string, expected: Expected): ReadAnswer {
  const value = jsonObject(text)
  if (value === undefined) return { ok: false, errors: ['The answer is not one JSON object.'] }
  const parsed = answer.safeParse(value)
  if (!parsed.success) {
    const older = olderAnswer(value)
    if (older !== null) return { ok: true, answer: older }
    return {
      ok: false,
      errors: parsed.error.issues.slice(0, 10).map(({ path, message }) => `${path.join('.')}: ${message}`),
    }
  }
  const errors = mismatches(parsed.data, expected)
  return errors.length > 0 ? { ok: false, errors } : { ok: true, answer: within(parsed.data) }
}

/** One JSON value; a single code fence around it is let pass, since an answer without a schema may bring one. */
export function jsonObject(text: string): unknown {
  if (text.length > ANSWER_CHARACTERS_MAX) return undefined
  const value = jsonIn(withoutFence(text.trim()))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

const fence = '```'

/** By places and not by a pattern: a model that goes wrong may write blanks without end. */
function withoutFence(text: string): string {
  const first = text.indexOf('\n')
  const last = text.lastIndexOf('\n')
  const isFenced = [fence, `${fence}json`].includes(text.slice(0, first).trimEnd()) && text.slice(last).trim() === fence
  return isFenced ? text.slice(first, last) : text
}

function mismatches({ nonce, probes, copied, open_items: items }: Parsed, expected: Expected): string[] {
  const strange = (ids: readonly { id: string }[], known: readonly string[], what: string): string[] =>
    ids
      .filter(({ id }) => !known.includes(id))
      .slice(0, 3)
      .map(({ id }) => `There is no ${what} ${JSON.stringify(id.slice(0, 40))}.`)
  return [
    ...(nonce === expected.nonce ? [] : ['The nonce is another.']),
    ...strange(
      probes.filter((one) => !isControl(one)),
      expected.probes,
      'question',
    ),
    ...(expected.items === null ? [] : strange(items, expected.items, 'open item')),
    ...(expected.control === null ? [] : controlFlaws(expected.control, { probes, copied })),
  ]
}

function within({ schema: _schema, nonce: _nonce, copied: _copied, confidence, ...rest }: Parsed): Answer {
  let clipped = 0
  const cut = (text: string, max: number): string => {
    if (text.length <= max) return text
    clipped += 1
    return upTo(text, max)
  }
  const proof = (list: readonly Evidence[]): Evidence[] =>
    list.slice(0, FINDINGS_MAX).map((one) => ({ ...one, line: Math.round(one.line), quote: cut(one.quote, QUOTE_MAX) }))
  // Where there are too many, those that block are not the ones that go.
  const gravest = rest.findings.toSorted(
    (one, other) => Number(other.level === 'blocking') - Number(one.level === 'blocking'),
  )
  const findings = gravest.slice(0, FINDINGS_MAX).map((one) => ({
    ...one,
    line: Math.round(one.line),
    quote: cut(one.quote, QUOTE_MAX),
    claim: cut(one.claim, QUOTE_MAX),
    failure_scenario: cut(one.failure_scenario, TEXT_MAX),
    fix: cut(one.fix, TEXT_MAX),
  }))
  clipped += rest.findings.length - findings.length
  const asked = rest.probes.filter((one) => !isControl(one))
  const probes = asked.map((one) => ({ ...one, why: cut(one.why, TEXT_MAX), evidence: proof(one.evidence) }))
  const open_items = rest.open_items.map((one) => ({
    ...one,
    why: cut(one.why, TEXT_MAX),
    evidence: proof(one.evidence),
  }))
  const feedback = rest.feedback
    .slice(0, FINDINGS_MAX)
    .map((one) => ({ ...one, instruction: cut(one.instruction, TEXT_MAX) }))
  const summary = cut(rest.summary, SUMMARY_MAX)
  const suspicious_text = proof(rest.suspicious_text)
  const unseen_needed = rest.unseen_needed.slice(0, FINDINGS_MAX).map((one) => cut(one, TEXT_MAX))
  return {
    ...rest,
    probes,
    open_items,
    findings,
    feedback,
    summary,
    suspicious_text,
    unseen_needed,
    stated: stated[confidence],
    clipped,
  }
}

const passedShape = z.object({ passed: z.boolean(), issues: z.array(z.string()), suggestion: z.string() })
const ruledShape = z.object({
  outcome: z.enum(['PASS', 'SOFT_FAIL', 'HARD_FAIL']),
  reasoning: z.string().min(1),
  feedback: z.string().nullable(),
})
const share = z.object({ confidence: z.number().min(0).max(1).nullish() })

/** Answers no question, so it cannot pass; where it contradicts itself the worse word counts. */
function olderAnswer(value: unknown): Answer | null {
  const passed = passedShape.safeParse(value)
  const ruled = ruledShape.safeParse(value)
  const sure = share.safeParse(value)
  if (!sure.success || (!passed.success && !ruled.success)) return null
  const words = [passed.data?.passed === false ? 'SOFT_FAIL' : 'PASS', ruled.data?.outcome ?? 'PASS'] as const
  const proposed_verdict =
    words.find((word) => word === 'HARD_FAIL') ?? words.find((word) => word === 'SOFT_FAIL') ?? 'PASS'
  const instruction = passed.data?.suggestion ?? ruled.data?.feedback ?? ''
  return {
    probes: [],
    open_items: [],
    findings: [],
    suspicious_text: [],
    unseen_needed: [],
    feedback: instruction.trim() === '' ? [] : [{ about: 'change', instruction: instruction.slice(0, TEXT_MAX) }],
    summary: (ruled.data?.reasoning ?? passed.data?.issues.join('; ') ?? '').slice(0, SUMMARY_MAX),
    proposed_verdict,
    stated: sure.data.confidence ?? null,
    clipped: 0,
  }
}
