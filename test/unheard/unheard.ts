// `npm run unheard`: changes at which agents and people work while every second webhook is lost and the App is killed now and
// then. No commit may turn green over a no that stands, or by what was allowed for another one, whether anybody told of it
// or not.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { dice, type Dice } from '../torture/story.ts'
import { aClock } from '../app/lab/clock-in-minutes.ts'
import { runningApp } from '../app/lab/running.ts'
import { adopted, aShop } from '../app/lab/shop.ts'
import { untold } from '../app/lab/unheard.ts'
import { asked } from '../options.ts'
import { acts, build, close, draft, greenOver, headOf, lookAt, short, type Change } from './change.ts'

const words = `Ends with 1 where a commit turned green over a rejection, a label or a request for changes that stands,
or by what was allowed for another commit or base, and tells its story.`
const { is, whole } = asked('unheard', words, {
  seed: { takes: 'number', about: 'the first change; the same number gives the same one', default: '1' },
  changes: { takes: 'number', about: 'so many changes', default: '96' },
  steps: { takes: 'number', about: 'how much happens to each', default: '14' },
  json: { about: 'print one JSON object' },
})
const [first, changes, steps] = [whole('seed'), whole('changes', 1), whole('steps', 1)]
// Each play brings its own embedded store; a shared database would mix them.
delete process.env['DATABASE_URL']

/** So many at once: what the App does for one is soon done. */
const TOGETHER = 24
const LOST = 0.5
const KILLED = 0.08
const LATER = 0.6
const PATIENCE_S = 120

const { clock, aMinuteLater } = aClock()
const app = await runningApp({ clock })
const { github } = app
const figures = { changes: 0, turned_green: 0, kills: 0, wrong: 0 }

async function begun(seed: number): Promise<Change> {
  const shop = await aShop(app, `${adopted}${seed % 3 === 0 ? 'merge_requires: completed\n' : ''}`)
  github.push(shop.name, 'release', { files: {}, author: 'cleo' })
  const sha = await shop.push()
  const pull = await shop.open()
  return {
    seed,
    shop,
    roll: dice(seed),
    pull,
    twin: null,
    commits: [sha],
    known: new Set([sha]),
    noes: [],
    yeses: [],
    builds: new Map(),
    came: new Map([[sha, 0]]),
    lost: [],
    greens: new Set(),
    story: [`    ${short(sha)} is opened as #${pull}`],
    wrong: [],
    step: 0,
    isDraft: false,
    isClosed: false,
    base: 'main',
    isLabelled: false,
  }
}

async function killed(all: readonly Change[], when: string): Promise<void> {
  figures.kills += 1
  await app.kill()
  await app.start()
  await app.idle()
  for (const change of all) lookAt(change, when)
}

async function step(all: readonly Change[], number: number, { chance }: Dice): Promise<void> {
  if (chance() < LATER) aMinuteLater()
  const todo = all.map((change) => {
    change.step = number
    const told = change.roll.chance() >= LOST
    return { told, act: anAct(change, told) }
  })
  const [lost, heard] = [todo.filter(({ told }) => !told), todo.filter(({ told }) => told)]
  const before = github.deliveries().length
  await untold(github, () => lost.forEach(({ act }) => act()))
  for (const { id, event } of github.deliveries().slice(before))
    all.find(({ shop }) => shop.name === about(id))?.lost.push({ id, event })
  for (const { act } of heard) act()
  await app.idle()
  for (const change of all) lookAt(change, `in step ${number}`)
  if (chance() < KILLED) await killed(all, `after a kill in step ${number}`)
}

const payload = z.object({ repository: z.object({ full_name: z.string() }).optional() })
const about = (delivery: number): string | undefined => payload.parse(github.payloadOf(delivery)).repository?.full_name

const total = acts.reduce((sum, [often]) => sum + often, 0)

function anAct(change: Change, told: boolean): () => void {
  for (;;) {
    let at = change.roll.chance() * total
    const act = acts.find(([often]) => (at -= often) < 0)?.[1](change, told)
    if (act) return act
  }
}

/** Ready, built, and all that was lost looked for: what is red by now is so for a reason. */
async function ended(all: readonly Change[]): Promise<void> {
  aMinuteLater()
  for (const change of all) {
    change.step += 1
    if (change.isDraft) draft(change, true)()
    if (change.isClosed) close(change, true)()
  }
  await app.idle()
  aMinuteLater()
  for (const change of all) build(change, headOf(change, change.pull), 'success')
  await app.idle()
  for (const change of all) lookAt(change, 'in the end')
  await killed(all, 'after the last kill')
  // What was lost is looked for beside everything else, one repository after the other.
  for (let waited = 0; waited < PATIENCE_S && all.some((one) => greenOver(one).length > 0); waited += 1)
    await sleep(1_000)
  await app.idle()
  for (const change of all) {
    const over = greenOver(change)
    if (over.length > 0) change.wrong.push(`it is green in the end over ${over.join(', ')}`)
  }
}

for (let from = 0; from < changes; from += TOGETHER) {
  const all: Change[] = []
  for (let seed = first + from; seed < first + Math.min(changes, from + TOGETHER); seed += 1)
    all.push(await begun(seed))
  const roll = dice(first + from)
  for (let number = 1; number <= steps; number += 1) await step(all, number, roll)
  await ended(all)
  figures.changes += all.length
  figures.turned_green += all.filter(({ story }) => story.some((line) => line.includes('turned green'))).length
  for (const { seed, story, wrong } of all) {
    if (wrong.length === 0) continue
    figures.wrong += 1
    console.error(`Change ${seed}:\n${story.join('\n')}\n  ${wrong.join('\n  ')}`)
    console.error(`Play it again: npm run unheard -- --seed ${first + from} --changes ${all.length} --steps ${steps}`)
  }
  if (!is('json'))
    console.log(
      `${figures.changes} changes, ${figures.turned_green} turned green, ${figures.kills} kills, ${figures.wrong} wrong`,
    )
}
if (is('json')) console.log(JSON.stringify(figures))
await app.stop()
process.exitCode = figures.wrong > 0 ? 1 : 0
