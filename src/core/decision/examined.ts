// What stands behind a verdict: questions and their answers, findings, what was read, what it cost. It is recorded with
// the verdict and kept in the state for people to see; no decision is made from it.
import type { Verdict } from './verdict.ts'

/** One yes/no question as it was answered, after its evidence was looked for in the change. */
export type ProbeGrade = {
  readonly id: string
  readonly text: string
  readonly answer: 'met' | 'not_met' | 'cannot_tell' | 'not_applicable'
  /** Whether a quote that was found again carries the answer. */
  readonly proven: boolean
  readonly why: string
}
/** Something wrong with the change at one place of it. */
export type Finding = {
  readonly id: string
  readonly path: string
  readonly side: 'old' | 'new'
  readonly line: number
  readonly quote: string
  readonly category: 'correctness' | 'security' | 'data_loss' | 'test' | 'contract' | 'other'
  readonly claim: string
  readonly failure_scenario: string
  readonly fix: string
  readonly level: 'blocking' | 'question'
  readonly proven: boolean
}
/** What the lines of an objection looked like, so that a repair can be told from another spelling of the same. */
export type Raised = {
  /** The quoted lines as a whole. */
  readonly lines: readonly string[]
  /** Whether the change touches one of them; lines that it only shows can go out of sight without a repair. */
  readonly changed: boolean
  /** Digests of the lines around it: what stood there already repairs nothing. */
  readonly around: readonly string[]
  /** It stands in lines that the change leaves alone; `around` then are those that it has changed. */
  readonly beside?: true
  /** The contract under which it was raised. */
  readonly contract: string
}
/** An objection that is carried from push to push until evidence or a human closes it. */
export type LedgerItem = {
  readonly id: string
  readonly kind: 'finding' | 'probe'
  readonly path: string
  readonly side: 'old' | 'new'
  readonly line: number
  readonly quote: string
  readonly claim: string
  /** What it was raised on; missing in records of before this was kept. */
  readonly raised?: Raised
  readonly first_sha: string
  readonly last_sha: string
  readonly status: 'open' | 'fixed' | 'withdrawn' | 'overridden'
  /** Why it was withdrawn: nobody asks this any more, or what is on record says otherwise. */
  readonly why?: 'not_asked' | 'against_record'
}
/** Tokens, dollars at list price, and what each call was. */
export type CallRecord = {
  readonly purpose: string
  readonly model: string
  readonly prompt_hash: string
  readonly request_id: string | null
  readonly outcome: string
  readonly input: number
  readonly cache_write: number
  readonly cache_read: number
  /** Thoughts included. */
  readonly output: number
  readonly thinking?: number
  readonly usd: number
  readonly ms: number
}
export type Cost = { readonly usd: number; readonly price_table: string; readonly calls: readonly CallRecord[] }
/** What was answered longer ago is asked again: models and what is known of them change. */
export const ANSWER_DAYS = 30

/** A raw answer under the key of what was asked, so that the same question is not paid for twice. */
export type RawAnswer = {
  readonly key: string
  readonly nonce: string
  readonly model: string
  /** Empty once it was removed. */
  readonly text: string
  /** On record: the hash of the text. */
  readonly text_hash?: string
}

/** What the verifier looked at and found: what stands behind a verdict, and what people are shown of it. */
export type Examined = {
  readonly generator_agent_id: string
  readonly findings: readonly Finding[]
  readonly probes: readonly ProbeGrade[]
  readonly criterion_grades: Readonly<Record<string, number | null>>
  readonly rubric: string | null
  readonly score: number | null
  readonly coverage: {
    readonly shown: number
    readonly changed: number
    readonly ignored: readonly string[]
    readonly unseen: readonly string[]
  }
  /** Lines around the change that were shown, and why; missing where nothing but the change was. */
  readonly around?: readonly {
    readonly path: string
    readonly from: number
    readonly to: number
    readonly why: string
  }[]
  readonly evidence: { readonly verified: number; readonly given: number }
  readonly confidence_parts: Readonly<Record<string, number>>
  readonly ledger: readonly LedgerItem[]
  /** Remarks that do not move the verdict. */
  readonly remarks: readonly string[]
  readonly dropped: Readonly<Record<string, number>>
  readonly hashes?: Hashes
  /** Left out where it went by the usual steps and no others. */
  readonly steps?: { readonly added: readonly string[]; readonly left_out: readonly string[] }
  readonly reused: boolean
  readonly cost: Cost
}
/** Of what a verdict is about. */
export type Hashes = {
  readonly contract: string
  readonly policy: string
  readonly rubric: string
  readonly patch: string
  readonly release: string
}
/** The raw answers stay on record and out of the state: nothing that is shown or decided needs them. */
type Recorded = { readonly task_id: string; readonly attempt_id: string } & Verdict &
  Partial<Examined> & { readonly raw?: readonly RawAnswer[] }

export function answerOf(data: Recorded): { verdict: Verdict; examined?: Examined } {
  const { task_id: _task, attempt_id: _attempt, raw: _raw, ...rest } = data
  const { outcome, reason_code, confidence, reasoning, feedback, objections, votes, evaluator, ...examined } = rest
  const verdict = { outcome, reason_code, confidence, reasoning, feedback, objections, votes, evaluator }
  return isExamined(examined) ? { verdict, examined } : { verdict }
}

const isExamined = (examined: Partial<Examined>): examined is Examined => examined.cost !== undefined
