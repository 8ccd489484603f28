// Figures for Prometheus. https://prometheus.io/docs/instrumenting/exposition_formats/
import type { Pacing } from '../../adapters/github/traffic/pacing.ts'
import type { InboxStatus } from '../../adapters/inbox/inbox.ts'
import type { Trouble } from './trouble.ts'

export function metricsText(
  { waiting, active, dead, oldest_waiting_at }: InboxStatus,
  pacing: Pacing,
  trouble: Trouble,
): string {
  const age = oldest_waiting_at === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldest_waiting_at)) / 1000)
  const lines = [
    gauge('countersign_inbox_waiting', 'Deliveries that wait to be handled.', waiting),
    gauge('countersign_inbox_active', 'Lines of deliveries that are being handled.', active),
    gauge('countersign_inbox_dead', 'Deliveries that were given up.', dead),
    gauge('countersign_inbox_oldest_seconds', 'Age of the oldest waiting delivery.', age),
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

const gauge = (name: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}`
