// What a model answers that was shown pictures, read as strictly as any other answer: one JSON object of one shape with our
// nonce, that says of each picture what it shows.
import { z } from 'zod'
import { severities } from '../../core/decision/gate-report.ts'
import { jsonObject, TEXT_MAX } from '../weighing/answer.ts'

const said = z.object({
  schema: z.literal('v1'),
  nonce: z.string(),
  pages: z.array(z.object({ page: z.number(), shows: z.string() })),
  findings: z.array(
    z.object({
      page: z.number(),
      severity: z.enum(severities),
      claim: z.string(),
      expected: z.string(),
      seen: z.string(),
      fix: z.string(),
      confidence: z.number(),
    }),
  ),
  summary: z.string(),
})
const { $schema: _dialect, ...schema } = z.toJSONSchema(said)
export const viewSchema = schema

export type Viewed = Pick<z.output<typeof said>, 'findings' | 'summary'>
type Read = { readonly ok: true; readonly value: Viewed } | { readonly ok: false; readonly errors: readonly string[] }

const FINDINGS_MAX = 25

/** `count`: how many pictures were shown, numbered from 1. */
export function readView(text: string, nonce: string, count: number): Read {
  const parsed = said.safeParse(jsonObject(text))
  if (!parsed.success)
    return { ok: false, errors: ['The answer is not one JSON object of the shape that is asked for.'] }
  const { pages, findings, summary } = parsed.data
  const told = pages.map(({ page }) => page).toSorted((one, other) => one - other)
  const all = Array.from({ length: count }, (_, index) => index + 1)
  const flaws = [
    ...(parsed.data.nonce === nonce ? [] : ['The nonce is another.']),
    ...(told.join() === all.join() ? [] : ['Not every picture has its one entry in pages.']),
    ...(findings.every(({ page }) => all.includes(page)) ? [] : ['A finding is about a picture that was not shown.']),
  ]
  if (flaws.length > 0) return { ok: false, errors: flaws }
  const cut = (one: string): string => one.slice(0, TEXT_MAX)
  return {
    ok: true,
    value: {
      summary: cut(summary),
      findings: findings.slice(0, FINDINGS_MAX).map((one) => ({
        ...one,
        claim: cut(one.claim),
        expected: cut(one.expected),
        seen: cut(one.seen),
        fix: cut(one.fix),
        confidence: Math.min(1, Math.max(0, one.confidence)),
      })),
    },
  }
}
