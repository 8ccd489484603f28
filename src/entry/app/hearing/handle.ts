// What happens to a delivery after it was acknowledged: it is understood, and the engine hears of it.
import { understand, type Understood, type Webhook } from '../../../adapters/github/webhooks/payloads.ts'
import { RateLimited } from '../../../adapters/github/traffic/pacing.ts'
import { RetryLater } from '../../../adapters/inbox/retry-later.ts'
import { isAway, isOfDatabase } from '../../../adapters/store/away.ts'
import type { z } from 'zod'
import { answered } from '../../../engine/heard/answered.ts'
import { SHOWN_MS_MAX } from '../../../engine/heard/late.ts'
import { heardOrNoted, noted } from '../../../engine/heard/unhandled.ts'
import type { Engine } from '../../../engine/engine.ts'
import { isOutage, isThroughout } from '../../../engine/outage.ts'
import { isShutOut } from '../../../engine/rounds/sweep.ts'
import { BusyElsewhere, NotShownYet, type Forge } from '../../../ports.ts'
import { isSpeech, type News, type ToldResult } from '../../../core/news.ts'
import type { Repositories } from '../repositories.ts'
import type { AppEars } from './ears.ts'
import { OWN_DATABASE, type Outages } from './outages.ts'
import type { Telling } from '../watched/telling.ts'
import { speak, talkEvent, talkShape } from './talk.ts'
import { answerEvent, answerShape } from '../verifying.ts'
import { wordsOf } from '../../../core/error-words.ts'
import { repositoryIn } from '../../../core/names.ts'

export type Arrived = { readonly guid: string; readonly received_at: string; readonly webhook: Webhook }

/** What the App knows beyond the repository: what it heard, and who is out of reach. */
export type Around = {
  readonly ears: Pick<AppEars, 'handling' | 'missed'>
  readonly outages: Outages
  readonly arrived: Telling['since']
  readonly ownApp: number
  readonly now: () => number
  /** When this process began. */
  readonly began: string
}

type Parts = {
  readonly engine: Engine<Forge>
  readonly repositories: Repositories
  readonly line: string
  readonly around: Around
}

const UNTOLD_SECONDS_MAX = 60
const SOON_SECONDS = 2
const SOON_SECONDS_MAX = 60
/** GitHub's longest window; whoever is told of more has a clock that is wrong, and asks again. */
const LIMIT_MS_MAX = 3_600_000

export async function handle(parts: Parts, arrived: readonly Arrived[]): Promise<void> {
  const { around } = parts
  const understood = arrived.flatMap(({ guid, received_at, webhook }): Item[] => {
    if (webhook.event === answerEvent)
      return [{ kind: 'answer', guid, received_at, ...answerShape.parse(webhook.payload) }]
    if (webhook.event === talkEvent) return [{ kind: 'talk', guid, received_at, ...talkShape.parse(webhook.payload) }]
    const one = understand(webhook, around.ownApp)
    return one === null ? [] : [{ kind: 'news', guid, received_at, ...one }]
  })
  const guids = arrived.map(({ guid }) => guid)
  const items = coalesced(understood)
  for (const [index, item] of items.entries()) {
    // What comes after it waits, and may be a no; what came before it, or says no more than it does, does not.
    const next = items[index + 1]
    const inHand = next === undefined ? guids : guids.slice(0, guids.indexOf(next.guid))
    const words = item.kind === 'news' && isSpeech(item.news) ? item.news : null
    await around.ears.handling({ line: parts.line, guids: inHand, words }, () =>
      around.arrived(item.received_at, () => handleOne(parts, item)),
    )
  }
}

/** It stays unheard for now, and what it is about says so. */
export async function givenUp({ engine, around }: Parts, { guid, webhook }: Arrived, error: string): Promise<void> {
  const one = understand(webhook, around.ownApp)
  if (one !== null) await noted(engine, one.repository, one.news, guid, new Error(error))
}

/** Whether it was taken in. */
async function handleOne(parts: Parts, item: Item): Promise<boolean> {
  const { engine, repositories, line, around } = parts
  let taken = true
  const tenant = item.kind === 'news' ? String(item.installation) : repositories.tenantOf(repositoryOf(item))
  try {
    if (item.kind === 'answer') await answered(engine, item.session, item.answer, item.guid)
    else if (item.kind === 'talk') await speak(await repositories.of(`${item.repository}#0`), item.said)
    else {
      const { installation, repository, guid } = item
      const news = believed(item, around.now())
      const before = item.received_at < around.began
      taken = await repositories.reaching(installation, repository, async () =>
        heardOrNoted(engine, repository, news, guid, { before }),
      )
    }
    for (const whose of [tenant, OWN_DATABASE]) around.outages.over(whose, line)
    return taken
  } catch (error) {
    if (isShutOut(error)) {
      shutOut(item, around)
      return false
    }
    const wait = waitFor(error, tenant, parts, around.now() - Date.parse(item.received_at))
    if (wait === null) throw error
    // Somebody should know by now that it was not heard, if that can be shown at all.
    if (wait.waited > UNTOLD_SECONDS_MAX && item.kind === 'news')
      await noted(engine, item.repository, item.news, item.guid, error)
    throw new RetryLater(wait.seconds, wordsOf(error), { cause: error })
  }
}

/** What GitHub told long ago and does not show was told of something else than we think, or is gone. */
function believed({ news, received_at }: NewsItem, now: number): News {
  if (news.kind !== 'results_changed' || now - Date.parse(received_at) < SHOWN_MS_MAX) return news
  const { told: _, ...rest } = news
  return rest
}

const repositoryOf = (item: Exclude<Item, { kind: 'news' }>): string =>
  item.kind === 'talk' ? item.repository : repositoryIn(item.session.stream)

/** Nothing can be done where we are not let in; what is said there, since it came and from now on, is looked for when we are. */
function shutOut(item: Item, { ears }: Around): void {
  if (item.kind === 'news') ears.missed(item.received_at, item.repository.key)
}

/** That GitHub fails, or asks us to wait, is no failure of the delivery: it waits. Null for any other failure, be it the database's. */
function waitFor(
  error: unknown,
  tenant: string,
  { line, around: { outages, now } }: Parts,
  ageMs: number,
): { readonly seconds: number; readonly waited: number } | null {
  const limitedMs = limitMsIn(error, now())
  if (limitedMs !== null) return { seconds: Math.max(1, Math.ceil(limitedMs / 1_000)), waited: 0 }
  if (isAll(error, [NotShownYet])) return { seconds: soonFor(ageMs), waited: ageMs / 1_000 }
  if (isAll(error, [NotShownYet, BusyElsewhere])) return { seconds: SOON_SECONDS, waited: 0 }
  if (isAway(error) || !isOutage(error)) return null
  return outages.waits(isOfDatabase(error) ? OWN_DATABASE : tenant, line, error)
}

/** GitHub's copies may lag for an hour: the longer it takes, the less often it is asked. */
const soonFor = (ageMs: number): number =>
  Math.min(SOON_SECONDS_MAX, Math.max(SOON_SECONDS, Math.ceil(ageMs / 1_000 / 8)))

/** Nobody is out of reach; GitHub's copies follow, or another process has its turn. */
export const isAll = (error: unknown, kinds: readonly (typeof NotShownYet | typeof BusyElsewhere)[]): boolean =>
  isThroughout(error, (one) => kinds.some((kind) => one instanceof kind))

/** What GitHub asks to wait for, wherever it stands in an error. */
export function limitIn(error: unknown): RateLimited | null {
  if (error instanceof RateLimited) return error
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return inner.map(limitIn).find((one) => one !== null) ?? null
}

/** For how long, which no clock but a wrong one makes longer than GitHub's windows are. */
export function limitMsIn(error: unknown, now: number): number | null {
  const limited = limitIn(error)
  return limited === null ? null : Math.min(Date.parse(limited.retryAt) - now, LIMIT_MS_MAX)
}

type Stored = { readonly guid: string; readonly received_at: string }
type NewsItem = Stored & { readonly kind: 'news' } & Understood
type Item =
  | NewsItem
  | (Stored & { readonly kind: 'answer' } & z.output<typeof answerShape>)
  | (Stored & { readonly kind: 'talk' } & z.output<typeof talkShape>)

/**
 * Hints about the same thing in a row say no more than the last of them, since what they hint at is read again. What was
 * told with each is looked for there.
 */
function coalesced(items: readonly Item[]): Item[] {
  const kept: Item[] = []
  for (const item of items) {
    const last = kept.at(-1)
    const hint = hintOf(item)
    if (last === undefined || hint === null || hintOf(last) !== hint) kept.push(item)
    else kept[kept.length - 1] = toldWith(item, last)
  }
  return kept
}

function toldWith(item: Item, before: Item): Item {
  if (item.kind !== 'news' || item.news.kind !== 'results_changed') return item
  const told = new Map([...toldIn(before), ...toldIn(item)].map((one) => [`${one.kind} ${one.id}`, one]))
  return told.size === 0 ? item : { ...item, news: { ...item.news, told: [...told.values()] } }
}

const toldIn = (item: Item): readonly ToldResult[] =>
  item.kind === 'news' && item.news.kind === 'results_changed' ? (item.news.told ?? []) : []

function hintOf(item: Item): string | null {
  if (item.kind !== 'news') return null
  const { news }: { readonly news: News } = item
  if (news.kind === 'results_changed') return `results ${news.sha}`
  return news.kind === 'pull_changed' && news.by === null ? `pull ${news.pull} ${news.head_sha} ${news.base_ref}` : null
}
