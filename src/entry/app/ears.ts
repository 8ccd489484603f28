// What was said reaches us by webhooks, which get lost, wait and come late. Before anything turns green this says whether all
// of it was heard: nothing waits in the line of the pull request, and the last change that GitHub knows of is one that we
// were told of without a gap before it. Where there may be a gap, what was said since is read at GitHub and put in line.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { isWords, type News, type Words } from '../../core/news.ts'
import type { Ears, PullHeard, Saying } from '../../ports.ts'
import type { Webhook } from '../../adapters/github/payloads.ts'
import type { Repositories } from './repositories.ts'

type Parts = {
  readonly places: Pick<Repositories, 'of' | 'placeOf'>
  /** What was taken in about a pull request and is not done. */
  readonly waiting: (line: string) => Promise<readonly string[]>
  /** Puts it in line like a webhook. */
  readonly take: (webhook: Webhook) => Promise<unknown>
  readonly newsIn: (webhook: Webhook) => News | null
  readonly isHeard: (news: Words, heard: readonly string[]) => boolean
  /** Since when nobody listened, before this began; empty where nobody ever did. */
  readonly since: string
}

export type AppEars = Ears & {
  /** A webhook told of a change of a pull request, and is stored or of no concern. */
  readonly told: (change: { readonly line: string; readonly at: string; readonly opened: boolean }) => void
  /** Handles deliveries of a line: to what it does itself these are not waiting any more, to everybody else they are. */
  readonly handling: <Result>(guids: readonly string[], work: () => Promise<Result>) => Promise<Result>
  /** Webhooks may have been missed since then, of one repository or of all. */
  readonly missed: (since: string, repository?: string) => void
}

/** What the work that runs now is about. */
type Hand = { readonly guids: Set<string> }

const HEARD_MAX = 50_000
/** GitHub tells seconds, and its clock is not ours. */
const MARGIN_MS = 120_000

export function appEars({ places, waiting, take, newsIn, isHeard, since }: Parts): AppEars {
  /** Until when everything about a pull request was heard. */
  const until = new Map<string, string>()
  const gaps = new Map<string, string>()
  let everywhere = since === '' ? '' : earlier(since)
  const hands = new AsyncLocalStorage<Hand>()

  const note = (line: string, at: string): void => {
    until.delete(line)
    until.set(line, at)
    const [oldest] = until.keys()
    if (until.size > HEARD_MAX && oldest !== undefined) until.delete(oldest)
  }
  const isWaiting: Ears['isWaiting'] = async (repository, pull) => {
    const line = `${repository}#${pull}`
    const hand = hands.getStore()
    return (await waiting(line)).some((guid) => hand?.guids.has(guid) !== true)
  }
  const gapOf = (line: string, repository: string): string => {
    const known = until.get(line)
    if (known !== undefined) return earlier(known)
    return [everywhere, gaps.get(repository) ?? everywhere].toSorted()[0] ?? ''
  }
  const bring = async (repository: string, { heard }: PullHeard, said: readonly Saying[]): Promise<number> => {
    const { installation, repository: place } = await places.placeOf(repository)
    const [id] = /\d+/.exec(repository) ?? ['0']
    const about = { repository: { id: Number(id), full_name: place.full_name }, installation: { id: installation } }
    let brought = 0
    for (const { event, payload } of said) {
      const webhook = {
        event,
        guid: `found-${randomUUID()}`,
        payload: { ...payload, ...about, found: true },
      }
      const news = newsIn(webhook)
      if (news === null || !isWords(news) || isHeard(news, heard)) continue
      await take(webhook)
      brought += 1
    }
    return brought
  }
  return {
    isWaiting,
    heardAll: async (repository, pull) => {
      const line = `${repository}#${pull.number}`
      const known = until.get(line)
      if (known === undefined || known < pull.updated_at) {
        const forge = await places.of(`${repository}#0`)
        const brought = await bring(repository, pull, await forge.saidSince(pull.number, gapOf(line, repository)))
        note(line, pull.updated_at)
        if (brought > 0) return false
      }
      // Asked last: what arrived while we looked is told of, and not handled.
      return !(await isWaiting(repository, pull.number))
    },
    told: ({ line, at, opened }) => {
      const known = until.get(line)
      if (known === undefined ? opened : known < at) note(line, at)
    },
    mayHaveMissed: (repository, { number, updated_at }) => {
      const line = `${repository}#${number}`
      const known = until.get(line)
      return known === undefined ? updated_at >= gapOf(line, repository) : known < updated_at
    },
    handling: async (guids, work) => {
      const hand: Hand = { guids: new Set(guids) }
      try {
        return await hands.run(hand, work)
      } finally {
        // What was put off until later does not do it in the name of this.
        hand.guids.clear()
      }
    },
    missed: (from, repository) => {
      const begin = from === '' ? '' : earlier(from)
      if (repository === undefined) {
        everywhere = begin < everywhere ? begin : everywhere
        until.clear()
        return
      }
      const known = gaps.get(repository)
      gaps.set(repository, known !== undefined && known < begin ? known : begin)
      for (const line of until.keys()) if (line.startsWith(`${repository}#`)) until.delete(line)
    },
  }
}

const earlier = (at: string): string => new Date(Date.parse(at) - MARGIN_MS).toISOString()
