// Plays a tale on a ground, calmly or under a fault, and says what became of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { aSecond } from '../app/lab/a-second.ts'
import { until } from '../app/lab/running.ts'
import { differencesOf } from '../torture/outcome.ts'
import { aStage, type Stage } from '../torture/stage.ts'
import { dice, type Scene } from '../torture/story.ts'
import { asCalm, endingOf, lookAt, within, withoutPages, type Ending, type Look } from './ending.ts'
import type { Fault } from './fault.ts'
import { aGround, type Ground, type StoreKind } from './ground.ts'
import { aTale, leftBehind, onRecordAlone } from './tale.ts'

/** What is shown in the middle and at the end, and what is left. */
export type Calm = Ending & { readonly middle: Look; readonly last: Look }
export type Row = {
  readonly fault: string
  readonly store: StoreKind
  readonly outcome: 'the same' | 'waited in words' | 'refused in words' | 'wrong'
  /** From the end of the fault until GitHub shows what it shows on a calm day. */
  readonly seconds: number
  readonly lost: number
  readonly wrong: number
}
export type Played = Row & { readonly why: readonly string[] }
export type Wishes = { readonly seed: number; readonly lastMs: number; readonly waitMsMax: number }

/** Labels may be put off until GitHub allows more content in a minute. */
const CONTENT_MS = 65_000

export async function playCalmly({ seed }: Pick<Wishes, 'seed'>): Promise<Calm> {
  const tale = aTale(seed)
  const ground = await aGround({ store: 'embedded', processes: 1, seed })
  try {
    const stage = await aStage(ground, tale, () => 0)
    const heads = headsOf(stage)
    const scenes = async (...all: readonly Scene[]): Promise<Look> => {
      for (const scene of all) {
        await heads.perform(scene)
        await ground.idle()
        // As under a fault, no two scenes are of one second: GitHub could not tell which of them was first.
        await aSecond()
      }
      await sleep(CONTENT_MS)
      await ground.idle()
      return lookAt(stage)
    }
    const middle = await scenes(tale.before, tale.said, tale.reported)
    const last = await scenes(tale.after)
    return { middle, last, ...(await endingOf(ground, stage, heads.places)) }
  } finally {
    await ground.leave()
  }
}

export async function playUnder(fault: Fault, store: StoreKind, calm: Calm, wishes: Wishes): Promise<Played> {
  const { seed } = wishes
  const { env, processes = 1, onSmallDisk = false, forgets = false } = fault
  const expected = forgets ? without(calm, onRecordAlone(aTale(seed))) : calm
  const ground = await aGround({ store, processes, seed, onSmallDisk, ...(env && { env }) })
  let whole = false
  try {
    const played = await suffered(fault, ground, expected, wishes)
    whole = true
    return played
  } finally {
    // What GitHub finds wrong with our calls is told at the end, and hides no other error.
    if (whole) await ground.leave()
    else await ground.leave().catch(() => {})
  }
}

/** The same day, told without some of its places. */
function without({ middle, last, decisions, greens, ...calm }: Calm, places: ReadonlySet<string>): Calm {
  const kept = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([place]) => !places.has(place)))
  return { ...calm, middle: kept(middle), last: kept(last), decisions: kept(decisions), greens }
}

/** What was seen of a tale under a fault, before anybody looks into the record. */
export type Lived = {
  readonly stage: Stage
  readonly places: ReadonlyMap<string, string>
  readonly seconds: number
  readonly why: readonly string[]
}

export async function liveThrough(fault: Fault, ground: Ground, calm: Calm, wishes: Wishes): Promise<Lived> {
  const { seed, waitMsMax } = wishes
  const lastMs = Math.max(wishes.lastMs, fault.atLeastMs ?? 0)
  const tale = aTale(seed)
  const roll = dice(seed + 1)
  const stage = await aStage(ground, tale, () => roll.below(60))
  const heads = headsOf(stage)
  await heads.perform(tale.before)
  await ground.idle()

  const ear = listening(ground, fault.words)
  const end = await fault.begin({ ...ground, stage, roll, lastMs })
  await heads.perform(tale.said)
  await sleep(lastMs / 2)
  await heads.perform(tale.reported)
  await sleep(lastMs / 2)
  const heard = await ear.heard()
  let since = performance.now()
  const why: string[] = []
  const comesTrue = async (look: Look, when: string): Promise<void> =>
    void why.push(...(await awaited(stage, look, waitMsMax)).map((one) => `${when}: ${one}`))
  if (fault.outlasts !== true) {
    await end()
    since = performance.now()
    await comesTrue(calm.middle, 'in the middle')
    // What is shown may be so from before, and whoever began anew is still reading.
    await lull(ground)
    // What comes after tells of another day where what was reported before it is not judged yet.
  } else await awaited(stage, calm.middle, waitMsMax)
  let seconds = (performance.now() - since) / 1_000
  await heads.perform(tale.after)
  const last = fault.outlasts === true ? withoutPages(calm.last) : calm.last
  await comesTrue(last, 'at the end')
  if (fault.outlasts === true) {
    await end()
    since = performance.now()
    // What arrives late is there before it is looked whether it stays.
    await sleep(1_000)
    await comesTrue(last, 'behind the end')
    seconds = (performance.now() - since) / 1_000
  }
  await toldAgain(ground.github, waitMsMax)
  if (fault.readAnew === true) await lull(ground, roundMs)
  await ground.idle()
  why.push(...differencesOf(last, asCalm(last, lookAt(stage))))
  why.push(...(await unready(ground)))
  if (fault.words !== undefined && !heard) why.push(`nobody said ${fault.words}`)
  return { stage, places: heads.places, seconds, why }
}

async function suffered(fault: Fault, ground: Ground, calm: Calm, wishes: Wishes): Promise<Played> {
  const lived = await liveThrough(fault, ground, calm, wishes)
  const why = [...lived.why]
  const { seconds } = lived
  const behind = fault.forgets === true ? leftBehind(aTale(wishes.seed)) : undefined
  const ending = await endingOf(ground, lived.stage, lived.places, behind)
  why.push(...ending.broken, ...differencesOf(calm.decisions, within(calm.decisions, ending.decisions), 'decision'))
  if (fault.flickers !== true) why.push(...greensBeyond(calm, ending))
  const wrong = new Set(why).size
  const outcome: Row['outcome'] = wrong + ending.lost.length > 0 ? 'wrong' : outcomes[fault.expected]
  const row = { fault: fault.name, store: ground.store, outcome, seconds: Number(seconds.toFixed(1)) }
  return {
    ...row,
    lost: ending.lost.length,
    wrong,
    why: [...new Set([...why, ...ending.lost.map((one) => `lost ${one}`)])],
  }
}

/**
 * What could not be delivered is asked for again within half a minute, also where nothing that is shown waits for it. What GitHub
 * does not bring again is read instead, or is lost.
 */
async function toldAgain({ deliveries }: Ground['github'], waitMsMax: number): Promise<void> {
  const isTold = (): boolean => {
    const failed = new Set<string>()
    for (const { guid, status } of deliveries()) {
      if (status === 'OK') failed.delete(guid)
      else failed.add(guid)
    }
    return failed.size === 0
  }
  await until(async () => isTold(), Math.min(waitMsMax, toldMsMax), lookMs).catch(() => undefined)
}
const toldMsMax = 60_000

/** What the processes say against themselves when all is over and everybody had time to notice. */
async function unready(ground: Ground): Promise<readonly string[]> {
  let told: readonly string[] = []
  await until(async () => {
    told = (await ground.health()).split('\n').filter((one) => one !== '' && !one.includes('"status":"ok"'))
    if (told.length > 0) await sleep(lookMs)
    return told.length === 0
  }, readyMsMax).catch(() => undefined)
  return told.map((one) => `not ready: ${one}`)
}
const readyMsMax = 75_000

/** Nothing is asked of GitHub for a while. */
async function lull({ github }: Ground, quietMs = lullMs): Promise<void> {
  for (let before = -1; before !== github.requestLog().length;) {
    before = github.requestLog().length
    await sleep(quietMs)
  }
}
const lullMs = 2_000
/** So long after its start, and a little more, a process asks again whether it is the one that looks at everything. */
const roundMs = 12_000

const outcomes = { same: 'the same', waited: 'waited in words', refused: 'refused in words' } as const

export const greensBeyond = (
  calm: Pick<Ending, 'greens' | 'decisions'>,
  { greens }: Pick<Ending, 'greens'>,
): readonly string[] =>
  [...greens]
    .filter((one) => !calm.greens.has(one) && (one.split(' ')[0] ?? '') in calm.decisions)
    .map((one) => `was green: ${one}`)

/** Resolves with what differs still, if anything. */
async function awaited(stage: Stage, calm: Look, waitMsMax: number): Promise<readonly string[]> {
  let differences: readonly string[] = []
  await until(async () => {
    differences = differencesOf(calm, asCalm(calm, lookAt(stage)))
    if (differences.length > 0) await sleep(lookMs)
    return differences.length === 0
  }, waitMsMax).catch(() => undefined)
  return differences
}
const lookMs = 250

/** By its head and which of the heads of its pull request that is. */
function headsOf(stage: Stage): { readonly places: ReadonlyMap<string, string>; readonly perform: Stage['perform'] } {
  const places = new Map<string, string>()
  const note = (): void => {
    for (const [shop, row] of stage.pulls.entries()) {
      for (const [pull, { head }] of row.entries()) {
        const before = [...places.values()].filter((place) => place.startsWith(`${shop}/${pull} `)).length
        if (head !== '' && !places.has(head)) places.set(head, `${shop}/${pull} head ${before + 1}`)
      }
    }
  }
  return {
    places,
    perform: async (scene) => {
      // A pull request may be pushed to twice within a scene.
      for (const step of scene) {
        await stage.perform([step])
        note()
      }
    },
  }
}

/** Whether these words were to be read at any moment since. */
function listening(ground: Ground, words: RegExp | undefined): { readonly heard: () => Promise<boolean> } {
  const stopping = new AbortController()
  const listen = async (): Promise<boolean> => {
    if (words === undefined) return true
    const before = ground.processes.map(({ output }) => output().length)
    for (;;) {
      const told = ground.processes.map(({ output }, index) => output().slice(before[index])).join('\n')
      if (words.test(told) || words.test(await ground.health())) return true
      if (stopping.signal.aborted) return false
      await sleep(lookMs)
    }
  }
  const listened = listen()
  return {
    heard: () => {
      stopping.abort()
      return listened
    },
  }
}
