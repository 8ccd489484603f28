// Whoever approved or rejected something did so before whoever confirms it, whichever webhook was lost.
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import type { Repository, Speech } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { taskOf } from '../attempts/own-task.ts'
import { placesOf } from '../all-heard.ts'
import { issueOf, forgeOf, load, type Engine } from '../engine.ts'
import { issueSaid } from '../issues/hear-issue.ts'
import { pullsOf } from '../issues/standing.ts'
import { lookKept } from '../last-look.ts'
import { heardThere } from './hear-words.ts'

/** Before words that may confirm a task everything is heard that was said until then, at its pull request and at its issue. */
export async function earlierHeard(
  engine: Engine<Forge>,
  repository: Repository,
  news: Speech,
  correlation_id: string,
): Promise<void> {
  if (!mayConfirm(news)) return
  const [number] = news.kind === 'issue_said' ? await pullsOf(engine, repository, news.issue) : [news.pull]
  const ref = number === undefined ? null : await taskOf(engine, repository, number)
  if (number === undefined || ref === null) return
  const asked = engine.clock.now()
  const look = await (await forgeOf(engine, repository)).lastLook(number, issueOf(ref, number))
  const { task } = await load(engine, ref)
  lookKept(engine, liveAttempt(task, number), asked, look)
  const { heard } = task
  for (const { place, said } of placesOf(ref, task, { number, updated_at: look.now?.updated_at ?? '' }, look))
    for (const words of await engine.ears.unheardUntil(repository.key, { ...place, heard }, said, news.at))
      await (words.kind === 'issue_said'
        ? issueSaid(engine, repository, words, correlation_id)
        : heardThere(engine, repository, words, correlation_id))
}

const mayConfirm = (news: Speech): boolean => 'body' in news && /\bverify\b/i.test(news.body)
