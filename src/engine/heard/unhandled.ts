// What was heard and could not be handled through a fault of our own: the attempts that it was about wait for a human, until
// it is handled after all. Nothing turns green over words that nobody has taken in.
import { unheard } from '../../core/decision/unheard.ts'
import { isWords, type News, type Repository } from '../../core/news.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import { type Forge } from '../../ports.ts'
import { commitKey, pullKey } from '../../core/decision/record/keys.ts'
import { load, type Engine } from '../engine.ts'
import { toldElsewhere } from './elsewhere.ts'
import { hear } from './hear.ts'
import { ownRef, refOf } from '../attempts/own-task.ts'
import { isOutage } from '../outage.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'
import { faultOf } from '../../core/error-words.ts'

/** Whether it was taken in. `before`: it arrived before this process began, so another one may have noted it. */
export async function heardOrNoted(
  engine: Engine<Forge>,
  repository: Repository,
  news: News,
  correlation_id: string,
  { before = false }: { readonly before?: boolean } = {},
): Promise<boolean> {
  let taken = false
  try {
    taken = await hear(engine, repository, news, correlation_id)
  } catch (error) {
    if (isOutage(error)) throw error
    engine.onFault(error, subjectOf(repository, news) ?? repository.key)
    await noted(engine, repository, news, correlation_id, error)
    throw error
  }
  if (engine.unhandled.delete(correlation_id) || before)
    await note(engine, repository, news, { correlation_id, what: null })
  return taken
}

/** The attempts that it is about say that it was not taken in, and why, and wait for a human meanwhile. */
export async function noted(
  engine: Engine<Forge>,
  repository: Repository,
  news: News,
  correlation_id: string,
  error: unknown,
): Promise<void> {
  engine.unhandled.add(correlation_id)
  const what = faultOf(error)
  await note(engine, repository, news, { correlation_id, what }).catch((second: unknown) => {
    if (!isOutage(second)) engine.onFault(second, repository.key)
  })
}

/** By which key the attempts are found that it is about. */
function subjectOf({ key }: Repository, news: News): string | null {
  if ('pull' in news) return pullKey(key, news.pull)
  if ('sha' in news) return news.sha === null ? null : commitKey(key, news.sha)
  return 'head_sha' in news ? commitKey(key, news.head_sha) : null
}

type Noted = { readonly correlation_id: string; readonly what: string | null }

async function note(
  engine: Engine<Forge>,
  repository: Repository,
  news: News,
  { correlation_id, what }: Noted,
): Promise<void> {
  const doing = unheard(news.kind, correlation_id)
  for (const stream of await streamsOf(engine, repository, news)) {
    const ref = refOf(repository, stream)
    const { task } = await load(engine, ref)
    const about = what === null ? task.attempts.filter(({ faults }) => doing in faults) : aboutIn(task, news)
    const inputs = about.map(({ id: attempt_id }) => ({ type: 'note_fault', attempt_id, doing, what }) as const)
    const { events } = await record(engine, ref, inputs, { actor: app, correlation_id })
    if (events.length === 0) continue
    await settle(engine, ref)
    if (isWords(news)) await toldElsewhere(engine, repository, news.pull)
  }
}

/** What a task waits for, and what is said at its issue, is about whatever is judged there. */
async function streamsOf(engine: Engine, repository: Repository, news: News): Promise<readonly string[]> {
  if (news.kind === 'dependencies_changed' || news.kind === 'issue_said') return [ownRef(repository, news.issue).stream]
  const subject = subjectOf(repository, news)
  return subject === null ? [] : engine.store.find(subject)
}

/** Words count for a pull request that is a draft or closed as well. */
function aboutIn(task: TaskState, news: News): readonly Attempt[] {
  if (isWords(news)) return [lastAttempt(task, news.pull) ?? []].flat()
  return task.attempts.filter(
    ({ live, pull, head_sha }) =>
      live && ('pull' in news ? pull === news.pull : 'sha' in news ? head_sha === news.sha : true),
  )
}
