// A word that allows something and is heard late, as behind an outage or a fault of ours, may have been taken back by words that were
// heard before it. Those found nothing to take back, so what GitHub has is asked.
import type { Command } from '../../core/people/command.ts'
import type { ReadCommand } from '../../core/people/read-commands.ts'
import { isSame } from '../../core/people/people.ts'
import type { Repository, Saying, Words } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { taskOf } from '../attempts/own-task.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { commandsIn } from './speak.ts'

/** What is heard sooner was heard in its order. */
const LATE_MS = 3_000

const allowing: readonly Command['name'][] = ['override', 'approve', 'ack', 'reason']
export const allows = (read: ReadCommand): boolean => read.kind === 'command' && allowing.includes(read.command.name)

type Allowing = Extract<Words, { kind: 'said' | 'labelled' }>
type Approved = Extract<Words, { kind: 'reviewed' }>

/** Whether whoever could do so took it back since. */
export async function isTakenBack(engine: Engine<Forge>, repository: Repository, news: Allowing): Promise<boolean> {
  const since = await saidSince(engine, repository, news)
  return news.kind === 'labelled'
    ? since.some(({ piece }) => piece.kind === 'labelled' && !piece.added && piece.label === news.label)
    : isRevoked(engine, repository, news, since)
}

/** By whom it was dismissed since, and when; null where it was not. */
export async function dismissalSince(engine: Engine<Forge>, repository: Repository, news: Approved) {
  const since = await saidSince(engine, repository, news)
  const found = since.find(({ piece }) => piece.kind === 'review_dismissed' && piece.review_key === news.key)
  return found === undefined ? null : { by: found.said?.by ?? news.by, at: found.piece.at }
}

/** What was said since it, where it is heard late. */
async function saidSince(
  engine: Engine<Forge>,
  repository: Repository,
  news: Allowing | Approved,
): Promise<readonly Saying[]> {
  const isFound = news.kind === 'said' && news.found !== null
  const isLate = Date.parse(engine.clock.now()) - Date.parse(news.at) >= LATE_MS
  return isFound || isLate ? (await forgeOf(engine, repository)).saidSince(news.pull, news.at) : []
}

/** A word is taken back by the next one that takes back, unless its author said another one between them. */
async function isRevoked(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, key, by }: Extract<Words, { kind: 'said' }>,
  since: readonly Saying[],
): Promise<boolean> {
  const ref = await taskOf(engine, repository, pull)
  const heard = ref === null ? [] : (await load(engine, ref)).task.heard
  let standing = 1
  for (const { piece, said } of since) {
    if (piece.kind !== 'said' || piece.key === key || said === undefined || !isSame(said.by, by)) continue
    // What is still to be heard is heard behind it, and takes back what it finds.
    if (!heard.some((one) => one.startsWith(`${piece.key}/`))) continue
    for (const read of await commandsIn(engine, repository, { body: said.body, kind: 'comment' })) {
      if (read.kind !== 'command') continue
      if (read.command.name === 'revoke') standing -= 1
      else if (allows(read) || read.command.name === 'reject') standing += 1
      if (standing === 0) return true
    }
  }
  return false
}
