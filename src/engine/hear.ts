// What people and machines around a pull request do, turned into inputs, and the answers that people get.
import { actOfLabel } from '../core/people/act.ts'
import { isQuestion } from '../core/people/command.ts'
import { atLeast } from '../core/people/permission.ts'
import type { ReadCommand } from '../core/people/read-commands.ts'
import type { Forge } from '../ports.ts'
import { isWords, type News, type Repository } from '../core/news.ts'
import { dependenciesAgain } from './dependencies.ts'
import { forgeOf, load, type Engine, type TaskRef } from './engine.ts'
import { issueChanged, issueSaid } from './issues/hear-issue.ts'
import { runApproved, settleThere } from './guests.ts'
import { groupEnded, groupRequested, queuedWith } from './groups.ts'
import { attemptOf, pullChanged, pullSeen } from './intake.ts'
import { ownRef, refOf, taskOf } from './own-task.ts'
import { placeTouched, runAskedAgain } from './places.ts'
import { streamsWith } from './carry.ts'
import { pushed } from './pushes.ts'
import { failedOnDefault, mergedRevert } from './regression.ts'
import { resultsChanged } from './results.ts'
import { app, record } from './record.ts'
import { settle } from './settle.ts'
import { accepted, commandsIn, refusalsAnswered, sayingOf, sceneOf, spoken, unjudged, type Scene } from './speak.ts'

export async function hear(
  engine: Engine<Forge>,
  repository: Repository,
  news: News,
  correlation_id: string,
): Promise<void> {
  await understood(engine, repository, news, correlation_id)
  if (isWords(news)) await toldElsewhere(engine, repository, news.pull, correlation_id)
  if ('pull' in news && news.kind !== 'group_requested') {
    await queuedWith(engine, repository, news.pull, correlation_id)
  }
}

/** What was said here may be about a tree that is judged in another pull request too. */
async function toldElsewhere(
  engine: Engine<Forge>,
  repository: Repository,
  pull: number,
  correlation_id: string,
): Promise<void> {
  const ref = await taskOf(engine, repository, pull)
  const attempt = ref === null ? null : await attemptOf(engine, ref, pull)
  if (ref === null || attempt === null) return
  for (const stream of await streamsWith(engine, attempt, ref)) {
    const other = refOf(repository, stream)
    await settle(engine, other)
    const { task } = await load(engine, other)
    for (const { live, pull: number } of task.attempts)
      if (live) await queuedWith(engine, repository, number, correlation_id)
  }
}

async function understood(
  engine: Engine<Forge>,
  repository: Repository,
  news: News,
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
      await resultsChanged(engine, repository, news.sha, correlation_id)
      if (news.failed !== undefined) await failedOnDefault(engine, repository, news.sha, news.failed, correlation_id)
      return
    case 'run_asked_again':
      await runAskedAgain(engine, repository, news, correlation_id)
      return resultsChanged(engine, repository, news.sha, correlation_id)
    case 'place_touched':
      return placeTouched(engine, repository, news, correlation_id)
    case 'dependencies_changed':
      return dependenciesChanged(engine, repository, news.issue)
    case 'issue_changed':
      return issueChanged(engine, repository, news, correlation_id)
    case 'issue_said':
      return issueSaid(engine, repository, news, correlation_id)
    case 'said':
      return said(engine, repository, news, correlation_id)
    case 'reviewed':
      return reviewed(engine, repository, news, correlation_id)
    case 'review_dismissed':
      return dismissed(engine, repository, news, correlation_id)
    case 'labelled':
      return labelled(engine, repository, news, correlation_id)
  }
}

type Of<K extends News['kind']> = Extract<News, { kind: K }>

async function dependenciesChanged(engine: Engine<Forge>, repository: Repository, issue: number): Promise<void> {
  const ref = ownRef(repository, issue)
  await dependenciesAgain(engine, ref)
  await settle(engine, ref)
}

async function pullEnded(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, why, merged_by }: Of<'pull_ended'>,
  correlation_id: string,
): Promise<void> {
  const ref = await taskOf(engine, repository, pull)
  const attempt = ref === null ? null : await attemptOf(engine, ref, pull)
  if (ref === null || attempt === null) return
  const told = { actor: app, correlation_id }
  if (merged_by !== null)
    await record(
      engine,
      ref,
      { type: 'report_merge', attempt_id: attempt.id, by: { id: merged_by.id, login: merged_by.login } },
      told,
    )
  await record(engine, ref, { type: 'end_attempt', attempt_id: attempt.id, why }, told)
  await settle(engine, ref)
  if (merged_by !== null) await mergedRevert(engine, repository, attempt, correlation_id)
}

async function said(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'said'>,
  correlation_id: string,
): Promise<void> {
  const counts = countsIn(news)
  // Each under its place in the comment, wherever and however the comment is found.
  const commands = [...(await commandsIn(engine, repository, { body: news.body, kind: 'comment' })).entries()]
    .map(([index, read]) => ({ key: `${news.key}/${index}`, read }))
    .filter(({ read }) => counts(read))
  if (commands.length === 0) return
  const scene = await sceneOf(engine, repository, news.pull, news.by, news.at, correlation_id)
  const asks = commands.some(({ read }) => asksToVerify(read)) && (scene === null || mayRenew(scene))
  const looked = asks ? await lookAgain(engine, repository, news, correlation_id) : 'as before'
  if (scene === null) {
    if (looked === 'as before') {
      const said = commands.map(({ read }) => read)
      await unjudged(engine, repository, news.pull, news.by, said)
    }
    return
  }
  for (const { key, read } of commands) {
    if (looked === 'opened' && asksToVerify(read)) {
      await scene.forge.react(news.comment, '+1')
      continue
    }
    const events = await spoken(engine, scene, news.pull, read, {
      key,
      source: 'comment',
      sha: news.found !== null && isRejection(read) ? scene.head_sha : scene.sha,
      at: news.at,
      through: news.through,
    })
    const done = accepted(events) || (await isDone(engine, scene.ref, key))
    if (done) await scene.forge.react(news.comment, '+1')
  }
  await settleThere(engine, repository, scene, correlation_id)
}

/**
 * What we came across late is no question any more. Where it was changed since, nobody knows what its author said: a no is
 * believed, and a no is about whatever stands now, since the head that it was about may be one that we never saw.
 */
const countsIn =
  ({ found }: Of<'said'>) =>
  (read: ReadCommand): boolean =>
    found === null || (found === 'edited' ? isRejection(read) : read.kind === 'command' && !isQuestion(read.command))

const isRejection = (read: ReadCommand): boolean => read.kind === 'command' && read.command.name === 'reject'

/** Heard before, and perhaps not answered because the process died; the same reaction twice is one. */
async function isDone(engine: Engine, ref: TaskRef, key: string): Promise<boolean> {
  const { task } = await load(engine, ref)
  return task.attempts.some(({ acts }) => acts.some(({ id }) => id.startsWith(`${key}#`)))
}

const asksToVerify = (read: ReadCommand): boolean => read.kind === 'command' && read.command.name === 'verify'

const mayRenew = ({ person, minimum }: Scene): boolean => person.kind === 'human' && atLeast(person.permission, minimum)

/**
 * A pull request from before we could see its repository is judged when somebody asks for it, and one that is open by a
 * newer policy of its base.
 */
async function lookAgain(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, at }: Of<'said'>,
  correlation_id: string,
): Promise<'opened' | 'as before'> {
  const forge = await forgeOf(engine, repository)
  const now = await forge.now(pull)
  if (now === null) return 'as before'
  return pullSeen(engine, repository, { pull, ...now, at }, correlation_id, { again: true })
}

async function reviewed(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'reviewed'>,
  correlation_id: string,
): Promise<void> {
  const scene = await sceneOf(engine, repository, news.pull, news.by, news.at, correlation_id)
  if (scene === null) return
  const { ref, told } = scene
  if (news.state !== 'commented') {
    const { task } = await load(engine, ref)
    const tree_sha = task.attempts.findLast(({ head_sha }) => head_sha === news.sha)?.tree_sha ?? ''
    const { key, sha, at } = news
    const saying = await sayingOf(scene, { key, sha, source: 'review', text: `a review: ${news.state}`, at })
    await record(
      engine,
      ref,
      {
        type: 'submit_review',
        pull: news.pull,
        review: { state: news.state, head_sha: news.sha, tree_sha, body: news.body },
        saying,
      },
      told,
    )
  }
  const commands = await commandsIn(engine, repository, { body: news.body, kind: 'review' })
  for (const [index, read] of commands.entries()) {
    await spoken(engine, scene, news.pull, read, {
      key: `${news.key}/${index}`,
      source: 'review',
      sha: news.sha,
      at: news.at,
    })
  }
  await settleThere(engine, repository, scene, correlation_id)
}

async function dismissed(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'review_dismissed'>,
  correlation_id: string,
): Promise<void> {
  const scene = await sceneOf(engine, repository, news.pull, news.by, news.at, correlation_id)
  if (scene === null) return
  const { ref, told, sha } = scene
  const { key, at } = news
  const saying = await sayingOf(scene, { key, sha, source: 'review', text: 'dismissed a review', at })
  await record(engine, ref, { type: 'dismiss_review', pull: news.pull, review_id: news.review_key, saying }, told)
  await settle(engine, ref)
}

async function labelled(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'labelled'>,
  correlation_id: string,
): Promise<void> {
  const act = actOfLabel(news.label)
  if (act === undefined) return
  const scene = await sceneOf(engine, repository, news.pull, news.by, news.at, correlation_id)
  if (scene === null) return
  const { ref, forge, told, person, sha } = scene
  const { key, at } = news
  const saying = await sayingOf(scene, { key, sha, source: 'label', text: `label ${news.label}`, at })
  const { events } = await record(
    engine,
    ref,
    { type: 'set_label', pull: news.pull, act, added: news.added, saying },
    told,
  )
  await refusalsAnswered(forge, news.pull, person, events, 0)
  if (news.added && !accepted(events) && events.length > 0) await forge.removeLabel(news.pull, news.label)
  if (events.some(({ type }) => type === 'ActAsked')) {
    await forge.reply(
      news.pull,
      `@${person.login} write \`/reason <text>\` to ${act === 'reject' ? 'say why you rejected this' : 'complete this'}.`,
    )
  }
  await settleThere(engine, repository, scene, correlation_id)
}
