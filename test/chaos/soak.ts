// `npm run soak`: one App for an hour, with one mixed story after the other and a fault in each. What is shown at the end of
// each must be what a calm day shows, what people said must be on record, and its memory must not grow.
import { recordIn } from '../torture/outcome.ts'
import { setup } from '../made-store.ts'
import { median } from '../bench/row.ts'
import { greensIn, unheardOf } from './ending.ts'
import type { Fault } from './fault.ts'
import { faultsOfGitHub } from './faults-of-github.ts'
import { faultsOfPostgres } from './faults-of-postgres.ts'
import { aGround, storeKinds, type Ground, type StoreKind } from './ground.ts'
import { greensBeyond, liveThrough, playCalmly, type Calm, type Lived } from './play.ts'
import { until } from '../app/lab/running.ts'
import { figureIn } from '../figure.ts'
import { asked } from '../options.ts'

const about = `What is shown at the end of each story must be what a calm day shows, what people said must be on record, and memory must not
grow. Ends with 1 where that is not so.`
const { is, text, whole, refused } = asked('soak', about, {
  minutes: { takes: 'number', about: 'how long', default: '60' },
  seed: { takes: 'number', about: 'the first story; the same number gives the same ones', default: '1' },
  store: {
    takes: 'kind',
    about: `${storeKinds.join(' or ')}; that one is a database of its own on the server that DATABASE_URL names`,
    default: 'embedded',
  },
  json: { about: 'print one JSON object' },
})
const [minutes, first] = [whole('minutes', 1), whole('seed')]
const store = storeKinds.find((kind) => kind === text('store')) ?? refused(`--store takes ${storeKinds.join(' or ')}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** The process goes on living through these, so that what it holds can be told. */
const names = [
  'github-500',
  'github-401',
  'github-cut',
  'github-writes-twice',
  'graphql-502',
  'webhooks-shuffled',
  'backends-killed',
]
/** Each is another story, whose calm day is played once. */
const STORIES = 3
const FAULT_MS = 4_000
const WAIT_MS_MAX = 240_000
const LOOK_MS = 1_000
/** What the first stories make it load is no growth. */
const WARM_SHARE = 0.25
/**
 * A leak is seen by the least that it holds during a story. How much is resident beyond that is a matter of how long V8 leaves
 * what nobody holds, which a machine with room makes long: one burst sets it for the rest of the run.
 */
const GROWTH_SHARE_MAX = { held: 0.2, resident: 0.5 }
const GROWTH_MB_MAX = 30

type Kind = keyof typeof GROWTH_SHARE_MAX
type Memory = Readonly<Record<Kind, number>>
type Sample = { readonly minute: number; readonly memory: Memory }

async function soak(ground: Ground, calm: readonly Calm[], faults: readonly Fault[]) {
  const began = performance.now()
  const minute = (): number => (performance.now() - began) / 60_000
  const lives: Lived[] = []
  const samples: Sample[] = []
  const wrong: string[] = []
  const seconds: number[] = []
  for (let round = 0; minute() < minutes; round += 1) {
    const [reference, fault] = [calm[round % STORIES], faults[round % faults.length]]
    if (reference === undefined || fault === undefined) throw new Error('there is nothing to play')
    const seed = first + (round % STORIES)
    // An outage is told once, and the next one may begin before it is over for everybody.
    const { words: _once, ...silent } = fault
    const memory = watched(ground)
    const lived = await liveThrough(silent, ground, reference, { seed, lastMs: FAULT_MS, waitMsMax: WAIT_MS_MAX })
    const greens = greensIn(ground.github, lived.places)
    const why = [...lived.why, ...greensBeyond(reference, { greens })]
    lives.push(lived)
    seconds.push(lived.seconds)
    wrong.push(...why.map((one) => `${fault.name}: ${one}`))
    samples.push({ minute: minute(), memory: await memory() })
    console.error(lineOf(round + 1, fault, lived, samples.at(-1)))
    for (const one of why.slice(0, 5)) console.error(`    ${one}`)
  }
  const webhooks = ground.github.deliveries().length
  const record = await ground.record()
  try {
    const { heard, broken } = await recordIn(record)
    const lost = lives.flatMap(({ stage }) => stage.pulls.flat().flatMap((pull) => unheardOf(pull, heard)))
    return { stories: lives.length, webhooks, seconds, samples, lost, wrong: [...wrong, ...broken] }
  } finally {
    await record.close()
  }
}

async function memoryOf({ processes }: Ground): Promise<Memory> {
  // A connection that was kept may just be closed.
  const answer = await fetch(`${processes[0]?.url}/metrics`, { headers: { connection: 'close' } })
  const text = await answer.text()
  const megabytes = (name: string): number => figureIn(text, `${name}_bytes`) / 1_000_000
  const held = megabytes('nodejs_heap_size_used') + megabytes('nodejs_external_memory')
  return { resident: megabytes('process_resident_memory'), held }
}

/** From now on until it is asked for: what is resident then, and the least that was held. */
function watched(ground: Ground): () => Promise<Memory> {
  let known: Memory = { resident: 0, held: Infinity }
  // Faults may keep it from answering.
  const look = async (): Promise<boolean> => {
    const now = await memoryOf(ground).catch(() => null)
    if (now !== null) known = { resident: now.resident, held: Math.min(known.held, now.held) }
    return now !== null
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  return async () => {
    clearInterval(timer)
    await until(look)
    return known
  }
}

/** What it took when it was warm, and what it takes at the end. */
function growth(kind: Kind, samples: readonly Sample[]) {
  const warm = samples.filter((_, index) => index >= samples.length * WARM_SHARE)
  const third = Math.max(1, Math.floor(warm.length / 3))
  const of = (some: readonly Sample[]): number => Math.round(median(some.map(({ memory }) => memory[kind])))
  const [early, late] = [of(warm.slice(0, third)), of(warm.slice(-third))]
  return { early, late, flat: late <= early * (1 + GROWTH_SHARE_MAX[kind]) + GROWTH_MB_MAX }
}

function lineOf(round: number, fault: Fault, { seconds, why }: Lived, sample: Sample | undefined): string {
  const outcome = why.length === 0 ? 'as on a calm day' : 'WRONG'
  const { resident = 0, held = 0 } = sample?.memory ?? {}
  const at = `${(sample?.minute ?? 0).toFixed(1).padStart(5)} min  ${resident.toFixed(0)} MB, ${held.toFixed(0)} held`
  return `${at}  story ${round} under ${fault.name}: ${outcome}, ${seconds.toFixed(1)} s after it`
}

const remove = await setup()
let code = 1
try {
  const faults = [...faultsOfGitHub, ...faultsOfPostgres].filter(
    (fault) => names.includes(fault.name) && fault.stores.some((kind: StoreKind) => kind === store),
  )
  const calm: Calm[] = []
  for (let index = 0; index < STORIES; index += 1) calm.push(await playCalmly({ seed: first + index }))
  const ground = await aGround({ store, processes: 1, seed: first })
  const { stories, webhooks, seconds, samples, lost, wrong } = await soak(ground, calm, faults)
  await ground.leave()
  const [held, resident] = [growth('held', samples), growth('resident', samples)]
  const figures = {
    seed: first,
    store,
    minutes,
    stories,
    webhooks,
    lost: lost.length,
    wrong: wrong.length,
    seconds_behind_a_fault: median(seconds),
    held_mb: { early: held.early, late: held.late },
    resident_mb: { early: resident.early, late: resident.late },
    flat: held.flat && resident.flat,
  }
  console.log(is('json') ? JSON.stringify(figures) : figures)
  for (const one of [...lost, ...wrong].slice(0, 20)) console.error(one)
  code = lost.length + wrong.length > 0 || !figures.flat ? 1 : 0
} finally {
  await remove()
}
process.exit(code)
