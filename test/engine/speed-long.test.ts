// One more event costs the same, however long the history: the engine remembers states and reads only what is new.
import { expect, test } from 'vitest'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import { aWorld } from '../world/world.ts'
import { slowness } from '../aside/computed.ts'

const policy = { verification: { checks: ['test'], retry: { stop_on_no_progress: 0 } } }
const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

test('reading a history of a thousand events and deciding takes under five milliseconds', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  for (let push = 0; (await world.events()).length < 1000; push += 1) {
    await world.push(`a${push}`, { checks: { test: push % 2 === 0 ? 'failed' : 'passed' } })
  }
  const events = await world.events()
  const task = await world.state()
  const attempt_id = task.attempts.at(-1)?.id ?? ''
  const again = {
    type: 'report_check',
    attempt_id,
    run: 'again',
    name: 'test',
    state: 'failed',
    result: null,
    output_ref: null,
  } as const
  const at = '2026-01-06T09:00:00.000Z'
  const whole = Array.from({ length: 15 }, () =>
    timed(() => decide(replay(emptyTask(task.task_id), events), again, at)),
  )
  const one = Array.from({ length: 15 }, () => timed(() => decide(task, again, at)))
  console.info(
    `history of ${events.length} events: replay and decide ${median(whole).toFixed(2)} ms, decide alone ${median(one).toFixed(2)} ms`,
  )
  // What else the machine does only ever adds to it.
  expect(Math.min(...whole) / slowness()).toBeLessThan(5)
  expect(Math.min(...one) / slowness()).toBeLessThan(5)
})
