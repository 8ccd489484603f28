// `npm run torture`: seeded stories over several pull requests, each played calmly and under torture, and a burst of a
// thousand events with the process killed in the middle. `-- --seed 7 --runs 1` plays one story again.
import { parseArgs } from 'node:util'
import { burst } from './burst.ts'
import { playTwice } from './play.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
  },
})
const first = Number(values.seed)
const runs = Number(values.runs)
if (!Number.isInteger(first) || !Number.isInteger(runs) || runs < 0) {
  console.error('torture: --seed and --runs take whole numbers')
  process.exit(2)
}
// Each play brings its own embedded store; a shared database would mix them.
delete process.env['DATABASE_URL']

const differencesShownMax = 10
const say = (line: string): void => {
  if (!values.json) console.log(line)
}
const total = { runs, events: 0, killed: 0, lost: 0, diverged: 0, seed: first }

for (let seed = first; seed < first + runs; seed += 1) {
  const { events, killed, redelivered, lost, differences } = await playTwice(seed)
  total.events += events
  total.killed += killed
  total.lost += lost
  if (differences.length > 0) total.diverged += 1
  const end = differences.length === 0 ? 'same end' : 'DIFFERENT END'
  say(`story ${seed}: ${events} webhooks, ${killed} kills, ${redelivered} redelivered, ${lost} lost, ${end}`)
  if (lost > 0 || differences.length > 0) {
    console.error(`Play it again: npm run torture -- --seed ${seed} --runs 1`)
    console.error(differences.slice(0, differencesShownMax).join('\n'))
  }
}

const { events, killed, lost, ms } = await burst()
total.events += events
total.killed += killed
total.lost += lost
say(`burst: ${events} events over 100 pull requests in ${(ms / 1000).toFixed(1)} s, ${killed} kill, ${lost} lost`)
if (values.json) console.log(JSON.stringify(total))
else say(`${total.lost} lost, ${total.diverged} diverged in ${runs} stories and one burst (seed ${first})`)
process.exit(total.lost > 0 || total.diverged > 0 ? 1 : 0)
