// One story, played twice: once calmly, once under torture. What is left must be the same.
import { aSecond } from '../app/lab/a-second.ts'
import { runningApp, type Running } from '../app/lab/running.ts'
import { decisionsOf, differencesOf, recordOf, seenOn } from './outcome.ts'
import { aStage, type Stage } from './stage.ts'
import { aStory, dice, type Dice, type Scene } from './story.ts'
import { beginTrouble, healed, inboxOf, killSometime, quiet } from './trouble.ts'

export type Figures = {
  /** Webhooks that GitHub sent, duplicates and redeliveries included. */
  readonly events: number
  readonly killed: number
  readonly redelivered: number
  /** Webhooks that the App took and did not work off. */
  readonly lost: number
  readonly differences: readonly string[]
}
type Ending = Omit<Figures, 'differences'> & { readonly state: unknown; readonly broken: readonly string[] }

export async function playTwice(seed: number): Promise<Figures> {
  const [calm, tortured] = await Promise.all([playCalmly(seed), playTortured(seed)])
  const { events, killed, redelivered, lost } = tortured
  const differences = [...tortured.broken, ...differencesOf(calm.state, tortured.state)]
  return { events: events + calm.events, killed, redelivered, lost: lost + calm.lost, differences }
}

async function playCalmly(seed: number): Promise<Ending> {
  const story = aStory(seed)
  const app = await runningApp()
  try {
    const stage = await aStage(app, story, () => 0)
    for (const scene of story.scenes) {
      await stage.perform(scene)
      await quiet(app)
      // No two scenes are of one second: GitHub could not tell which of them was first.
      await aSecond()
    }
    return await ending(app, stage, { killed: 0, redelivered: 0 })
  } finally {
    await app.stop()
  }
}

async function playTortured(seed: number): Promise<Ending> {
  const story = aStory(seed)
  const roll = dice(seed + 1)
  const app = await runningApp({ seed })
  try {
    const stage = await aStage(app, story, () => roll.below(40))
    let killed = 0
    let redelivered = 0
    for (const scene of story.scenes) {
      const suffered = await suffer(app, stage, scene, roll)
      killed += suffered.killed
      redelivered += suffered.redelivered
      await aSecond()
    }
    return await ending(app, stage, { killed, redelivered })
  } finally {
    await app.stop()
  }
}

async function suffer(
  app: Running,
  stage: Stage,
  scene: Scene,
  roll: Dice,
): Promise<{ killed: number; redelivered: number }> {
  beginTrouble(app, roll)
  const kills = roll.chance() < 0.5
  await Promise.all([stage.perform(scene), kills ? killSometime(app, roll) : null])
  const killedLate = roll.chance() < 0.3
  const late = killedLate ? killSometime(app, roll) : null
  await late
  const { redelivered } = await healed(app)
  return { killed: Number(kills) + Number(killedLate), redelivered }
}

async function ending(
  app: Running,
  stage: Stage,
  { killed, redelivered }: Pick<Ending, 'killed' | 'redelivered'>,
): Promise<Ending> {
  const events = app.github.deliveries().length
  const { waiting, dead } = await inboxOf(app)
  const seen = await seenOn(stage)
  const record = await recordOf(app)
  const state = { seen, decisions: decisionsOf(stage, record) }
  return { events, killed, redelivered, lost: waiting + dead, state, broken: record.broken }
}
