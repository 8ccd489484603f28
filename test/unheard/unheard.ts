// `npm run unheard`: changes at which agents and people work while every second webhook is lost, GitHub fails now and then and the
// App is killed. No commit may turn green over a no that stands, by what was allowed for another one, or without what its policy asks for,
// whether anybody told of it or not; nor may a merge group.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { dice, type Dice } from '../torture/story.ts'
import { aClock } from '../app/lab/clock-in-minutes.ts'
import { server } from '../app/lab/a-database.ts'
import { until } from '../app/lab/running.ts'
import { aShop, type Shop } from '../app/lab/shop.ts'
import { workflowFiles } from '../action/workflow.ts'
import { untold } from '../app/lab/unheard.ts'
import { asked } from '../options.ts'
import { aGround } from '../chaos/ground.ts'
import { acts, close, draft } from './acts.ts'
import { wronglyGreen, headOf, lookAt, noted, short, type Change } from './change.ts'
import { kindOf, type Kind } from './kinds.ts'
import { putBack } from './queue.ts'
import { allRun, report } from './results.ts'
import { weather } from './weather.ts'

const words = `Ends with 1 where a commit or a merge group turned green over a rejection, a label or a request for changes that
stands, by what was allowed for another commit or base, or without an approval that it needs, and tells its story.`
const { is, whole, refused } = asked('unheard', words, {
  seed: { takes: 'number', about: 'the first change; the same number gives the same one', default: '1' },
  changes: { takes: 'number', about: 'so many changes', default: '96' },
  steps: { takes: 'number', about: 'how much happens to each', default: '14' },
  processes: {
    takes: 'number',
    about: 'so many of the App, on a database of the server that DATABASE_URL names; 1 has a store of its own',
    default: '1',
  },
  json: { about: 'print one JSON object' },
})
const [first, changes, steps] = [whole('seed'), whole('changes', 1), whole('steps', 1)]
const processes = whole('processes', 1)
const store = processes === 1 ? 'embedded' : 'postgres'
if (store === 'postgres' && server === '')
  refused('several processes share a Postgres: DATABASE_URL has to name a server of your own')
/** So many at once: what the App does for one is soon done. */
const TOGETHER = 24
const LOST = 0.5
const IDLE_MS_MAX = 240_000
const KILLED = 0.08
const LATER = 0.6
const WEATHER_MS = 2_000
const PATIENCE_S = 120

const { clock, aMinuteLater } = aClock()
const ground = await aGround({ store, processes, seed: first, clock, env: { NODE_OPTIONS: '', LOG_LEVEL: 'warn' } })
const { github } = ground
/** Nothing is left to do, and nothing is about to be tried again. */
const idle = (): Promise<void> =>
  until(async () => {
    await ground.idle()
    return !/"soon":[1-9]/.test(await ground.health())
  }, IDLE_MS_MAX)
const figures = { changes: 0, turned_green: 0, kills: 0, bad_weather: 0, wrong: 0 }

async function begun(seed: number): Promise<Change> {
  const kind = kindOf(seed)
  const shop = await aShop({ github, idle }, kind.policy, workflowFiles)
  const author = kind.isGuest ? `guest-${seed}` : 'agent'
  github.push(shop.name, 'release', { files: {}, author: 'cleo' })
  const home = kind.isGuest ? github.fork(shop.name, author) : shop.name
  const issue = github.openIssue(shop.name, { title: 'A better shop', body: 'Make it better.', by: 'cleo' })
  const mate = await aMate(shop, kind)
  const sha = github.push(home, 'feature', { files: { 'src/shop.ts': 'export {}\n' }, author })
  const isLinked = seed % 3 === 0
  const head = kind.isGuest ? `${author}:feature` : 'feature'
  const pull = await shop.open(author, { head, body: isLinked ? `Closes #${issue}` : '' })
  const change: Change = {
    seed,
    kind,
    shop,
    home,
    author,
    roll: dice(seed),
    pull,
    issue,
    mate,
    twin: null,
    commits: [sha],
    known: new Set([sha]),
    noes: [],
    yeses: [{ by: 'eve', how: 'an approval', ...mate, base: 'main', step: 0, stands: true }],
    reviews: [],
    comments: [],
    opened: null,
    demoted: new Set(),
    group: null,
    found: new Map(),
    came: new Map([[sha, 0]]),
    lost: [],
    greens: new Set(),
    story: [`    ${short(sha)} is opened as #${pull} by ${author}`],
    wrong: [],
    step: 0,
    isDraft: false,
    isClosed: false,
    base: 'main',
    isLabelled: false,
    isLinked,
  }
  for (const check of kind.checks) noted(change, check, mate.sha, true)
  lookAt(change, 'before it began')
  return change
}

/** Nobody pushes there; its checks have passed, and whoever has to approve it did. */
async function aMate(shop: Shop, kind: Kind): Promise<Change['mate']> {
  const { name, push, open } = shop
  const sha = await push('mate', 'agent', { 'src/shop.ts': null, 'src/mate.ts': 'export {}\n' })
  const pull = await open('agent', { head: 'mate' })
  const where = { shop, kind, home: name, branch: 'mate', base: 'main', pull } as const
  for (const check of kind.checks) report(where, check, sha, true)
  github.review(name, pull, { by: 'eve', event: 'APPROVE', body: 'I looked at it' })
  await idle()
  return { pull, sha }
}

/** One of the processes, or all that there are. */
async function killed(all: readonly Change[], when: string, which?: number): Promise<void> {
  figures.kills += 1
  const those = which === undefined ? ground.processes : ground.processes.slice(which, which + 1)
  await Promise.all(those.map((one) => one.end('SIGKILL')))
  await Promise.all(those.map((one) => one.start()))
  await idle()
  for (const change of all) lookAt(change, when)
}

async function step(all: readonly Change[], number: number, roll: Dice): Promise<void> {
  const { chance, below } = roll
  if (chance() < LATER) aMinuteLater()
  const todo = all.map((change) => {
    change.step = number
    putBack(change)
    const told = change.roll.chance() >= LOST
    return { told, act: anAct(change, told) }
  })
  const [lost, heard] = [todo.filter(({ told }) => !told), todo.filter(({ told }) => told)]
  const bad = weather(github, roll)
  if (bad !== null) for (const { story } of all) story.push(`    ${bad.what}`)
  const before = github.deliveries().length
  await untold(github, () => lost.forEach(({ act }) => act()))
  for (const { id, event } of github.deliveries().slice(before))
    all.find(({ shop }) => shop.name === about(id))?.lost.push({ id, event })
  for (const { act } of heard) act()
  if (bad !== null) {
    await sleep(WEATHER_MS)
    for (const change of all) lookAt(change, 'in bad weather')
    bad.ends()
    figures.bad_weather += 1
  }
  await idle()
  for (const change of all) lookAt(change, `in step ${number}`)
  if (chance() < KILLED) await killed(all, `after a kill in step ${number}`, below(processes))
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

/** Ready, half of them built, and all that was lost looked for: what is red by now is so for a reason. */
async function ended(all: readonly Change[]): Promise<void> {
  aMinuteLater()
  for (const change of all) {
    change.step += 1
    if (change.isDraft) draft(change, true)()
    if (change.isClosed) close(change, true)()
  }
  await idle()
  aMinuteLater()
  // What failed unheard in the others is not covered up by what passes now.
  const covered = all.filter(({ seed }) => seed % 20 < 10)
  for (const change of covered) allRun(change, { sha: headOf(change, change.pull), passed: true, told: true })
  await idle()
  for (const change of all) lookAt(change, 'in the end')
  await killed(all, 'after the last kill')
  // What was lost is looked for beside everything else, one repository after the other.
  for (let waited = 0; waited < PATIENCE_S && all.some((one) => wronglyGreen(one).length > 0); waited += 1)
    await sleep(1_000)
  await idle()
  for (const change of all) {
    const why = wronglyGreen(change)
    if (why.length > 0) change.wrong.push(`it is green in the end ${why.join(', ')}`)
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
  figures.turned_green += all.filter(({ story }) => story.some((line) => /turned green (?!before)/.test(line))).length
  for (const { seed, story, wrong } of all) {
    if (wrong.length === 0) continue
    figures.wrong += 1
    console.error(`Change ${seed}:\n${story.join('\n')}\n  ${wrong.join('\n  ')}`)
    console.error(`Play it again: npm run unheard -- --seed ${first + from} --changes ${all.length} --steps ${steps}`)
  }
  if (!is('json'))
    console.log(
      `${figures.changes} changes, ${figures.turned_green} turned green, ${figures.kills} kills, ${figures.bad_weather} times bad weather, ${figures.wrong} wrong`,
    )
}
if (is('json')) console.log(JSON.stringify(figures))
await ground.leave()
process.exitCode = figures.wrong > 0 ? 1 : 0
