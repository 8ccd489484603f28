// What a first reading says it found: read as strictly as a verdict, looked for in what was shown, and put together with what
// others found. The same defect found twice, at one place and with one meaning, is one.
import { z } from 'zod'
import type { Finding } from '../../core/decision/examined.ts'
import { controlFlaws, type Control } from '../asking/control.ts'
import { evidence, jsonObject, TEXT_MAX, upToQuote, type Evidence } from './answer.ts'
import { findEvidence, type Outcome, type Presented, type Reach } from './evidence.ts'
import { findingId } from './weigh.ts'

const said = z.object({
  schema: z.literal('v1'),
  nonce: z.string(),
  suspicious_text: z.array(evidence),
  copied: z.array(evidence),
  findings: z.array(
    evidence.extend({
      category: z.enum(['correctness', 'security', 'data_loss', 'test', 'contract', 'other']),
      claim: z.string(),
      failure_scenario: z.string(),
      fix: z.string(),
      severity: z.enum(['critical', 'major', 'minor']),
    }),
  ),
  probes: z
    .array(z.object({ id: z.string(), answer: z.enum(['met', 'not_met']) }))
    .describe('The questions under Control.'),
})
const { $schema: _dialect, ...schema } = z.toJSONSchema(said)
export const findingsSchema = schema

type Said = z.output<typeof said>['findings'][number]
export type Findings = { readonly findings: readonly Said[]; readonly suspicious_text: readonly Evidence[] }
export type FindReading = Findings & { readonly presented: Presented; readonly reach: Reach }

const FINDINGS_MAX = 25

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly errors: readonly string[] }

/** `control` is null for an answer on record, which has shown that it was read. */
export function readFindings(text: string, nonce: string, control: Control | null): Read<Findings> {
  const parsed = said.safeParse(jsonObject(text))
  if (!parsed.success)
    return { ok: false, errors: ['The answer is not one JSON object of the shape that is asked for.'] }
  const flaws = [
    ...(parsed.data.nonce === nonce ? [] : ['The nonce is another.']),
    ...(control === null ? [] : controlFlaws(control, parsed.data)),
  ]
  if (flaws.length > 0) return { ok: false, errors: flaws }
  const gravest = parsed.data.findings.toSorted((one, other) => rank[one.severity] - rank[other.severity])
  const findings = gravest.slice(0, FINDINGS_MAX).map((one) => ({
    ...one,
    line: Math.round(one.line),
    quote: upToQuote(one.quote),
    claim: upToQuote(one.claim),
    failure_scenario: one.failure_scenario.slice(0, TEXT_MAX),
    fix: one.fix.slice(0, TEXT_MAX),
  }))
  return { ok: true, value: { findings, suspicious_text: parsed.data.suspicious_text.slice(0, FINDINGS_MAX) } }
}

const rank = { critical: 0, major: 1, minor: 2 } as const

export type United = {
  readonly claims: readonly Finding[]
  /** Findings whose quote is nowhere, by what was wrong with it. */
  readonly dropped: Readonly<Record<string, number>>
}

/** `declined` are findings that a human has answered already. */
export function united(readings: readonly FindReading[], declined: ReadonlySet<string>): United {
  const dropped = new Map<Outcome, number>()
  const claims: Finding[] = []
  const all = readings.flatMap(({ findings, presented, reach }) =>
    findings.map((one) => ({ one, found: findEvidence(one, presented, reach) })),
  )
  for (const { one, found } of all.toSorted((a, b) => rank[a.one.severity] - rank[b.one.severity])) {
    const { severity, ...finding } = one
    if (found.outcome !== 'verified') {
      dropped.set(found.outcome, (dropped.get(found.outcome) ?? 0) + 1)
      continue
    }
    const id = findingId(one.path, one.quote, one.category)
    const blocks = severity !== 'minor' && one.failure_scenario.trim() !== ''
    const claim: Finding = { ...finding, id, line: found.line, proven: true, level: blocks ? 'blocking' : 'question' }
    if (!declined.has(id) && !claims.some((other) => isSame(other, claim))) claims.push(claim)
  }
  return { claims, dropped: Object.fromEntries(dropped) }
}

const LINES_APART_MAX = 3
const WORDS_SHARED_MIN = 0.5

/** At one place, and of one kind or in much the same words. */
export function isSame(one: Finding, other: Finding): boolean {
  if (one.id === other.id) return true
  const near = one.path === other.path && one.side === other.side && Math.abs(one.line - other.line) <= LINES_APART_MAX
  return (
    near && (one.category === other.category || shared(wordsOf(one.claim), wordsOf(other.claim)) >= WORDS_SHARED_MIN)
  )
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length
  const less = Math.min(one.size, other.size)
  return less === 0 ? 0 : both / less
}
