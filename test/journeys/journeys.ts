// `npm run journeys`: what somebody who is new here does first, done by a program with the commands of the README, and timed.
import { setup } from '../made-store.ts'
import { beforeAPush, fiveMistakes, seeIt } from './alone.ts'
import { travel, type Journey, type Travelled } from './journey.ts'
import { agentRepairs, firstPull } from './together.ts'
import { asked } from '../options.ts'

const all: readonly Journey[] = [fiveMistakes, beforeAPush, agentRepairs, firstPull, seeIt]

const { is, pattern, refused } = asked('journeys', 'Ends with 1 where one goes wrong or takes too long.', {
  only: { takes: 'pattern', about: 'only those whose name fits this regular expression' },
  json: { about: 'print one JSON object' },
})
const only = pattern('only')
const chosen = all.filter(({ name }) => only.test(name))
if (chosen.length === 0) refused(`none is called so; there are ${all.map(({ name }) => name).join('; ')}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const remove = await setup()
const journeys: Travelled[] = []
try {
  for (const one of chosen) journeys.push(await travel(one))
} finally {
  await remove()
}
if (is('json')) console.log(JSON.stringify({ journeys }))
else
  for (const { name, seconds, limit, why } of journeys)
    console.log(`${seconds.toFixed(1).padStart(6)} s of ${limit}  ${name}${why === null ? '' : `: ${why}`}`)
process.exit(journeys.every(({ ok }) => ok) ? 0 : 1)
