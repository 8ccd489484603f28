// `npm run bench`: the numbers that Countersign is held to. The App with its embedded store, the Action and a verification run
// for real, with a GitHub that takes 50 ms for each call.
import { setTimeout as sleep } from 'node:timers/promises'
import { aLook } from '../vision/look.ts'
import { aLargeAttack, aLargeVerification, manyCallers } from '../anthropic/large-verification.ts'
import { actionRows } from './action.ts'
import { callRows } from './calls.ts'
import { crowd } from './crowd.ts'
import { doorRows } from './door.ts'
import { historyRow } from './history.ts'
import { idleRows } from './idle.ts'
import { aLab, type Lab } from './lab.ts'
import { sizeRow, sweepRow } from './record.ts'
import { atMost, tableOf, type Row } from './row.ts'
import { rushRows } from './rush.ts'
import { taskCallRows } from './task-calls.ts'
import { waitingRows } from './waiting.ts'
import { eventToShown, manyPullsRows, onePullRows, pushRow } from './shown.ts'
import { figureIn } from '../figure.ts'
import { asked } from '../options.ts'

const about = 'The numbers that Countersign is held to, each with what it should be.'
const { is, whole } = asked('bench', about, {
  tasks: { takes: 'number', about: 'so many finished tasks in the store', default: '10000' },
  open: { takes: 'number', about: 'so many open pull requests for a round over everything', default: '10000' },
  waiting: { about: 'measure only agents that wait' },
  json: { about: 'print rows only' },
})
const [tasks, open] = [whole('tasks', 1), whole('open', 1)]

const idleMs = 5_000
const rows: Row[] = []
const add = (...more: readonly Row[]): void => {
  rows.push(...more)
  if (!is('json')) console.log(tableOf(more))
}

if (is('waiting')) {
  add(...(await waitingRows()))
  process.exit(0)
}
add(await historyRow())
add(...(await actionRows()))
add(...(await priceRows()))
add(...(await idleRows(open)))
add(await sizeRow())
add(await sweepRow(tasks))
const lab = await aLab()
const empty = await measured(lab)
await crowded(empty)
add(...(await rushRows()))
add(...(await waitingRows()))
await onPostgres()
if (is('json')) console.log(JSON.stringify({ rows }))
process.exit(0)

/** At list price, with all that is shown around a change, five who look for defects and six things that they find. */
async function priceRows(): Promise<readonly Row[]> {
  const small = await aLargeVerification({ lines: 400, tier: 2, repository: manyCallers, findings: 6 })
  const large = await aLargeVerification({ tier: 3, repository: manyCallers, findings: 6 })
  const attack = await aLargeAttack({ lines: 400, repository: manyCallers, findings: 6 })
  return [
    atMost('a change of 400 lines attacked by the red team, six findings refuted', attack.cost.usd, 'USD', 0.3),
    atMost('the same: calls', attack.cost.calls.length, 'calls', 7),
    atMost(
      'twenty screenshots of 1280 × 800 looked at by a model, one call',
      aLook(20, { width: 1280, height: 800 }),
      'USD',
      0.25,
    ),
    atMost('a change of 400 lines verified at tier 2', small.cost.usd, 'USD', 0.15),
    atMost('a change of 28,000 tokens verified at tier 3 with three votes', large.cost.usd, 'USD', 0.45),
  ]
}

/** Answers the time from event to decision, in milliseconds. */
async function measured(lab: Lab): Promise<number> {
  add(await memoryRow(lab, 'App idle, embedded, the start that sets up the database', 500))
  await lab.restart()
  add(await memoryRow(lab, 'App idle, embedded, any later start', 300))
  const shownMs = await eventToShown(lab)
  add(atMost('event to decision shown, median of 10', shownMs / 1000, 's', 0.165))
  add(await pushRow(lab))
  add(...(await callRows(lab)))
  add(...(await taskCallRows(lab)))
  add(...(await onePullRows(lab)))
  add(...(await manyPullsRows(lab)))
  add(...(await doorRows(lab)))
  await lab.stop()
  return shownMs
}

async function crowded(emptyMs: number): Promise<void> {
  const lab = await aLab({ prepare: (directory) => crowd(directory, tasks) })
  await lab.lull()
  const times = await eventToShown(lab)
  const share = (times / emptyMs - 1) * 100
  add(atMost(`event to decision shown with ${tasks} tasks in the store, over an empty one`, share, '%', 10))
  await lab.stop()
}

async function onPostgres(): Promise<void> {
  const databaseUrl = process.env['DATABASE_URL']
  if (databaseUrl === undefined || databaseUrl === '') {
    console.error('Not measured, since DATABASE_URL is not set: memory on Postgres.')
    return
  }
  try {
    const lab = await aLab({ databaseUrl })
    add(await memoryRow(lab, 'App idle, on Postgres', 120))
    await lab.stop()
  } catch (error) {
    console.error(`Not measured: memory on Postgres. ${String(error)}`)
  }
}

async function memoryRow({ url }: Lab, name: string, mostMb: number): Promise<Row> {
  await sleep(idleMs)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const bytes = figureIn(metrics, 'process_resident_memory_bytes')
  return atMost(`memory: ${name}, after ${idleMs / 1000} s`, bytes / 1_000_000, 'MB', mostMb)
}
