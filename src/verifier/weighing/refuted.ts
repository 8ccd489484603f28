// What a reader says of one claim that it was to refute. A claim falls only by code that can be quoted: whoever says
// "refuted" and shows none, or shows a comment or the claim's own lines alone, has refuted nothing.
import { z } from 'zod'
import type { Finding } from '../../core/decision/examined.ts'
import { controlFlaws, type Control } from '../asking/control.ts'
import { evidence, jsonObject, type Evidence } from './answer.ts'
import { findEvidence, type Presented, type Reach } from './evidence.ts'

const said = z.object({
  schema: z.literal('v1'),
  nonce: z.string(),
  copied: z.array(evidence),
  evidence: z.array(evidence),
  why: z.string(),
  outcome: z.enum(['refuted', 'stands', 'cannot_tell']),
  probes: z
    .array(z.object({ id: z.string(), answer: z.enum(['met', 'not_met']) }))
    .describe('The questions under Control.'),
})
const { $schema: _dialect, ...schema } = z.toJSONSchema(said)
export const refutationSchema = schema

export type Refutation = {
  readonly outcome: 'refuted' | 'stands' | 'cannot_tell'
  readonly evidence: readonly Evidence[]
}
type Read =
  | { readonly ok: true; readonly value: Refutation }
  | { readonly ok: false; readonly errors: readonly string[] }

const EVIDENCE_MAX = 10

/** `control` is null for an answer on record, which has shown that it was read. */
export function readRefutation(text: string, nonce: string, control: Control | null): Read {
  const parsed = said.safeParse(jsonObject(text))
  if (!parsed.success)
    return { ok: false, errors: ['The answer is not one JSON object of the shape that is asked for.'] }
  const { outcome, evidence: given } = parsed.data
  const flaws = [
    ...(parsed.data.nonce === nonce ? [] : ['The nonce is another.']),
    ...(control === null ? [] : controlFlaws(control, parsed.data)),
  ]
  if (flaws.length > 0) return { ok: false, errors: flaws }
  return { ok: true, value: { outcome, evidence: given.slice(0, EVIDENCE_MAX) } }
}

export function falls(
  claim: Finding,
  { outcome, evidence: given }: Refutation,
  presented: Presented,
  reach: Reach,
): boolean {
  return (
    outcome === 'refuted' &&
    given.some((one) => {
      const found = findEvidence({ ...one, line: Math.round(one.line) }, presented, reach)
      const own = one.path === claim.path && one.side === claim.side && found.line === claim.line
      const isAround = findEvidence(one, { ...presented, around: [] }, reach).outcome !== 'verified'
      return found.outcome === 'verified' && !own && (found.proves || (isAround && !one.path.startsWith('check:')))
    })
  )
}
