// A word that allows something and is heard late, as behind an outage or a fault of ours, may have been taken back by words that were
// heard before it. Those found nothing to take back, so what GitHub has is asked.
import type { Command } from '../../core/people/command.ts'
import type { ReadCommand } from '../../core/people/read-commands.ts'
import { isSame } from '../../core/people/people.ts'
import type { Repository, Saying, Words } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, type Engine } from '../engine.ts'
import { commandsIn } from './speak.ts'

/** What is heard sooner was heard in its order. */
const LATE_MS = 3_000

const allowing: readonly Command['name'][] = ['override', 'approve', 'ack', 'reason']
export const allows = (read: ReadCommand): boolean => read.kind === 'command' && allowing.includes(read.command.name)

/** Whether whoever could do so took it back since. */
export async function isTakenBack(
  engine: Engine<Forge>,
  repository: Repository,
  news: Exclude<Words, { kind: 'review_dismissed' }>,
): Promise<boolean> {
  const isFound = news.kind === 'said' && news.found !== null
  const isLate = Date.parse(engine.clock.now()) - Date.parse(news.at) >= LATE_MS
  if (!isFound && !isLate) return false
  const since = await (await forgeOf(engine, repository)).saidSince(news.pull, news.at)
  for (const saying of since) if (await takesBack(engine, repository, news, saying)) return true
  return false
}

async function takesBack(
  engine: Engine<Forge>,
  repository: Repository,
  news: Exclude<Words, { kind: 'review_dismissed' }>,
  { piece, said }: Saying,
): Promise<boolean> {
  switch (piece.kind) {
    case 'review_dismissed':
      return news.kind === 'reviewed' && piece.review_key === news.key
    case 'labelled':
      return news.kind === 'labelled' && !piece.added && piece.label === news.label
    case 'reviewed':
      return false
    case 'said': {
      if (said === undefined || piece.key === news.key || !isSame(said.by, news.by)) return false
      const commands = await commandsIn(engine, repository, { body: said.body, kind: 'comment' })
      return commands.some((read) => read.kind === 'command' && read.command.name === 'revoke')
    }
  }
}
