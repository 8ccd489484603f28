// What a reader says of one claim that it was to refute. A claim falls only by code that can be quoted: whoever says
// "refuted" and shows none, or shows a comment or the claim's own lines alone, has refuted nothing.
import { z } from 'zod'
import type { Finding } from '../../core/decision/examined.ts'
import { controlFlaws, type Control } from '../asking/control.ts'
import { evidence, jsonObject, type Evidence } from './answer.ts'
import { findEvidence, linesOf, normal, placesOf, type Presented, type Reach } from './evidence.ts'
import type { PresentedFile } from '../change/presented.ts'

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

/** By code of the change or around it, without that which the claim is about. */
export function falls(
  claim: Finding,
  { outcome, evidence: given }: Refutation,
  presented: Presented,
  reach: Reach,
): boolean {
  if (outcome !== 'refuted') return false
  const { files, around = [], checks } = withoutCodeOf(claim, presented)
  return given.some((one) => {
    const quoted = { ...one, line: Math.round(one.line) }
    // Lines around the change are those of the new side.
    const beside: Evidence = { ...quoted, side: 'new' }
    return (
      findEvidence(quoted, { files, checks }, reach).proves ||
      findEvidence(beside, { files: around, checks }, reach).proves
    )
  })
}

/** The claim's own lines stay where they are, on either side, and are no code any more: they can prove nothing. */
function withoutCodeOf({ path, side, line, quote }: Finding, { files, around = [], checks }: Presented): Presented {
  const quoted = normal(quote).split('\n')
  const [place] = placesOf(
    linesOf(
      [...files, ...around].filter((one) => one.path === path),
      side,
    ),
    quoted,
  ).toSorted((one, other) => Math.abs(one.at - line) - Math.abs(other.at - line))
  const own = new Set([...quoted, ...(place?.lines ?? []).map(({ text }) => text)])
  const bare = (file: PresentedFile): PresentedFile => ({
    ...file,
    hunks: file.hunks.map(({ head, lines }) => ({
      head,
      lines: lines.map((one) => (own.has(normal(one.text)) ? { ...one, code: '' } : one)),
    })),
  })
  const rest = (all: readonly PresentedFile[]) => all.map((file) => (file.path === path ? bare(file) : file))
  return { files: rest(files), around: rest(around), checks }
}
