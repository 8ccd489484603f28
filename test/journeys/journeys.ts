// `npm run journeys`: what somebody who is new here does first, done by a program with the commands of the README, and timed.
// `-- --json` prints one object, `--only <pattern>` chooses. Ends with 1 where one goes wrong or takes too long.
import { parseArgs } from 'node:util'
import { setup } from '../made-store.ts'
import { beforeAPush, fiveMistakes, seeIt } from './alone.ts'
import { travel, type Journey, type Travelled } from './journey.ts'
import { agentRepairs, firstPull } from './together.ts'

const all: readonly Journey[] = [fiveMistakes, beforeAPush, agentRepairs, firstPull, seeIt]

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
})
const chosen = all.filter(({ name }) => new RegExp(values.only, 'i').test(name))
if (chosen.length === 0) {
  console.error(`journeys: there is none like ${values.only}: ${all.map(({ name }) => name).join('; ')}`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const remove = await setup()
const journeys: Travelled[] = []
try {
  for (const one of chosen) journeys.push(await travel(one))
} finally {
  await remove()
}
if (values.json) console.log(JSON.stringify({ journeys }))
else
  for (const { name, seconds, limit, why } of journeys)
    console.log(`${seconds.toFixed(1).padStart(6)} s of ${limit}  ${name}${why === null ? '' : `: ${why}`}`)
process.exit(journeys.every(({ ok }) => ok) ? 0 : 1)
