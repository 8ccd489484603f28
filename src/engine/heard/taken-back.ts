// What is heard late, as behind an outage or a fault of ours, may have been taken back by words that were heard before it. What they
// say of it is on record for a `/revoke` alone; of a label and of a review GitHub is asked, and of a `/reject` which words are about it.
import { actOfLabel } from '../../core/people/act.ts'
import type { Repository, Saying, Words } from '../../core/news.ts'
import { isFromBefore } from '../../core/as-of.ts'
import { isBefore } from '../../core/people/order.ts'
import { isSame, type Maker } from '../../core/people/people.ts'
import type { TakenBack, TakingBack } from '../../core/people/taking-back.ts'
import type { Forge } from '../../ports.ts'
import { taskOf } from '../attempts/own-task.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { isRejection } from './beside.ts'
import { isLate } from './late.ts'
import { commandsIn } from './speak.ts'

type Of<K extends Words['kind']> = Extract<Words, { kind: K }>
export type Ended = { readonly by: Maker; readonly at: string; readonly key: string }

const nobody: Maker = { id: null, login: 'ghost', kind: 'human' }

/** Of a label that was set, that it was taken away since; of a review, that it was dismissed; null where it is there. */
export async function endedSince(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'labelled' | 'reviewed'>,
): Promise<Ended | null> {
  const ends = ({ piece }: Saying): boolean =>
    news.kind === 'labelled'
      ? piece.kind === 'labelled' && !piece.added && piece.label === news.label
      : piece.kind === 'review_dismissed' && piece.review_key === news.key
  const isNo = news.kind === 'labelled' ? actOfLabel(news.label) === 'reject' : news.state === 'changes_requested'
  // A no is rare, and whoever took it back is not to wait for it.
  if (!isNo) {
    const { dismissed, unlabelled } = await takenBackAt(engine, repository, news.pull)
    const login = dismissed[news.key]
    if (login !== undefined) return { at: news.at, by: { ...nobody, login }, key: `${news.key}-ended` }
    if (!mayBeGone(unlabelled, news) && !isLate(engine, news.at)) return null
  }
  const since = await saidSince(engine, repository, news)
  const found = since.slice(since.findLastIndex(({ piece }) => isSet(piece, news)) + 1).find(ends)
  // Whoever did it may be gone from GitHub; then nobody is entitled to it.
  return found === undefined ? null : { at: found.piece.at, by: nobody, key: `${news.key}-ended`, ...found.said }
}

const isSet = (piece: Saying['piece'], news: Of<'labelled' | 'reviewed'>): boolean =>
  piece.kind === 'labelled' &&
  news.kind === 'labelled' &&
  piece.added &&
  piece.label === news.label &&
  piece.at <= news.at

/** What was heard to be over, as webhooks overtake each other. */
async function takenBackAt(
  engine: Engine<Forge>,
  repository: Repository,
  pull: number,
): Promise<Pick<TakenBack, 'dismissed' | 'unlabelled'>> {
  const ref = await taskOf(engine, repository, pull)
  return ref === null ? { dismissed: {}, unlabelled: {} } : (await load(engine, ref)).task
}

/** It was taken away since, and may have been set again. */
function mayBeGone(unlabelled: TakenBack['unlabelled'], news: Of<'labelled' | 'reviewed'>): boolean {
  const act = news.kind === 'labelled' ? actOfLabel(news.label) : undefined
  const away = act && unlabelled[act]
  return away !== undefined && !isFromBefore(away, news.at)
}

/**
 * The key of the `/revoke` that took a `/reject` back since: each takes back the last thing that its author said before it. Nobody is
 * asked where none is on record that found nothing.
 */
export async function revokedBy(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'said'>,
): Promise<string | undefined> {
  const ref = await taskOf(engine, repository, news.pull)
  const { key, at, by } = news
  const mayBe = (one: TakingBack): boolean =>
    one.of === null && isSame(one, by) && !isBefore({ at: one.at, id: one.key }, { at, key })
  if (ref === null || !(await load(engine, ref)).task.taken_back.some(mayBe)) return undefined
  const since = await saidSince(engine, repository, news)
  const behind = since.slice(since.findIndex(({ piece }) => piece.kind === 'said' && piece.key === news.key) + 1)
  let standing = 1
  for (const { piece, said } of behind) {
    if (piece.kind !== 'said' || said === undefined || !isSame(said.by, news.by)) continue
    const commands = await commandsIn(engine, repository, { body: said.body, kind: 'comment' })
    for (const [index, read] of commands.entries()) {
      if (read.kind !== 'command') continue
      if (read.command.name === 'revoke') standing -= 1
      else if (stands.includes(read.command.name) || isRejection(read)) standing += 1
      if (standing === 0) return `${said.key}/${index}`
    }
  }
  return undefined
}

const stands: readonly string[] = ['override', 'approve', 'ack', 'reason']

async function saidSince(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'said' | 'labelled' | 'reviewed'>,
): Promise<readonly Saying[]> {
  return (await forgeOf(engine, repository)).saidSince({ is: 'pull', number: news.pull }, news.at)
}
