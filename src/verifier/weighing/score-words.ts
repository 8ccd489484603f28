// What an evaluation comes to, in words: a table for a terminal, a report for a page, and two runs side by side.
import { visible } from '../../core/visible.ts'
import { rateWords, type Rate } from './rates.ts'
import { isRight, type EvalRow, type Group, type Score } from './score.ts'

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
  const rates = scores.flatMap((score) => ['', `tier ${score.tier}`, ...ratesTold(score)])
  return [...lines, '', figureLine('', tiers), ...sums, ...rates].join('\n')
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

const rates = {
  'wrong changes that passed': ({ false_accept_rate }) => false_accept_rate,
  'clean changes that were stopped': ({ false_reject_rate }) => false_reject_rate,
  'clean changes that went to a person': ({ clean_refers }) => clean_refers,
  'defects that were found': ({ recall }) => recall,
  'findings that are defects': ({ precision }) => precision,
} as const satisfies Record<string, (score: Score) => Rate>

const ratesTold = (score: Score): string[] => [
  ...Object.entries(rates).map(([name, of]) => `${name.padEnd(36)}  ${rateWords(of(score))}`),
  ...[...score.by_need, ...score.by_kind].map(
    ({ name, false_accepts, recall }) =>
      `  ${name.padEnd(34)}  passed ${rateWords(false_accepts)}; found ${rateWords(recall)}`,
  ),
]

export type Run = { readonly source: string; readonly scores: readonly Score[] }

/** In Markdown. */
export function report({ source, scores }: Run): string {
  return [
    '# How good the verifier is',
    '',
    source,
    '',
    ...scores.flatMap((score) => [
      `## Tier ${score.tier}, ${score.cases} cases`,
      '',
      ...tableOf(
        ['figure', 'value'],
        [
          ...Object.entries(rates).map(([name, of]) => [name, rateWords(of(score))]),
          ...Object.entries(figures).map(([name, of]) => [name, of(score)]),
        ],
      ),
      '',
      ...groupTable('need', score.by_need),
      ...groupTable('kind', score.by_kind),
    ]),
  ].join('\n')
}

const groupTable = (what: string, groups: readonly Group[]): string[] =>
  groups.length === 0
    ? []
    : [
        ...tableOf(
          [what, 'wrong changes that passed', 'defects found', 'findings that are defects'],
          groups.map(({ name, false_accepts, recall, precision }) => [
            name,
            ...[false_accepts, recall, precision].map(rateWords),
          ]),
        ),
        '',
      ]

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)

/** Where the intervals of two shares do not meet, the difference is more than chance. */
export function compared(one: Run, other: Run): string {
  const lines = one.scores.flatMap((score) => {
    const second = other.scores.find(({ tier }) => tier === score.tier)
    if (second === undefined) return []
    return [
      '',
      `## Tier ${score.tier}`,
      '',
      ...tableOf(
        ['figure', 'first', 'second', ''],
        [
          ...Object.entries(rates).map(([name, of]) => {
            const [a, b] = [of(score), of(second)]
            return [name, rateWords(a), rateWords(b), apart(a, b) ? 'differs' : '']
          }),
          ...Object.entries(figures).map(([name, of]) => [name, of(score), of(second), '']),
        ],
      ),
    ]
  })
  return ['# Two runs', '', `First: ${one.source}`, '', `Second: ${other.source}`, ...lines].join('\n')
}

const apart = (one: Rate, other: Rate): boolean =>
  one.low !== null &&
  one.high !== null &&
  other.low !== null &&
  other.high !== null &&
  (one.low > other.high || other.low > one.high)
