// A store that holds many tasks already: each was opened, judged and closed by the rules, and went through the store's
// own adapter.
import { openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { builtInPolicy } from '../../src/core/contract/policy/policy.ts'
import { emptyTail, seal } from '../../src/core/decision/record/chain.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import { play } from '../decision/play.ts'

const at = '2026-01-05T09:00:00.000Z'
const actor = { kind: 'app', login: 'countersign', id: null } as const

export async function crowd(directory: string, tasks: number): Promise<void> {
  const { sql, flush } = await openPglite(directory)
  await migrate(sql)
  const store = sqlStore(sql)
  const events = aTask()
  for (let index = 0; index < tasks; index += 1) {
    const stream = `R9${String(Math.floor(index / 100)).padStart(6, '0')}#${index % 100}`
    await store.append(stream, 0, seal(events, emptyTail, sealing(stream)))
    // As the first sweep would find it.
    await store.finish(stream, events.length)
  }
  await flush()
  await sql.close()
}

export const sealing = (stream: string) => ({
  stream,
  task_id: `acme/shop-${stream}`,
  at,
  actor,
  correlation_id: 'crowd',
})

export function aTask(): readonly NewEvent[] {
  const events: NewEvent[] = []
  const steps = [
    { kind: 'push', commit: 1, invalid: false, known: true },
    { kind: 'files', files: 'source' },
    { kind: 'tier1', passed: true },
    { kind: 'close' },
  ] as const
  play(builtInPolicy, steps, (moved) => events.push(...moved.events))
  return events
}
