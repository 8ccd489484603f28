// What an attacker answers, read as strictly as a verdict: one JSON object of one shape with our nonce, from somebody who has
// read what was shown. Anything else is no answer, and least of all one that found nothing.
import { z } from 'zod'
import { surfaces } from '../../core/contract/surfaces.ts'
import { severities } from '../../core/decision/gate-report.ts'
import { controlFlaws, type Control } from '../asking/control.ts'
import { evidence, jsonObject, TEXT_MAX, upToQuote, type Evidence } from '../weighing/answer.ts'

const said = z.object({
  schema: z.literal('v1'),
  nonce: z.string(),
  suspicious_text: z.array(evidence),
  copied: z.array(evidence),
  findings: z.array(
    evidence.extend({
      surface: z.enum(surfaces),
      severity: z.enum(severities),
      claim: z.string(),
      failure_scenario: z.string(),
      fix: z.string(),
      confidence: z.number(),
    }),
  ),
  probes: z
    .array(z.object({ id: z.string(), answer: z.enum(['met', 'not_met']) }))
    .describe('The questions under Control.'),
  summary: z.string(),
})
const { $schema: _dialect, ...schema } = z.toJSONSchema(said)
export const attackSchema = schema

export type AttackSaid = z.output<typeof said>['findings'][number]
export type Attacked = {
  readonly findings: readonly AttackSaid[]
  readonly suspicious_text: readonly Evidence[]
  readonly summary: string
}
type Read = { readonly ok: true; readonly value: Attacked } | { readonly ok: false; readonly errors: readonly string[] }

const FINDINGS_MAX = 25

/** `control` is null for an answer on record, which has shown that it was read. */
export function readAttack(text: string, nonce: string, control: Control | null): Read {
  const parsed = said.safeParse(jsonObject(text))
  if (!parsed.success)
    return { ok: false, errors: ['The answer is not one JSON object of the shape that is asked for.'] }
  const flaws = [
    ...(parsed.data.nonce === nonce ? [] : ['The nonce is another.']),
    ...(control === null ? [] : controlFlaws(control, parsed.data)),
  ]
  if (flaws.length > 0) return { ok: false, errors: flaws }
  const { suspicious_text, summary } = parsed.data
  const gravest = parsed.data.findings.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  )
  const findings = gravest.slice(0, FINDINGS_MAX).map((one) => ({
    ...one,
    line: Math.round(one.line),
    quote: upToQuote(one.quote),
    claim: upToQuote(one.claim),
    failure_scenario: one.failure_scenario.slice(0, TEXT_MAX),
    fix: one.fix.slice(0, TEXT_MAX),
    confidence: Math.min(1, Math.max(0, one.confidence)),
  }))
  return {
    ok: true,
    value: { findings, suspicious_text: suspicious_text.slice(0, FINDINGS_MAX), summary: summary.slice(0, TEXT_MAX) },
  }
}
