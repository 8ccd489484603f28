// How good the verifier is on changes whose label is known: what it let through, what it stopped for nothing, how sure it
// was and how often it was right, and what that cost.
import { visible } from '../../core/visible.ts'

export type Label = 'accept' | 'reject' | 'human'
export type EvalRow = {
  readonly name: string
  readonly label: Label
  readonly tier: 2 | 3
  /** What stopped it before the verifier was asked, or the verifier. */
  readonly decided_by: 'tier1' | 'scope' | 'verifier'
  readonly outcome: 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER' | 'UNAVAILABLE'
  readonly reason: string | null
  readonly confidence: number | null
  readonly evidence: { readonly verified: number; readonly given: number }
  readonly coverage: { readonly shown: number; readonly changed: number }
  readonly usd: number
  readonly ms: number
  readonly calls: number
}
export type Score = {
  readonly tier: 2 | 3
  readonly cases: number
  readonly false_accepts: number
  readonly false_rejects: number
  readonly refers: number
  readonly unavailable: number
  /** Cases whose repetitions did not all end alike, over the cases that were repeated. */
  readonly flip_rate: number | null
  readonly evidence_verified: number | null
  readonly coverage: number | null
  readonly calibration_error: number | null
  readonly brier: number | null
  readonly usd: number
  readonly ms: number
  readonly calls: number
}

const BINS = 10

export function scoresOf(rows: readonly EvalRow[]): Score[] {
  const tiers = [...new Set(rows.map(({ tier }) => tier))].toSorted((one, other) => one - other)
  return tiers.map((tier) =>
    scoreOf(
      tier,
      rows.filter((row) => row.tier === tier),
    ),
  )
}

function scoreOf(tier: 2 | 3, rows: readonly EvalRow[]): Score {
  const count = (holds: (row: EvalRow) => boolean): number => rows.filter(holds).length
  const sum = (of: (row: EvalRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const sure = rows.flatMap((row) =>
    row.confidence === null ? [] : [{ confidence: row.confidence, right: isRight(row) ? 1 : 0 }],
  )
  return {
    tier,
    cases: rows.length,
    false_accepts: count(({ label, outcome }) => label !== 'accept' && outcome === 'PASS'),
    false_rejects: count(
      ({ label, outcome }) => label === 'accept' && (outcome === 'SOFT_FAIL' || outcome === 'HARD_FAIL'),
    ),
    refers: count(({ outcome }) => outcome === 'REFER'),
    unavailable: count(({ outcome }) => outcome === 'UNAVAILABLE'),
    flip_rate: flipRate(rows),
    evidence_verified: share(
      sum(({ evidence }) => evidence.verified),
      sum(({ evidence }) => evidence.given),
    ),
    coverage: share(
      sum((row) => row.coverage.shown),
      sum((row) => row.coverage.changed),
    ),
    calibration_error: calibrationError(sure),
    brier:
      sure.length === 0
        ? null
        : sure.reduce((total, { confidence, right }) => total + (confidence - right) ** 2, 0) / sure.length,
    usd: sum(({ usd }) => usd),
    ms: sum(({ ms }) => ms),
    calls: sum(({ calls }) => calls),
  }
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** A case for a human is right when it went to one; a rejection by whatever stage is one. */
function isRight({ label, outcome }: Pick<EvalRow, 'label' | 'outcome'>): boolean {
  if (label === 'accept') return outcome === 'PASS'
  return label === 'human' ? outcome === 'REFER' : outcome === 'SOFT_FAIL' || outcome === 'HARD_FAIL'
}

function flipRate(rows: readonly EvalRow[]): number | null {
  const ends = new Map<string, string[]>()
  for (const { name, outcome } of rows) ends.set(name, [...(ends.get(name) ?? []), outcome])
  const repeated = [...ends.values()].filter((outcomes) => outcomes.length > 1)
  return share(repeated.filter((outcomes) => new Set(outcomes).size > 1).length, repeated.length)
}

type Sure = { readonly confidence: number; readonly right: number }

/** Over ten equal bins: how far what was claimed is from what was so. */
function calibrationError(sure: readonly Sure[]): number | null {
  if (sure.length === 0) return null
  const bins = Array.from({ length: BINS }, (_, bin) =>
    sure.filter(({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === bin),
  )
  return bins.reduce((total, bin) => {
    if (bin.length === 0) return total
    const mean = (of: (one: Sure) => number): number => bin.reduce((all, one) => all + of(one), 0) / bin.length
    return (
      total + (bin.length / sure.length) * Math.abs(mean(({ confidence }) => confidence) - mean(({ right }) => right))
    )
  }, 0)
}

/** The rows and then, side by side for the tiers, the scores: for a terminal. */
export function scoreTable(rows: readonly EvalRow[], scores: readonly Score[]): string {
  const width = Math.max(4, ...rows.map(({ name }) => name.length))
  const lines = rows.map((row) => {
    const { name, label, tier, outcome, reason, confidence, decided_by } = row
    const end = [outcome, reason].filter((part) => part !== null).join(' ')
    const sure = confidence === null ? '' : ` at ${confidence}`
    return `${isRight(row) ? 'ok' : '--'}  ${visible(name).padEnd(width)}  ${label.padEnd(6)}  tier ${tier}  ${decided_by.padEnd(8)}  ${end}${sure}`
  })
  const tiers = scores.map(({ tier }) => `tier ${tier}`)
  const sums = Object.entries(figures).map(([name, of]) => figureLine(name, scores.map(of)))
  return [...lines, '', figureLine('', tiers), ...sums].join('\n')
}

const percent = (value: number | null): string => (value === null ? 'none' : `${(value * 100).toFixed(1)} %`)

const figures = {
  cases: ({ cases }) => `${cases}`,
  'false accepts': ({ false_accepts }) => `${false_accepts}`,
  'false rejects': ({ false_rejects }) => `${false_rejects}`,
  refers: ({ refers }) => `${refers}`,
  unavailable: ({ unavailable }) => `${unavailable}`,
  'evidence verified': ({ evidence_verified }) => percent(evidence_verified),
  coverage: ({ coverage }) => percent(coverage),
  'flip rate': ({ flip_rate }) => percent(flip_rate),
  'calibration error': ({ calibration_error }) => percent(calibration_error),
  'Brier score': ({ brier }) => (brier === null ? 'none' : brier.toFixed(3)),
  cost: ({ usd }) => `$${usd.toFixed(2)}`,
  calls: ({ calls }) => `${calls}`,
  'time of the calls': ({ ms }) => `${(ms / 1000).toFixed(1)} s`,
} as const satisfies Record<string, (score: Score) => string>

const figureLine = (name: string, values: readonly string[]): string =>
  `${name.padEnd(17)}${values.map((value) => value.padStart(10)).join('')}`
