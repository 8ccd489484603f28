// What of an examination goes on record. An event of the store has a greatest length, and a verdict that is longer would be
// none: of too many findings the gravest are kept, and how many are left out is said. Raw answers have the room that is left,
// since whatever is not kept of them can be asked again.
import type { Finding, LedgerItem, RawAnswer } from '../../core/decision/examined.ts'
import type { GateReport } from '../../core/decision/gate-report.ts'
import { plural } from '../../core/words/text/plural.ts'
import type { Result } from './conclusion.ts'

/** With some room for the frame of an event; the store takes two megabytes. */
const RECORD_BYTES_MAX = 1_900_000
const LIST_BYTES_MAX = 400_000
const RAW_BYTES_MAX = 1_000_000

type Verdict = Extract<Result, { kind: 'verdict' }>

export function recordable({ verdict, examined, raw, ...rest }: Verdict): Verdict {
  const findings = firstOf(examined.findings.toSorted(byLevel), LIST_BYTES_MAX)
  const ledger = firstOf(examined.ledger.toSorted(byStatus), LIST_BYTES_MAX)
  const remarks = [
    ...firstOf(examined.remarks, LIST_BYTES_MAX),
    ...leftOutWords(examined.findings.length - findings.length, 'finding', 'findings'),
    ...leftOutWords(examined.ledger.length - ledger.length, 'open objection', 'open objections'),
  ]
  const told = { verdict, examined: { ...examined, findings, ledger, remarks } }
  return { ...rest, ...told, raw: keepable(raw, RECORD_BYTES_MAX - bytesIn(told)) }
}

const byLevel = (one: Finding, other: Finding): number =>
  Number(one.level === 'question') - Number(other.level === 'question')
const byStatus = (one: LedgerItem, other: LedgerItem): number =>
  Number(one.status !== 'open') - Number(other.status !== 'open')

/** Of a gate: its findings come with the gravest first. */
export function recordableReport<T extends Pick<GateReport, 'findings' | 'remarks'>>(report: T): T {
  const findings = firstOf(report.findings, RECORD_BYTES_MAX - RAW_BYTES_MAX)
  const remarks = [...report.remarks, ...leftOutWords(report.findings.length - findings.length, 'finding', 'findings')]
  return { ...report, findings, remarks }
}

const leftOutWords = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`There is too much to be kept: ${plural(count, one, many)} more.`]

const bytesIn = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** As many from the first on as there is room for. */
function firstOf<T>(all: readonly T[], bytesMax: number): readonly T[] {
  let bytes = 0
  const end = all.findIndex((one) => (bytes += bytesIn(one) + 1) > bytesMax)
  return end < 0 ? all : all.slice(0, end)
}

/** Whatever does not fit into one event beside the rest is asked again, should it ever be needed. */
export const keepable = (raw: readonly RawAnswer[], room = RAW_BYTES_MAX): readonly RawAnswer[] =>
  firstOf(raw, Math.min(room, RAW_BYTES_MAX))
