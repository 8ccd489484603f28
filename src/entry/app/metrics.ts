// Figures for Prometheus. https://prometheus.io/docs/instrumenting/exposition_formats/
import type { Pacing } from '../../adapters/github/traffic/pacing.ts'
import type { PoolStats } from '../../adapters/aside/pool.ts'
import type { InboxStatus } from '../../adapters/inbox/inbox.ts'
import type { LoopFigures } from './loop.ts'
import type { Trouble } from './trouble.ts'

type Figures = {
  readonly loop: LoopFigures
  readonly reading: PoolStats
  readonly pacing: Pacing
  readonly trouble: Trouble
  /** In milliseconds since 1970, by the clock that the inbox goes by. */
  readonly now: number
  readonly skewSeconds: number
  /** Installations where GitHub does not answer. */
  readonly outages: number
}

export function metricsText(
  inbox: InboxStatus,
  { loop, reading, pacing, trouble, now, skewSeconds, outages }: Figures,
): string {
  const { waiting, active, dead, oldest_waiting_at } = inbox
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
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    ...troubleLines(trouble),
  ]
  for (const [installation, counters] of pacing.counters()) {
    for (const [name, value] of Object.entries(counters)) {
      lines.push(`countersign_github_${name}{installation="${installation}"} ${value}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function troubleLines(trouble: Trouble): string[] {
  const name = 'countersign_trouble_total'
  const head = [`# HELP ${name} What went wrong and kept nothing else from being done.`, `# TYPE ${name} counter`]
  return [...head, ...Array.from(trouble.counts(), ([what, count]) => `${name}{what="${what}"} ${count}`)]
}

const figure =
  (type: 'gauge' | 'counter') =>
  (name: string, help: string, value: number): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}`
const gauge = figure('gauge')
const counter = figure('counter')
