// How what GitHub tells reaches the engine: a webhook is read, put in line and told of; what stands in line is handled in its
// order, and waits where the world fails. Beside it stands what is known of gaps and outages.
import { z } from 'zod'
import { isHeard, nameOf } from '../../../adapters/github/people/heard-keys.ts'
import { lineOf } from '../../../adapters/github/webhooks/delivery-line.ts'
import { heard, type Heard } from '../../../adapters/github/webhooks/payloads.ts'
import type { ReadWebhook, WebhookBody } from '../../../adapters/github/webhooks/read-webhook.ts'
import { isArchiveTrouble } from '../../../adapters/store/archive.ts'
import type { Delivery, Inbox, InboxHandlers } from '../../../adapters/inbox/inbox.ts'
import type { LetInAgain, LetIns } from '../../../adapters/store/notes/let-ins.ts'
import type { Presence } from '../../../adapters/store/notes/presence.ts'
import type { Sights } from '../../../adapters/store/notes/sights.ts'
import { wordsOf } from '../../../core/error-words.ts'
import type { News } from '../../../core/news.ts'
import type { Read } from '../../../core/jobs.ts'
import type { Engine } from '../../../engine/engine.ts'
import { redacted, type Redact } from '../../../engine/redaction.ts'
import type { Forge } from '../../../ports.ts'
import { appEars, type AppEars } from './ears.ts'
import { givenUp, handle, type Arrived } from './handle.ts'
import { outagesOf, outageWords, type Outages } from './outages.ts'
import { laterInBadWeather, within } from './patience.ts'
import type { Repositories } from '../repositories.ts'
import type { Routes } from '../door/server.ts'
import type { SteadyClock } from '../steady-clock.ts'
import { printable, type Telling } from '../watched/telling.ts'

/** GitHub gives up after ten seconds, and should hear before that what became of it. */
export const STORE_MS_MAX = 8_000

type Parts = {
  readonly inbox: () => Promise<Inbox>
  readonly places: Repositories
  readonly clock: SteadyClock
  readonly sights: Sights
  readonly letIns: Pick<LetIns, 'note'>
  readonly ownApp: number
  /** When somebody listened last on this store. */
  readonly since: string
  readonly arrived: Telling['since']
  readonly read: Read<WebhookBody, ReadWebhook>
  readonly hide: Redact
  /** GitHub lets us in somewhere, or did so again: nobody told us what happened there before. */
  readonly onLetIn: (installation: number) => void
  readonly log: Readonly<Record<'debug' | 'warn', (facts: object, words: string) => void>>
}

export type Hearing = {
  readonly ears: AppEars
  readonly outages: Outages
  /** Somebody lets us in again, perhaps as another process was told. */
  readonly letIn: (one: LetInAgain) => void
  readonly receive: Routes['receive']
  readonly handlers: (engine: Engine<Forge>) => Pick<InboxHandlers, 'deliveries' | 'buried'>
}

export function hearing({
  inbox,
  places,
  clock,
  sights,
  letIns,
  ownApp,
  since,
  arrived,
  read,
  hide,
  onLetIn,
  log,
}: Parts): Hearing {
  const put = async (event: string, guid: string, told: Heard | null): Promise<'stored' | 'ignored'> => {
    if (told === null) return 'ignored'
    const body = { event, payload: redacted(told.essence, hide) }
    await (await inbox()).ingest({ guid, key: lineOf({ guid, ...body }), body })
    return 'stored'
  }
  const ears = appEars({
    places,
    waiting: async (line) => (await inbox()).waiting(line),
    take: (webhook) => put(webhook.event, webhook.guid, heard(webhook, ownApp)),
    newsIn: (webhook) => heard(webhook, ownApp)?.understood.news ?? null,
    isHeard,
    nameOf,
    since,
    ms: clock.time.now,
    onNeverShown: (line, piece) => log.warn({ line, piece }, 'GitHub names what was said there and never showed it'),
  })
  const callBack = (lines: readonly string[]): void => {
    // Who is not called back comes by itself, later.
    inbox()
      .then(({ hurry }) => hurry(lines))
      .catch((error: unknown) => log.debug({ why: wordsOf(error) }, 'what waits could not be called back'))
  }
  const outages = outagesOf(clock.ms, callBack, (what, { installation, since: from, error, request }) => {
    const said = outageWords(installation)
    if (what === 'began') log.warn({ installation, why: printable(error), request }, said.began)
    else {
      const words = said[what]
      log.warn({ installation, since: from, ms: clock.ms() - Date.parse(from) }, words)
    }
  })
  const letIn: Hearing['letIn'] = ({ installation, repositories }) => {
    const named = new Set(repositories)
    ears.letIn((key) => named.has(key) || places.tenantOf(key) === String(installation))
    onLetIn(installation)
  }
  const around = { ears, outages, arrived, ownApp, now: clock.ms, began: clock.now() }
  return {
    ears,
    outages,
    letIn,
    receive: async ({ event, guid, body }) => {
      const webhook = await read({ event, guid, body, ownApp }, 'webhooks')
      if (webhook === null) throw new Error(`The webhook ${guid} takes more time or memory to read than one may take`)
      if (webhook.kind === 'no json') return 'no json'
      if (webhook.letIn !== null) {
        const { installation, added } = webhook.letIn
        letIn(webhook.letIn)
        await within(STORE_MS_MAX, letIns.note(webhook.letIn))
        if (added.length > 0) {
          const seen = added.map((repository) => ({ repository, installation }))
          await within(STORE_MS_MAX, sights.added(seen, clock.now()))
          return 'stored'
        }
      }
      const isEcho = webhook.heard !== null && isOwnEcho(webhook.heard.understood.news, places)
      const taken = isEcho ? 'ignored' : await within(STORE_MS_MAX, put(event, guid, webhook.heard))
      if (webhook.change !== null) ears.told(webhook.change, taken === 'stored' ? 'of concern' : 'of no concern')
      return taken
    },
    handlers: (engine) => ({
      deliveries: async (line, deliveries) => {
        log.debug({ line, deliveries: deliveries.map(({ guid }) => guid) }, 'handling')
        const parts = { engine, repositories: places, line, around }
        await handle(parts, deliveries.map(arrivedAs)).catch((error: unknown) => {
          if (isArchiveTrouble(error)) log.warn({ why: wordsOf(error) }, 'what lies in the archive cannot be read')
          laterInBadWeather(error)
        })
      },
      buried: (line, delivery, error) =>
        givenUp({ engine, repositories: places, line, around }, arrivedAs(delivery), error),
    }),
  }
}

/** GitHub tells us of what we did ourselves, too: most of all that it tells is the labels that we set. */
const isOwnEcho = (news: News, { isOurself }: Pick<Repositories, 'isOurself'>): boolean =>
  (news.kind === 'place_touched' || news.kind === 'said' || (news.kind === 'labelled' && !news.added)) &&
  isOurself(news.by.login)

const webhookBody = z.object({ event: z.string(), payload: z.unknown() })
const arrivedAs = ({ guid, received_at, body }: Delivery): Arrived => ({
  guid,
  received_at,
  webhook: { guid, ...webhookBody.parse(body) },
})

const PRESENT_MS = 10_000
const LOST_MS = 500

type Attending = {
  /** A connection to the database is lost, and with it perhaps what came in since we noted that we listen. */
  readonly lost: () => void
  /** Looks whether the database is still the one that it was. */
  readonly look: () => void
  readonly stop: () => void
}

/** Whoever comes after us knows since when nobody listened, and whoever is beside us is heard. */
export function attending(
  { presence, letIns }: { readonly presence: Presence; readonly letIns: Pick<LetIns, 'news'> },
  { letIn, ears }: Pick<Hearing, 'letIn' | 'ears'>,
  { now }: SteadyClock,
  told: { readonly onError: (error: unknown) => void; readonly onSetBack: (since: string) => void },
): Attending {
  let noted = now()
  let soon: NodeJS.Timeout | undefined
  let isOver = false
  const stop = (): void => {
    isOver = true
    clearInterval(timer)
    clearTimeout(soon)
  }
  const know = (at: string, before: string | null): void => {
    if (before === null) noted = at
    else if (!isOver) {
      stop()
      told.onSetBack(before)
    }
  }
  const look = (): void => {
    const at = now()
    presence.note(at).then((before) => know(at, before), told.onError)
    letIns.news().then((news) => news.forEach(letIn), told.onError)
  }
  look()
  const timer = setInterval(look, PRESENT_MS)
  return {
    lost: () => {
      ears.unsure(noted)
      if (isOver) return
      soon ??= setTimeout(() => {
        soon = undefined
        look()
      }, LOST_MS)
    },
    look,
    stop,
  }
}
