// What no webhook told us of issues: those that bear the label of goals or requests and that we do not know, what became of
// those that we do, and what was said there. One that fails keeps none of the others waiting.
import { goalLabelName } from '../../core/words/labels.ts'
import type { Repository } from '../../core/news.ts'
import type { MarkedIssue } from '../../core/issue-boards.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, type Engine } from '../engine.ts'
import { settleGoal } from '../goals/settle-goal.ts'
import { settleRequest } from '../requests/settle-request.ts'
import { issueChanged, issueSaid } from './hear-issue.ts'
import { goalAt, goalRef, requestAt, requestRef } from './issue-record.ts'

/** When issues were changed last as far as they were looked at, by repository, kind and number. */
export type KnownIssues = Map<string, string>

const KNOWN_MAX = 100_000

export async function catchUpIssues(
  engine: Engine<Forge>,
  repository: Repository,
  marked: readonly MarkedIssue[],
  listenedLast: string,
  known: KnownIssues,
): Promise<void> {
  const failures: unknown[] = []
  for (const one of marked) {
    const name = `${repository.key}#${one.kind}-${one.number}`
    const before = known.get(name)
    if (before === one.updated_at) continue
    try {
      await caughtUp(engine, repository, one, before ?? listenedLast)
      if (known.size < KNOWN_MAX) known.set(name, one.updated_at)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} issues of ${repository.full_name} were not taken in`)
}

async function caughtUp(
  engine: Engine<Forge>,
  repository: Repository,
  { kind, number }: MarkedIssue,
  since: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  if (!(await isKnown(engine, repository, kind, number))) {
    const labelling = await forge.labelledBy(number, kind, 'labeled')
    if (labelling === null) return
    const { by } = labelling
    const is = { is_goal: kind === goalLabelName, is_request: kind !== goalLabelName }
    await issueChanged(
      engine,
      repository,
      { kind: 'issue_changed', issue: number, ...is, labelled: null, done: false, by },
      'catch-up',
    )
  } else if (kind === 'goal') await settleGoal(engine, goalRef(repository, number), { look: true })
  else await settleRequest(engine, requestRef(repository, number), { look: true })
  if (since === '' || !(await isKnown(engine, repository, kind, number))) return
  for (const said of await forge.saidAt(number, since)) await issueSaid(engine, repository, said, 'catch-up')
}

async function isKnown(
  engine: Engine<Forge>,
  repository: Repository,
  kind: MarkedIssue['kind'],
  number: number,
): Promise<boolean> {
  if (kind === 'goal') return (await goalAt(engine, goalRef(repository, number))).status !== 'none'
  return (await requestAt(engine, requestRef(repository, number))).status !== 'none'
}
