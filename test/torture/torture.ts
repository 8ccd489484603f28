// `npm run torture`: seeded stories over several pull requests, each played calmly and under torture, and a burst of a
// thousand events with the process killed in the middle.
import { burst } from './burst.ts'
import { playTwice } from './play.ts'
import { asked } from '../options.ts'

const about = `Each story is played calmly and under torture, with the process killed, webhooks lost, doubled and late, and GitHub failing:
both must end the same. Ends with 1 where they do not.`
const { is, whole } = asked('torture', about, {
  seed: { takes: 'number', about: 'the first story; the same number gives the same one', default: '1' },
  runs: { takes: 'number', about: 'so many stories', default: '4' },
  json: { about: 'print one JSON object' },
})
const [first, runs] = [whole('seed'), whole('runs')]
// Each play brings its own embedded store; a shared database would mix them.
delete process.env['DATABASE_URL']

/** A story mostly waits, for what the App puts off until later: two of them keep two cores busy. */
const lanes = 2
const differencesShownMax = 10
const say = (line: string): void => {
  if (!is('json')) console.log(line)
}
const total = { runs: 0, events: 0, killed: 0, lost: 0, diverged: 0 }
let failed = 0

async function story(seed: number): Promise<void> {
  const { events, killed, redelivered, lost, differences } = await playTwice(seed)
  total.runs += 1
  total.events += events
  total.killed += killed
  total.lost += lost
  if (differences.length > 0) total.diverged += 1
  const end = differences.length === 0 ? 'same end' : 'DIFFERENT END'
  say(`story ${seed}: ${events} webhooks, ${killed} kills, ${redelivered} redelivered, ${lost} lost, ${end}`)
  if (lost > 0 || differences.length > 0) {
    console.error(`${again(seed)}\n${differences.slice(0, differencesShownMax).join('\n')}`)
  }
}

const again = (seed: number): string => `Play it again: npm run torture -- --seed ${seed} --runs 1`

async function thousandEvents(): Promise<void> {
  const { events, killed, lost, ms } = await burst()
  total.events += events
  total.killed += killed
  total.lost += lost
  say(`burst: ${events} events over 100 pull requests in ${(ms / 1000).toFixed(1)} s, ${killed} kill, ${lost} lost`)
}

/** What ends with an error is told, and the others go on: the figures are printed in any case. */
async function told(work: () => Promise<void>, what: string): Promise<void> {
  await work().catch((error: unknown) => {
    failed += 1
    console.error(`${what} ended with an error.`, error)
  })
}

const began = performance.now()
const seeds = Array.from({ length: runs }, (_, index) => first + index)
await Promise.all(
  Array.from({ length: lanes }, async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const playing = seed
      await told(() => story(playing), `Story ${playing} (${again(playing)})`)
    }
  }),
)
// Alone, since it is timed.
await told(thousandEvents, 'The burst')

if (is('json')) console.log(JSON.stringify(total))
else {
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const { events, killed, lost, diverged } = total
  say(`${total.runs} stories and one burst from seed ${first}: ${events} webhooks, ${killed} kills, in ${seconds} s`)
  say(`${lost} lost, ${diverged} diverged${failed > 0 ? `, ${failed} ended with an error` : ''}`)
}
process.exit(total.lost > 0 || total.diverged > 0 || failed > 0 ? 1 : 0)
