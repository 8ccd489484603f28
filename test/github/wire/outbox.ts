// Webhooks on their way to an App. One at a time and in order unless told otherwise; each is signed, recorded with
// what came back, and may be lost, doubled, delayed or shuffled on demand. GitHub does not try again by itself.
// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../model.ts'
import { seededChance } from './faults.ts'

export type Delivery = {
  readonly id: number
  readonly guid: string
  readonly app: App
  readonly event: string
  readonly action: string | null
  readonly installation: number | null
  readonly repository: number | null
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  readonly redelivery: boolean
  deliveredAt: string
  /** Zero until something came back, and for one that got lost. */
  statusCode: number
  status: 'waiting' | 'OK' | 'failed' | 'lost' | 'never sent' | 'unreachable'
  durationMs: number
  response: string
}
export type Letter = Pick<Delivery, 'app' | 'event' | 'action' | 'installation' | 'repository' | 'payload'>
export type Knobs = {
  /** How many are under way at once; more than one lets them overtake each other. */
  readonly concurrency: number
  readonly delayMs: number
  /** How many of a hundred get lost or are sent twice. */
  readonly lostPercent: number
  /** What got lost stands in no list that the App is given, so it cannot ask for it again. */
  readonly neverSent: boolean
  readonly doubledPercent: number
  /** The next one is drawn from so many that wait. */
  readonly shuffleWithin: number
  /** Keeps everything back until it is released. */
  readonly hold: boolean
  readonly seed: number
}

const keptMax = 20_000
const answerTimeoutMs = 10_000
const usual: Knobs = {
  concurrency: 1,
  delayMs: 0,
  lostPercent: 0,
  neverSent: false,
  doubledPercent: 0,
  shuffleWithin: 1,
  hold: false,
  seed: 1,
}

/** What measures is on the same machine as what is measured, and `fetch` takes several times the computing. */
async function posted(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const asked = request(url, { method: 'POST', headers, signal })
  const answered = once(asked, 'response')
  asked.end(body)
  const [answer] = await answered
  return answer
}

export type Outbox = ReturnType<typeof makeOutbox>

export function makeOutbox(now: () => string, nextId: () => number) {
  let knobs = usual
  let chance = seededChance(usual.seed)
  const kept: Delivery[] = []
  const queue: Delivery[] = []
  const waiting: (() => void)[] = []
  let underWay = 0
  let started = false
  const state = { closed: false }

  const isIdle = () => underWay === 0 && !started && (queue.length === 0 || knobs.hold || state.closed)
  const settle = () => {
    if (isIdle()) for (const resolve of waiting.splice(0)) resolve()
  }
  const start = () => {
    if (started) return
    started = true
    // Everything that one act emits is in the queue before the first of it leaves.
    setImmediate(() => {
      started = false
      drain()
      settle()
    })
  }
  const drain = () => {
    while (!knobs.hold && !state.closed && underWay < knobs.concurrency && queue.length > 0) {
      const index = Math.floor(chance() * Math.min(knobs.shuffleWithin, queue.length))
      const [next] = queue.splice(index, 1)
      if (next === undefined) return
      underWay += 1
      void send(next).finally(() => {
        underWay -= 1
        drain()
        settle()
      })
    }
  }
  const send = async (delivery: Delivery): Promise<void> => {
    if (knobs.delayMs > 0) await sleep(knobs.delayMs)
    delivery.deliveredAt = now()
    if (chance() * 100 < knobs.lostPercent) {
      delivery.status = knobs.neverSent ? 'never sent' : 'lost'
      return
    }
    const began = performance.now()
    try {
      const { app, headers, payload: body } = delivery
      const signal = AbortSignal.timeout(answerTimeoutMs)
      const answer = await posted(app.webhookUrl ?? '', headers, body, signal)
      const { statusCode = 0 } = answer
      delivery.response = await text(answer)
      delivery.statusCode = statusCode
      delivery.status = statusCode >= 200 && statusCode < 300 ? 'OK' : 'failed'
    } catch {
      delivery.status = 'unreachable'
    }
    delivery.durationMs = performance.now() - began
  }
  const enqueue = (letter: Letter, guid: string, redelivery: boolean): Delivery => {
    const headers = headersOf(letter, guid)
    const blank = { deliveredAt: now(), statusCode: 0, status: 'waiting', durationMs: 0, response: '' } as const
    const delivery: Delivery = { ...letter, ...blank, id: nextId(), guid, headers, redelivery }
    kept.push(delivery)
    if (kept.length > keptMax) kept.shift()
    queue.push(delivery)
    start()
    return delivery
  }

  return {
    post: (letter: Letter): void => {
      if (letter.app.webhookUrl === null) return
      const { guid } = enqueue(letter, randomUUID(), false)
      if (chance() * 100 < knobs.doubledPercent) enqueue(letter, guid, false)
    },
    /** Sends it again under the same GUID. */
    redeliver: (delivery: Delivery): Delivery => enqueue(delivery, delivery.guid, true),
    deliveries: (): readonly Delivery[] => kept,
    set: (next: Partial<Knobs>): void => {
      knobs = { ...knobs, ...next }
      if (next.seed !== undefined) chance = seededChance(next.seed)
      start()
    },
    /** Resolves when nothing is under way and nothing waits, save for what is held back. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve)
        settle()
      }),
    close: (): void => {
      state.closed = true
      settle()
    },
  }
}

function headersOf({ app, event, payload }: Letter, guid: string): Readonly<Record<string, string>> {
  const sign = (algorithm: 'sha1' | 'sha256') =>
    `${algorithm}=${createHmac(algorithm, app.webhookSecret).update(payload).digest('hex')}`
  return {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': `${app.id}`,
    'x-github-hook-installation-target-id': `${app.id}`,
    'x-github-hook-installation-target-type': 'integration',
    ...(app.webhookSecret === '' ? {} : { 'x-hub-signature': sign('sha1'), 'x-hub-signature-256': sign('sha256') }),
  }
}
