// What a policy would have decided, as a table that people read: what differs first, then what rests on something unknown.
import type { Outcome } from '../simulation/another-policy.ts'
import { neutralLine } from './text/neutral.ts'

/** `before` is null where no policy judged it. */
export type SimulatedRow = {
  readonly pull: number
  readonly before: Outcome | null
  readonly after: Outcome
  readonly unknown: readonly string[]
}
export type Counted = { readonly same: number; readonly differ: number; readonly unknown: number }

export const differs = ({ before, after }: SimulatedRow): boolean => before === null || before.status !== after.status

export function counted(rows: readonly SimulatedRow[]): Counted {
  const differ = rows.filter(differs).length
  return { same: rows.length - differ, differ, unknown: rows.filter(({ unknown }) => unknown.length > 0).length }
}

export function sayCounted({ same, differ, unknown }: Counted): string {
  const rest = unknown === 0 ? '' : ` ${unknown === 1 ? '1 rests' : `${unknown} rest`} on something that is not known.`
  return `${differ} ${differ === 1 ? 'decision differs' : 'decisions differ'}, ${same} ${same === 1 ? 'does' : 'do'} not.${rest}`
}

export const step = ({ before, after }: SimulatedRow): string =>
  before === null || before.status === after.status ? after.status : `${before.status} → ${after.status}`

/** What is not known was taken as passed, and is part of the reason. */
export const why = ({ after, unknown }: SimulatedRow): string =>
  unknown.length === 0 ? after.headline : `${after.headline} (not known: ${unknown.join('; ')})`

const SHOWN_MAX = 20

/** For a page on GitHub; empty where there is nothing to compare with. */
export function simulationLines(rows: readonly SimulatedRow[]): readonly string[] {
  if (rows.length === 0) return []
  const shown = rows.filter((row) => differs(row) || row.unknown.length > 0)
  const lines = shown.slice(0, SHOWN_MAX).map((row) => `#${row.pull}: ${step(row)}. ${neutralLine(why(row))}`)
  const more = shown.length > SHOWN_MAX ? [`and ${shown.length - SHOWN_MAX} more`] : []
  return [sayCounted(counted(rows)), ...lines, ...more]
}
