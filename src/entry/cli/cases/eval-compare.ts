// Two runs of an evaluation side by side, as `countersign eval --json` wrote them.
import { z } from 'zod'
import { jsonIn } from '../../../core/json.ts'
import { compared } from '../../../verifier/weighing/score-words.ts'
import { CannotRun, readText } from './cannot-run.ts'

const rate = z.object({
  part: z.number(),
  whole: z.number(),
  share: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})
const groups = z.array(z.object({ name: z.string(), false_accepts: rate, recall: rate, precision: rate }))
const share = z.number().nullable()
const run = z.object({
  source: z.string(),
  scores: z.array(
    z.object({
      tier: z.literal([2, 3]),
      cases: z.number(),
      false_accepts: z.number(),
      false_rejects: z.number(),
      refers: z.number(),
      unavailable: z.number(),
      flip_rate: share,
      evidence_verified: share,
      coverage: share,
      calibration_error: share,
      brier: share,
      usd: z.number(),
      ms: z.number(),
      calls: z.number(),
      false_accept_rate: rate,
      false_reject_rate: rate,
      clean_refers: rate,
      recall: rate,
      precision: rate,
      by_kind: groups,
      by_need: groups,
    }),
  ),
})

export const compareRuns = async (one: string, other: string): Promise<string> =>
  compared(await readRun(one), await readRun(other))

async function readRun(file: string) {
  const text = await readText(file, '`countersign eval --json` writes one.')
  const parsed = run.safeParse(jsonIn(text))
  if (!parsed.success) throw new CannotRun(`${file} is not what \`countersign eval --json\` writes`)
  return parsed.data
}
