// Words at a goal or a request count in the order in which they were written: what was said there before and was not heard, since
// its webhook got lost or waits, comes first. A no waits for nobody; what is older than it finds that it was overtaken.
import type { IssueSaid, Repository } from '../../core/news.ts'
import { isBefore } from '../../core/people/order.ts'
import type { ReadCommand } from '../../core/people/read-commands.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, type Engine } from '../engine.ts'
import { saysNo } from '../heard/beside.ts'
import { commandsIn } from '../heard/speak.ts'
import { issueSaid } from './hear-issue.ts'
import { goalAt, goalRef, requestAt, requestRef } from './issue-record.ts'

export async function issueSaidInOrder(
  engine: Engine<Forge>,
  repository: Repository,
  news: IssueSaid,
  correlation_id: string,
): Promise<void> {
  for (const words of await unheardBefore(engine, repository, news))
    await issueSaid(engine, repository, words, correlation_id)
  await issueSaid(engine, repository, news, correlation_id)
}

/** What was said before these words and is not on record, the oldest first; nothing where these change nothing. */
async function unheardBefore(
  engine: Engine<Forge>,
  repository: Repository,
  news: IssueSaid,
): Promise<readonly IssueSaid[]> {
  const { issue, key, at } = news
  const read = await commandsIn(engine, repository, { body: news.body, kind: 'comment' })
  const kind = read.map(actAt).find((one) => one !== null) ?? null
  if (kind === null) return []
  const { status, heard, heard_until } =
    kind === 'goal'
      ? await goalAt(engine, goalRef(repository, issue))
      : await requestAt(engine, requestRef(repository, issue))
  if (status === 'none') return []
  const forge = await forgeOf(engine, repository)
  // An older record does not tell since when it was listened to.
  const said = await forge.saidAt(issue, heard_until === '' ? at : heard_until)
  return said.filter(
    (one) => one.key !== key && isBefore({ at: one.at, id: one.key }, { at, key }) && !isHeard(heard, one.key),
  )
}

const isHeard = (heard: readonly string[], key: string): boolean => heard.some((one) => one.startsWith(`${key}/`))

const actAt = (read: ReadCommand): 'goal' | 'request' | null => {
  if (read.kind !== 'command' || saysNo(read)) return null
  const { command } = read
  if (command.name === 'goal') return command.verb === 'create' || command.verb === 'status' ? null : 'goal'
  return command.name === 'request' && command.verb !== 'status' ? 'request' : null
}
