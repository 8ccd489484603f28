// How good the verifier is on changes whose label is known: what it let through, what it stopped for nothing, how sure it
// was and how often it was right, and what that cost.
import { rateOf, type Rate } from './rates.ts'

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
  /** What the case is an example of, and how far one has to look to see what is wrong. */
  readonly kind: string | null
  readonly need: string | null
  /** Things that were found and block; `hits` of them at the place that the case names, null where it names none. */
  readonly found: { readonly blocking: number; readonly hits: number | null }
}
export type Group = {
  readonly name: string
  readonly false_accepts: Rate
  readonly recall: Rate
  readonly precision: Rate
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
  readonly false_accept_rate: Rate
  readonly false_reject_rate: Rate
  /** Clean changes that went to a person. */
  readonly clean_refers: Rate
  /** Defects whose place is known and was named, and named places that are a defect's. */
  readonly recall: Rate
  readonly precision: Rate
  readonly by_kind: readonly Group[]
  readonly by_need: readonly Group[]
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
    ...ratesOf(rows),
    by_kind: groupsOf(rows, ({ kind }) => kind),
    by_need: groupsOf(rows, ({ need }) => need),
  }
}

function ratesOf(rows: readonly EvalRow[]) {
  const wrong = rows.filter(({ label }) => label !== 'accept')
  const clean = rows.filter(({ label }) => label === 'accept')
  const passed = wrong.filter(({ outcome }) => outcome === 'PASS').length
  const stopped = clean.filter(({ outcome }) => outcome === 'SOFT_FAIL' || outcome === 'HARD_FAIL').length
  const referred = clean.filter(({ outcome }) => outcome === 'REFER').length
  return {
    false_accept_rate: rateOf(passed, wrong.length),
    false_reject_rate: rateOf(stopped, clean.length),
    clean_refers: rateOf(referred, clean.length),
    recall: recallOf(rows),
    precision: precisionOf(rows),
  }
}

function recallOf(rows: readonly EvalRow[]): Rate {
  const placed = rows.filter(({ found }) => found.hits !== null)
  return rateOf(placed.filter(({ found }) => (found.hits ?? 0) > 0).length, placed.length)
}

/** In a clean change every finding that blocks is wrong; where the defect has no known place nobody can say. */
function precisionOf(rows: readonly EvalRow[]): Rate {
  const told = rows.filter(({ label, found }) => label === 'accept' || found.hits !== null)
  const hits = told.reduce((sum, { found }) => sum + (found.hits ?? 0), 0)
  return rateOf(
    hits,
    told.reduce((sum, { found }) => sum + found.blocking, 0),
  )
}

function groupsOf(rows: readonly EvalRow[], of: (row: EvalRow) => string | null): Group[] {
  const names = [...new Set(rows.flatMap((row) => of(row) ?? []))].toSorted()
  return names.map((name) => {
    const own = rows.filter((row) => of(row) === name)
    const { false_accept_rate, recall, precision } = ratesOf(own)
    return { name, false_accepts: false_accept_rate, recall, precision }
  })
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** A case for a human is right when it went to one; a rejection by whatever stage is one. */
export function isRight({ label, outcome }: Pick<EvalRow, 'label' | 'outcome'>): boolean {
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
