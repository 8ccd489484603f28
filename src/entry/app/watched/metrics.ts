// Figures for Prometheus. https://prometheus.io/docs/instrumenting/exposition_formats/
import type { Counters, Pacing } from '../../../adapters/github/traffic/pacing.ts'
import type { PoolStats } from '../../../adapters/aside/pool.ts'
import type { InboxStatus } from '../../../adapters/inbox/inbox.ts'
import type { LoopFigures } from './loop.ts'
import { INSTALLATIONS_MAX, type Histogram, type Told } from './telling.ts'
import type { Trouble } from './trouble.ts'

type Figures = {
  readonly loop: LoopFigures
  readonly reading: PoolStats
  readonly pacing: Pacing
  readonly trouble: Trouble
  readonly told: Told
  /** In milliseconds since 1970, by the clock that the inbox goes by. */
  readonly now: number
  readonly skewSeconds: number
  /** Installations where GitHub does not answer. */
  readonly outages: number
}

export function metricsText(
  inbox: InboxStatus,
  { loop, reading, pacing, trouble, told, now, skewSeconds, outages }: Figures,
): string {
  const { waiting, active, dead, oldest_waiting_at } = inbox
  const { rss, heapUsed, external } = process.memoryUsage()
  const age = oldest_waiting_at === null ? 0 : Math.max(0, (now - Date.parse(oldest_waiting_at)) / 1000)
  const lines = [
    gauge('countersign_inbox_waiting', 'Deliveries that wait to be handled.', waiting),
    gauge('countersign_inbox_active', 'Lines of deliveries that are being handled.', active),
    gauge('countersign_inbox_dead', 'Deliveries that were given up.', dead),
    gauge('countersign_inbox_oldest_seconds', 'Age of the oldest waiting delivery.', age),
    gauge('countersign_loop_delay_seconds_max', 'Longest wait for the loop in the last minutes.', loop.delaySecondsMax),
    gauge(
      'countersign_loop_busy_seconds_max',
      'Longest computation without a pause in that time.',
      loop.busySecondsMax,
    ),
    counter('countersign_loop_blocked_total', 'Computations that took longer than they may.', loop.blocked),
    gauge('countersign_reading_threads', 'Threads that read what others wrote.', reading.threads),
    gauge('countersign_reading_waiting', 'Texts that wait to be read there.', reading.waiting),
    counter('countersign_reading_ended_total', 'Texts that took more time or memory than they may.', reading.ended),
    gauge('countersign_clock_skew_seconds', 'How far this machine is ahead of GitHub.', skewSeconds),
    gauge('countersign_outages', 'Installations where GitHub does not answer; what was heard there waits.', outages),
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge(
      'nodejs_heap_size_used_bytes',
      'Objects in the heap, and those there that nobody has collected yet.',
      heapUsed,
    ),
    gauge('nodejs_external_memory_bytes', 'What objects of the heap hold outside of it.', external),
    ...labelled(
      'countersign_trouble_total',
      'What went wrong and kept nothing else from being done.',
      Array.from(trouble.counts(), ([what, count]): Row => [`what="${what}"`, count]),
    ),
    ...labelled('countersign_decisions_total', 'Decisions, by the row that decided.', told.decisions),
    ...labelled('countersign_acts_total', 'What people did, and what was refused to them.', told.acts),
    ...labelled('countersign_verdicts_total', 'What the verifier said.', told.verdicts),
    ...labelled('countersign_verifier_usd_total', 'What it cost, at list price.', told.usd),
    ...histogram('countersign_shown_seconds', 'From a webhook to the check run that followed from it.', told.shown),
    ...trafficLines(pacing),
  ]
  return `${lines.join('\n')}\n`
}

const traffic = {
  requests: 'Requests to GitHub.',
  not_modified: 'Requests that GitHub answered with what was known already.',
  waited_ms: 'How long requests waited for their turn.',
  limited: 'How often GitHub took no more for a while.',
} as const satisfies Record<keyof Counters, string>
const trafficNames = ['requests', 'not_modified', 'waited_ms', 'limited'] as const

/** The busiest, since whoever watches bounds how many series there are. All lines of a metric stand together. */
function trafficLines(pacing: Pacing): string[] {
  const counters = [...pacing.counters()].toSorted(([, one], [, other]) => other.requests - one.requests)
  const busiest = counters.slice(0, INSTALLATIONS_MAX)
  const lines = trafficNames.flatMap((name) => {
    const rows = busiest.map(([installation, counts]): Row => [`installation="${installation}"`, counts[name]])
    return labelled(`countersign_github_${name}`, traffic[name], rows)
  })
  const left = pacing.left()
  const quotas = busiest.flatMap(([installation]) =>
    Array.from(left.get(installation) ?? [], ([quota, value]): Row => [
      `installation="${installation}",quota="${quota}"`,
      value,
    ]),
  )
  const help = 'Requests that GitHub still allows in this hour.'
  return [...lines, ...labelled('countersign_github_quota_left', help, quotas, 'gauge')]
}

type Row = readonly [labels: string, value: number]

function labelled(name: string, help: string, rows: Iterable<Row>, type = 'counter'): string[] {
  const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
  return [...head, ...Array.from(rows, ([labels, value]) => `${name}{${labels}} ${value}`)]
}

function histogram(name: string, help: string, { buckets, count, sum }: Histogram): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...buckets.map((one) => `${name}_bucket{le="${one.seconds}"} ${one.count}`),
    `${name}_bucket{le="+Inf"} ${count}`,
    `${name}_sum ${sum}`,
    `${name}_count ${count}`,
  ]
}

const figure =
  (type: 'gauge' | 'counter') =>
  (name: string, help: string, value: number): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}`
const gauge = figure('gauge')
const counter = figure('counter')
