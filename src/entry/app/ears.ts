// What was said reaches us by webhooks, which get lost, wait and come late. Before anything turns green this says whether all
// of it was heard: nothing waits in the line of the pull request, and each piece that GitHub has is on record, or was met by
// this process. Where one is neither, what was said since is read at GitHub and put in line.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { isWords, type LastSaid, type News, type Piece, type PullHeard, type Saying } from '../../core/news.ts'
import type { Ears } from '../../ports.ts'
import type { ChangeTold } from '../../adapters/github/delivery-line.ts'
import type { Webhook } from '../../adapters/github/payloads.ts'
import type { Repositories } from './repositories.ts'

type Parts = {
  readonly places: Pick<Repositories, 'of' | 'placeOf'>
  /** What was taken in about a pull request and is not done. */
  readonly waiting: (line: string) => Promise<readonly string[]>
  /** Puts it in line like a webhook. */
  readonly take: (webhook: Webhook) => Promise<unknown>
  readonly newsIn: (webhook: Webhook) => News | null
  readonly isHeard: (piece: Piece, heard: readonly string[]) => boolean
  readonly nameOf: (piece: Piece) => string
  /** Since when nobody listened, before this began; empty where nobody ever did. */
  readonly since: string
}

export type AppEars = Ears & {
  /** A webhook told of a change of a pull request, and is stored or of no concern. */
  readonly told: (change: ChangeTold) => void
  /** Handles deliveries of a line: to what it does itself these are not waiting any more, to everybody else they are. */
  readonly handling: <Result>(guids: readonly string[], work: () => Promise<Result>) => Promise<Result>
  /** Webhooks may have been missed since then, of one repository or of all. */
  readonly missed: (since: string, repository?: string) => void
}

/** What the work that runs now is about. */
type Hand = { readonly guids: Set<string> }

const LINES_MAX = 50_000
const PIECES_MAX = 200_000
/** GitHub tells seconds, and its clock is not ours. */
const MARGIN_MS = 120_000

export function appEars({ places, waiting, take, newsIn, isHeard, nameOf, since }: Parts): AppEars {
  /** Until when a pull request changed as we were told, as far as we know: rounds look at what changed since. */
  const until = new Map<string, string>()
  /** Up to which piece all that was said was read at GitHub. */
  const read = new Map<string, string>()
  /** Pieces that were stored, or are of no concern: by line and name. */
  const met = new Set<string>()
  const gaps = new Map<string, string>()
  let everywhere = since === '' ? '' : earlier(since)
  const hands = new AsyncLocalStorage<Hand>()

  const note = (times: Map<string, string>, line: string, at: string): void => {
    times.delete(line)
    times.set(line, at)
    const [oldest] = times.keys()
    if (times.size > LINES_MAX && oldest !== undefined) times.delete(oldest)
  }
  const meet = (line: string, name: string): void => {
    met.add(`${line} ${name}`)
    const [oldest] = met
    if (met.size > PIECES_MAX && oldest !== undefined) met.delete(oldest)
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
  /** Since when something may have been said that nobody told us of; null where nothing was. */
  const unheardSince = (line: string, heard: readonly string[], said: LastSaid | null): string | null => {
    const last = read.get(line) ?? ''
    if (said === null || said.since > last) return last
    const before = last === '' ? '' : earlier(last)
    const unheard = said.pieces.filter(
      (piece) => piece.at >= before && !met.has(`${line} ${nameOf(piece)}`) && !isHeard(piece, heard),
    )
    return unheard.map(({ at }) => at).toSorted()[0] ?? null
  }
  const bring = async (
    repository: string,
    line: string,
    { heard }: PullHeard,
    said: readonly Saying[],
  ): Promise<number> => {
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
      if (news === null || !isWords(news) || met.has(`${line} ${nameOf(news)}`) || isHeard(news, heard)) continue
      await take(webhook)
      meet(line, nameOf(news))
      brought += 1
    }
    return brought
  }
  return {
    isWaiting,
    heardAll: async (repository, pull, said) => {
      const line = `${repository}#${pull.number}`
      const from = unheardSince(line, pull.heard, said)
      if (from !== null) {
        const forge = await places.of(`${repository}#0`)
        const sayings = await forge.saidSince(pull.number, from)
        const brought = await bring(repository, line, pull, sayings)
        for (const piece of said?.pieces ?? []) meet(line, nameOf(piece))
        const last = [...(said?.pieces ?? []), ...sayings]
          .map(({ at }) => at)
          .toSorted()
          .at(-1)
        if (last !== undefined) note(read, line, last)
        if (brought > 0) return false
      }
      note(until, line, pull.updated_at)
      // Asked last: what arrived while we looked is told of, and not handled.
      return !(await isWaiting(repository, pull.number))
    },
    told: ({ line, at, opened, piece }) => {
      const known = until.get(line)
      if (known === undefined ? opened : known < at) note(until, line, at)
      if (piece !== null) meet(line, piece)
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
