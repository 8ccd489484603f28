// What befalls an App: webhooks that are lost, doubled and overtake each other, a GitHub that answers late, refuses or
// fails before and after it did what it was asked, and a process that is killed. And the operator, who brings what was
// not received once more.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { CLOSELY_MS, until, type Running } from '../app/lab/running.ts'
import type { GitHub } from '../github/github.ts'
import type { Fault } from '../github/wire/faults.ts'
import type { Dice } from './story.ts'

/** They go on overtaking each other. */
const completeDeliveries = { lostPercent: 0, doubledPercent: 0 } as const

export function beginTrouble({ github }: Running, roll: Dice): void {
  github.setDeliveries({
    lostPercent: roll.oneOf([0, 20, 20, 100]),
    doubledPercent: 30,
    shuffleWithin: 6,
    concurrency: 4,
  })
  for (const fault of faults) if (roll.chance() < 0.5) github.addFault({ ...fault, times: 1 + roll.below(2) })
  github.addFault({ method: 'GET', percent: 10, trouble: { kind: 'delay', ms: 50 + roll.below(150) } })
}

const secondary = 'You have exceeded a secondary rate limit.'
const faults: readonly Fault[] = [
  { method: 'write', percent: 30, trouble: { kind: 'answer', status: 502, effect: 'before' } },
  { method: 'write', percent: 30, trouble: { kind: 'answer', status: 502, effect: 'after' } },
  { method: 'POST', path: '/repos/*/check-runs', trouble: { kind: 'answer', status: 502, effect: 'after' } },
  { method: 'POST', path: '/repos/*/comments', trouble: { kind: 'answer', status: 502, effect: 'after' } },
  { method: 'write', percent: 30, trouble: { kind: 'reset', effect: 'after' } },
  { method: 'write', percent: 30, trouble: limited(403) },
  { method: 'write', percent: 30, trouble: limited(429) },
  { method: 'GET', percent: 5, trouble: { kind: 'answer', status: 502 } },
]

function limited(status: 403 | 429): Fault['trouble'] {
  return { kind: 'answer', status, headers: { 'retry-after': '1' }, message: secondary }
}

/** Kills the process at a random moment, perhaps while it starts again, and lets it start. */
export async function killSometime(app: Running, roll: Dice): Promise<void> {
  await sleep(roll.below(400))
  await app.kill()
  await sleep(roll.below(60))
  await app.start()
}

/** Webhooks arrive again. GitHub goes on failing until the faults are used up. */
export async function healed(app: Running): Promise<{ redelivered: number }> {
  app.github.setDeliveries(completeDeliveries)
  let redelivered = 0
  await until(async () => {
    await app.github.idle()
    const missed = notReceived(app.github)
    redelivered += missed.length
    for (const id of missed) app.github.redeliver(id)
    return missed.length === 0
  }, healMsMax)
  await quiet(app)
  app.github.clearFaults()
  return { redelivered }
}

const healMsMax = 90_000
const health = z.object({ inbox: z.object({ waiting: z.number(), active: z.number(), dead: z.number() }) })

export async function inboxOf({ url }: Running): Promise<z.output<typeof health>['inbox']> {
  return health.parse(await (await fetch(`${url}/health`)).json()).inbox
}

/** GitHub's webhooks cause writes, which cause webhooks: quiet twice in a row is quiet. */
export async function quiet(app: Running): Promise<void> {
  let times = 0
  await until(
    async () => {
      await app.github.idle()
      const { waiting, active } = await inboxOf(app)
      times = waiting === 0 && active === 0 ? times + 1 : 0
      return times >= 2
    },
    healMsMax,
    CLOSELY_MS,
  )
}

/** One delivery of each webhook that no delivery brought to the App. */
function notReceived(github: GitHub): number[] {
  const newest = new Map<string, number>()
  const received = new Set<string>()
  for (const { id, guid, status } of github.deliveries()) {
    newest.set(guid, id)
    if (status === 'OK') received.add(guid)
  }
  return [...newest].flatMap(([guid, id]) => (received.has(guid) ? [] : [id]))
}
