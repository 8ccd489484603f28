// What happens around a pull request, each handed to where it is understood.
import type { Forge } from '../../ports.ts'
import { isSpeech, isWords, type News, type Repository, type Words } from '../../core/news.ts'
import { criteriaChanged } from '../criteria/settle-criteria.ts'
import { dependenciesAgain } from '../between/dependencies.ts'
import { deploymentAsked } from './deployments.ts'
import { taskChanged } from '../attempts/drift.ts'
import { pullKeys } from '../../core/decision/record/keys.ts'
import { endOfTurns, type Engine } from '../engine.ts'
import { issueChanged } from '../issues/hear-issue.ts'
import { issueSaidInOrder } from '../issues/in-order.ts'
import { earlierHeard } from './earlier.ts'
import { wordsHeard } from './hear-words.ts'
import { runApproved } from './guests.ts'
import { groupEnded, groupRequested } from '../between/groups.ts'
import { pullEnded } from './ended.ts'
import { pullChanged } from '../attempts/intake.ts'
import { ownRef } from '../attempts/own-task.ts'
import { placeTouched, runAskedAgain } from './places.ts'
import { pushed } from './pushes.ts'
import { failedOnDefault } from './regression.ts'
import { resultsChanged } from './results.ts'
import { settle } from '../settle.ts'

/** Whether it was taken in; words that find nobody are to be heard later. */
export async function hear(
  engine: Engine<Forge>,
  repository: Repository,
  news: News,
  correlation_id: string,
): Promise<boolean> {
  if (isSpeech(news)) await earlierHeard(engine, repository, news, correlation_id)
  if (isWords(news)) return wordsHeard(engine, repository, news, correlation_id)
  await understood(engine, repository, news, correlation_id)
  return true
}

async function understood(
  engine: Engine<Forge>,
  repository: Repository,
  news: Exclude<News, Words>,
  correlation_id: string,
): Promise<void> {
  switch (news.kind) {
    case 'pull_changed':
      await pullChanged(engine, repository, news, correlation_id)
      return
    case 'pushed':
      return pushed(engine, repository, news, correlation_id)
    case 'group_requested':
      return groupRequested(engine, repository, news, correlation_id)
    case 'group_ended':
      return groupEnded(engine, repository, news.head_sha, correlation_id)
    case 'pull_ended':
      return pullEnded(engine, repository, news, correlation_id)
    case 'results_changed':
      await runApproved(engine, repository, news, correlation_id)
      await resultsChanged(engine, repository, news, correlation_id)
      if (news.failed !== undefined) await failedOnDefault(engine, repository, news.sha, news.failed, correlation_id)
      return
    case 'deployment_asked':
      return deploymentAsked(engine, repository, news, correlation_id)
    case 'run_asked_again':
      await runAskedAgain(engine, repository, news, correlation_id)
      return resultsChanged(engine, repository, { sha: news.sha }, correlation_id)
    case 'place_touched':
      return placeTouched(engine, repository, news, correlation_id)
    case 'dependencies_changed':
      return dependenciesChanged(engine, repository, news.issue)
    case 'issue_changed':
      await issueChanged(engine, repository, news, correlation_id)
      await criteriaChanged(engine, repository, news)
      return taskChanged(engine, repository, news.issue, correlation_id)
    case 'issue_said':
      return issueSaidInOrder(engine, repository, news, correlation_id)
  }
}

async function dependenciesChanged(engine: Engine<Forge>, repository: Repository, issue: number): Promise<void> {
  const ref = ownRef(repository, issue)
  // Whoever begins with it just now may have read what it waited for before, and is not on record yet.
  await endOfTurns(engine, pullKeys(repository.key))
  await dependenciesAgain(engine, ref)
  await settle(engine, ref)
}
