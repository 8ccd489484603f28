// The rules alone, on a history of a thousand events.
import { decide } from '../../src/core/decision/rules/decide.ts'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import { aWorld } from '../world/world.ts'
import { atMost, median, type Row } from './row.ts'

const repeats = 25

export async function historyRow(): Promise<Row> {
  const world = await aWorld({ policy: { verification: { checks: ['test'], retry: { stop_on_no_progress: 0 } } } })
  world.verifierWillSay('PASS')
  for (let push = 0; (await world.events()).length < 1_000; push += 1) {
    await world.push(`a${push}`, { checks: { test: push % 2 === 0 ? 'failed' : 'passed' } })
  }
  const events = (await world.events()).slice(0, 1_000)
  const { task_id, attempts } = await world.state()
  const again = { type: 'report_check', run: 'again', name: 'test', state: 'failed', result: null } as const
  const input = { ...again, attempt_id: attempts.at(-1)?.id ?? '', output_ref: null }
  const times = Array.from({ length: repeats }, () => {
    const began = performance.now()
    decide(replay(emptyTask(task_id), events), input, '2026-01-06T09:00:00.000Z')
    return performance.now() - began
  })
  return atMost(`replay and decide over ${events.length} events, median of ${repeats}`, median(times), 'ms', 5)
}
