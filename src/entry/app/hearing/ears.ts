// What was said reaches us by webhooks, which get lost, wait and come late. Before anything turns green this says whether all
// of it was heard: nothing waits in the line of the pull request, and each piece that GitHub has is on record, or was met by
// this process. Where one is neither, what was said since is read at GitHub and put in line.
import { AsyncLocalStorage } from 'node:async_hooks'
import { forgetOldest } from '../../../core/forget.ts'
import {
  isSpeech,
  type LastSaid,
  type News,
  type Piece,
  type PlaceHeard,
  type Repository,
  type Saying,
  type Speech,
} from '../../../core/news.ts'
import { NotShownYet, type Forge } from '../../../ports.ts'
import type { Ears } from '../../../engine/ears.ts'
import type { ChangeTold } from '../../../adapters/github/webhooks/delivery-line.ts'
import type { Webhook } from '../../../adapters/github/webhooks/payloads.ts'
import { webhookOf } from '../../../adapters/github/people/said.ts'
import { repositoryIn } from '../../../core/names.ts'

type Place = { readonly installation: number; readonly repository: Repository }

type Parts = {
  readonly places: {
    readonly of: (stream: string) => Promise<Pick<Forge, 'saidSince'>>
    readonly placeOf: (repository: string) => Promise<Place>
  }
  /** What was taken in about a pull request and is not done. */
  readonly waiting: (line: string) => Promise<readonly string[]>
  /** Puts it in line like a webhook. */
  readonly take: (webhook: Webhook) => Promise<unknown>
  readonly newsIn: (webhook: Webhook) => News | null
  readonly isHeard: (piece: Piece, heard: readonly string[]) => boolean
  readonly nameOf: (piece: Piece) => string
  /** Since when nobody listened, before this began; empty where nobody ever did. */
  readonly since: string
  /** A clock that nobody sets. */
  readonly ms: () => number
  /** GitHub names a piece, and did not show it for so long that nothing waits for it any more. */
  readonly onNeverShown: (line: string, piece: string) => void
}

export type AppEars = Ears & {
  /** A webhook told of a change of a pull request. What is of concern is stored, and met once it was taken in. */
  readonly told: (change: ChangeTold, concern: 'of concern' | 'of no concern') => void
  /**
   * Handles deliveries: to what it does itself these are not waiting any more, words once they are taken, which are heard by then. To
   * everybody else that is so only once the work says that it was taken in.
   */
  readonly handling: (deliveries: InHand, work: () => Promise<boolean>) => Promise<void>
  /** Webhooks may have been missed since then, of one repository or of all. */
  readonly missed: (since: string, repository?: string) => void
  /** The same of many repositories, each since another time. */
  readonly missedIn: (since: ReadonlyMap<string, string>) => void
  /** What was taken in since then may not be stored any more: nothing that is remembered of it counts. */
  readonly unsure: (since: string) => void
  /** We are let in to these repositories, perhaps after a while in which nobody told us anything. */
  readonly letIn: (isConcerned: (repository: string) => boolean) => void
}

/** Deliveries of a line that are handled now, and the words among them. */
export type InHand = {
  readonly line: string
  readonly guids: readonly string[]
  readonly words: Speech | null
}
/** What the work that runs now is about; of the words, the name. `done`: nothing in it waits any more. */
type Hand = { readonly guids: Set<string>; said: string | null; done: boolean }

const LINES_MAX = 50_000
const PIECES_MAX = 200_000
/** GitHub tells seconds, and its clock is not ours. */
const MARGIN_MS = 120_000
/** Copies of GitHub's data agree long before. */
const NEVER_SHOWN_MS = 600_000

export function appEars({ places, waiting, take, newsIn, isHeard, nameOf, since, ms, onNeverShown }: Parts): AppEars {
  /** Until when a pull request changed as we were told, as far as we know: rounds look at what changed since. */
  const until = new Map<string, string>()
  /** Up to which piece all that was said was read at GitHub. */
  const read = new Map<string, string>()
  /** Pieces that were taken in, or are of no concern: by line and name. */
  const met = new Set<string>()
  /** Pieces that GitHub names and does not show, each with the moment when that was found first. */
  const hidden = new Map<string, number>()
  const gaps = new Map<string, string>()
  /** What began before the last doubt is not remembered when it ends. */
  let doubts = 0
  let everywhere = since === '' ? '' : earlier(since)
  const hands = new AsyncLocalStorage<Hand>()

  const forgetUntil = (isConcerned: (repository: string) => boolean): void => {
    for (const line of until.keys()) if (isConcerned(repositoryIn(line))) until.delete(line)
  }
  const note = (times: Map<string, string>, line: string, at: string): void => {
    times.delete(line)
    times.set(line, at)
    forgetOldest(times, LINES_MAX)
  }
  const meet = (line: string, name: string): void => {
    met.add(`${line} ${name}`)
    hidden.delete(`${line} ${name}`)
    forgetOldest(met, PIECES_MAX)
  }
  const isWaiting: Ears['isWaiting'] = async (repository, pull) => {
    const line = `${repository}#${pull}`
    const hand = hands.getStore()
    return (await waiting(line)).some((guid) => hand?.done !== true || !hand.guids.has(guid))
  }
  const gapOf = (line: string, repository: string): string => {
    const known = until.get(line)
    if (known !== undefined) return earlier(known)
    return [everywhere, gaps.get(repository) ?? everywhere].toSorted()[0] ?? ''
  }
  const isInHand = (line: string, piece: Piece): boolean => hands.getStore()?.said === `${line} ${nameOf(piece)}`
  /** Words are handled that were said there, and are not taken. */
  const isTaking = (line: string): boolean => {
    const hand = hands.getStore()
    return hand?.done === false && hand.said?.startsWith(`${line} `) === true
  }
  const isUnheard = (line: string, heard: readonly string[], piece: Piece): boolean =>
    !isInHand(line, piece) && !met.has(`${line} ${nameOf(piece)}`) && !isHeard(piece, heard)
  /** Since when something may have been said that nobody told us of; null where nothing was. */
  const unheardSince = (line: string, { heard, since: first }: PlaceHeard, said: LastSaid | null): string | null => {
    const last = read.get(line) ?? first
    const before = last === '' ? '' : earlier(last)
    if (said === null || said.since > last) return before
    return oldest(said.pieces.filter((piece) => piece.at >= before && isUnheard(line, heard, piece)))
  }
  /** What GitHub shows of words, as the webhook that would have told them; null where it is nothing that anybody has to hear. */
  const wordsIn = (
    told: Saying['told'],
    { installation, repository }: Place,
  ): { webhook: Webhook; words: Speech } | null => {
    if (told === null) return null
    const webhook = webhookOf(told, repository, installation)
    const news = newsIn(webhook)
    return news !== null && isSpeech(news) ? { webhook, words: news } : null
  }
  /** Puts in line what was shown and not heard. From then on all that was shown is met. */
  const bring = async (repository: string, line: string, heard: readonly string[], shown: readonly Saying[]) => {
    const began = doubts
    const place = await places.placeOf(repository)
    let brought = 0
    for (const { piece, told } of shown) {
      const unheard = isUnheard(line, heard, piece) ? wordsIn(told, place) : null
      if (unheard !== null) {
        await take(unheard.webhook)
        brought += 1
      }
      if (began === doubts) meet(line, nameOf(piece))
    }
    return brought
  }
  /** One copy of GitHub's data may name what another does not show yet. What is never shown keeps nobody waiting for ever. */
  const isHidden = (line: string, piece: Piece): boolean => {
    const name = `${line} ${nameOf(piece)}`
    const first = hidden.get(name) ?? ms()
    if (ms() - first < NEVER_SHOWN_MS) {
      hidden.set(name, first)
      forgetOldest(hidden, PIECES_MAX)
      return true
    }
    onNeverShown(line, nameOf(piece))
    meet(line, nameOf(piece))
    return false
  }
  /** Whether all is heard once what was said since then is read at GitHub. */
  const readSince = async (
    repository: string,
    { is, number, heard }: PlaceHeard,
    from: string,
    named: readonly Piece[],
  ): Promise<boolean> => {
    const began = doubts
    const line = `${repository}#${number}`
    const shown = await (await places.of(`${repository}#0`)).saidSince({ is, number }, from)
    const brought = await bring(repository, line, heard, shown)
    const missing = named.filter((piece) => piece.at >= from && isUnheard(line, heard, piece) && isHidden(line, piece))
    const last = oldest(missing) ?? newest([...named, ...shown.map(({ piece }) => piece)])
    if (last !== null && began === doubts) note(read, line, last)
    return brought === 0 && missing.length === 0
  }
  const missedIn: AppEars['missedIn'] = (since) => {
    for (const [repository, from] of since) {
      const begin = from === '' ? '' : earlier(from)
      const known = gaps.get(repository)
      gaps.set(repository, known !== undefined && known < begin ? known : begin)
    }
    if (since.size > 0) forgetUntil((one) => since.has(one))
  }
  return {
    isWaiting,
    unheardUntil: async (repository, place, said, at) => {
      const { is, number, heard } = place
      const line = `${repository}#${number}`
      const from = unheardSince(line, place, said)
      if (from === null) return []
      const isOfThen = (piece: Piece): boolean => piece.at <= at && isUnheard(line, heard, piece)
      const shown = await (await places.of(`${repository}#0`)).saidSince({ is, number }, from)
      const names = new Set(shown.map(({ piece }) => nameOf(piece)))
      const named = said?.pieces.filter((piece) => piece.at >= from && isOfThen(piece)) ?? []
      if (named.some((piece) => !names.has(nameOf(piece)) && isHidden(line, piece)))
        throw new NotShownYet(`GitHub does not show all that was said at ${number}`)
      const here = await places.placeOf(repository)
      return shown.filter(({ piece }) => isOfThen(piece)).flatMap(({ told }) => wordsIn(told, here)?.words ?? [])
    },
    heardAll: async (repository, place, said) => {
      const began = doubts
      const line = `${repository}#${place.number}`
      if (isTaking(line)) return false
      const from = unheardSince(line, place, said)
      if (from !== null) {
        // What is on its way needs no reading.
        if (await isWaiting(repository, place.number)) return false
        if (!(await readSince(repository, place, from, said?.pieces ?? []))) return false
      }
      if (began === doubts && place.updated_at !== '') note(until, line, place.updated_at)
      // Asked last: what arrived while we looked is told of, and not handled.
      const waits = await isWaiting(repository, place.number)
      return !waits && began === doubts
    },
    taken: (repository, words) => {
      const number = words.kind === 'issue_said' ? words.issue : words.pull
      const hand = hands.getStore()
      if (hand !== undefined && isInHand(`${repository}#${number}`, words)) hand.done = true
    },
    told: ({ line, at, opened, piece }, concern) => {
      const known = until.get(line)
      if (known === undefined ? opened : known < at) note(until, line, at)
      if (piece !== null && concern === 'of no concern') meet(line, piece)
    },
    mayHaveMissed: (repository, { number, updated_at }) => {
      const line = `${repository}#${number}`
      const known = until.get(line)
      if (updated_at === undefined) return known === undefined
      return known === undefined ? updated_at >= gapOf(line, repository) : known < updated_at
    },
    handling: async ({ line, guids, words }, work) => {
      const said = words === null ? null : nameOf(words)
      const began = doubts
      const hand: Hand = {
        guids: new Set(guids),
        said: said === null ? null : `${line} ${said}`,
        done: said === null,
      }
      try {
        const taken = await hands.run(hand, work)
        if (said === null) return
        if (taken && began === doubts) meet(line, said)
        else {
          // Up to whenever it was said nothing is certain any more.
          for (const known of [read, until]) known.delete(line)
          met.delete(`${line} ${said}`)
        }
      } finally {
        // What was put off until later does not do it in the name of this.
        hand.guids.clear()
        hand.said = null
      }
    },
    missed: (from, repository) => {
      if (repository !== undefined) missedIn(new Map([[repository, from]]))
      else {
        const begin = from === '' ? '' : earlier(from)
        everywhere = begin < everywhere ? begin : everywhere
        until.clear()
      }
    },
    missedIn,
    unsure: (from) => {
      doubts += 1
      for (const known of [until, read, met, hidden]) known.clear()
      const begin = from === '' ? '' : earlier(from)
      if (begin < everywhere) everywhere = begin
    },
    letIn: forgetUntil,
  }
}

const earlier = (at: string): string => new Date(Date.parse(at) - MARGIN_MS).toISOString()
const oldest = (pieces: readonly Piece[]): string | null => pieces.map(({ at }) => at).toSorted()[0] ?? null
const newest = (pieces: readonly Piece[]): string | null =>
  pieces
    .map(({ at }) => at)
    .toSorted()
    .at(-1) ?? null
