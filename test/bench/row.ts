// One measured figure beside its target, and the table of them.
export type Row = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly target: string
  readonly holds: boolean
}

export const atMost = (name: string, value: number, unit: string, most: number): Row => ({
  name,
  value: rounded(value),
  unit,
  target: `at most ${most}`,
  holds: value <= most,
})
export const atLeast = (name: string, value: number, unit: string, least: number): Row => ({
  name,
  value: rounded(value),
  unit,
  target: `at least ${least}`,
  holds: value >= least,
})

export const rounded = (value: number): number => Number(value.toPrecision(3))

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.ceil((percent / 100) * sorted.length) - 1]
  if (value === undefined) throw new Error('There is nothing to take a percentile of')
  return value
}
export const median = (values: readonly number[]): number => percentile(values, 50)

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ name, value, unit, target, holds }) => [
    name,
    `${value} ${unit}`,
    target,
    holds ? 'holds' : 'MISSED',
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')).join('\n')
}
