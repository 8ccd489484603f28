// What happens to a delivery after it was acknowledged: it is understood, and the engine hears of it.
import { understand, type Understood, type Webhook } from '../../adapters/github/payloads.ts'
import { RateLimited } from '../../adapters/github/traffic/pacing.ts'
import { RetryLater } from '../../adapters/inbox/retry-later.ts'
import type { z } from 'zod'
import { answered } from '../../engine/answered.ts'
import { heardOrNoted } from '../../engine/unhandled.ts'
import type { Engine } from '../../engine/engine.ts'
import { isShutOut } from '../../engine/sweep.ts'
import type { Forge } from '../../ports.ts'
import type { News } from '../../core/news.ts'
import type { Repositories } from './repositories.ts'
import { answerEvent, answerShape } from './verifying.ts'

export type Arrived = { readonly guid: string; readonly webhook: Webhook }

export async function handle(
  engine: Engine<Forge>,
  repositories: Repositories,
  arrived: readonly Arrived[],
  ownApp: number,
): Promise<void> {
  const understood = arrived.flatMap(({ guid, webhook }): Item[] => {
    if (webhook.event === answerEvent) return [{ kind: 'answer', guid, ...answerShape.parse(webhook.payload) }]
    const one = understand(webhook, ownApp)
    return one === null ? [] : [{ kind: 'news', guid, ...one }]
  })
  for (const item of coalesced(understood)) await handleOne(engine, repositories, item).catch(laterWhenLimited)
}

async function handleOne(engine: Engine<Forge>, repositories: Repositories, item: Item): Promise<void> {
  if (item.kind === 'answer') return answered(engine, item.session, item.answer, item.guid)
  return repositories.reaching(item.installation, item.repository, () =>
    heardOrNoted(engine, item.repository, item.news, item.guid),
  )
}

/** GitHub asked us to wait: that is no failure of the delivery. Nothing can be done where we are not let in. */
function laterWhenLimited(error: unknown): void {
  if (isShutOut(error)) return
  const limited = limitIn(error)
  if (limited === null) throw error
  const seconds = Math.max(1, Math.ceil((Date.parse(limited.retryAt) - Date.now()) / 1000))
  throw new RetryLater(seconds, limited.message, { cause: error })
}

/** What GitHub asks to wait for, wherever it stands in an error. */
export function limitIn(error: unknown): RateLimited | null {
  if (error instanceof RateLimited) return error
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return inner.map(limitIn).find((one) => one !== null) ?? null
}

type Item = { readonly guid: string } & (
  | ({ readonly kind: 'news' } & Understood)
  | ({ readonly kind: 'answer' } & z.output<typeof answerShape>)
)

/** Hints about the same thing in a row say no more than the last of them, since what they hint at is read again. */
function coalesced(items: readonly Item[]): Item[] {
  return items.filter((item, index) => {
    const hint = hintOf(item)
    const next = items[index + 1]
    return hint === null || next === undefined || hintOf(next) !== hint
  })
}

function hintOf(item: Item): string | null {
  if (item.kind === 'answer') return null
  const { news }: { readonly news: News } = item
  if (news.kind === 'results_changed') return `results ${news.sha}`
  return news.kind === 'pull_changed' && news.by === null ? `pull ${news.pull} ${news.head_sha} ${news.base_ref}` : null
}
