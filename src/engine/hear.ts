// What people and machines around a pull request do, turned into inputs, and the answers that people get.
import { actOfLabel } from '../core/people/act.ts'
import { atLeast } from '../core/people/permission.ts'
import type { Input } from '../core/decision/rules/inputs.ts'
import type { Attempt } from '../core/decision/model.ts'
import type { ReadCommand } from '../core/people/read-commands.ts'
import { commitKey, type Forge, type News, type Repository } from '../ports.ts'
import { forgeOf, load, type Engine, type TaskRef } from './engine.ts'
import { groupEnded, groupRequested, membersJudged, queuedWith } from './groups.ts'
import { attemptOf, pullChanged, pullSeen, refOf, taskOf } from './intake.ts'
import { placeTouched, runAskedAgain } from './places.ts'
import { app, record } from './record.ts'
import { settle } from './settle.ts'
import { accepted, commandsIn, refusalsAnswered, sayingOf, sceneOf, spoken, type Scene } from './speak.ts'

export async function hear(
  engine: Engine<Forge>,
  repository: Repository,
  news: News,
  correlation_id: string,
): Promise<void> {
  await understood(engine, repository, news, correlation_id)
  if ('pull' in news && news.kind !== 'group_requested') {
    await queuedWith(engine, repository, news.pull, correlation_id)
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
    case 'policy_changed':
      return policyChanged(engine, repository, news.base_ref, correlation_id)
    case 'group_requested':
      return groupRequested(engine, repository, news, correlation_id)
    case 'group_ended':
      return groupEnded(engine, repository, news.head_sha, correlation_id)
    case 'pull_ended':
      return pullEnded(engine, repository, news, correlation_id)
    case 'results_changed':
      return resultsChanged(engine, repository, news.sha, correlation_id)
    case 'run_asked_again':
      await runAskedAgain(engine, repository, news, correlation_id)
      return resultsChanged(engine, repository, news.sha, correlation_id)
    case 'place_touched':
      return placeTouched(engine, repository, news, correlation_id)
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

/** What could not be judged by the policy on its base may be judged by the one that came now; the rest is frozen. */
async function policyChanged(
  engine: Engine<Forge>,
  repository: Repository,
  branch: string,
  correlation_id: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  for (const { number, base_ref, head_sha, base_is_default, updated_at: at } of await forge.openPulls()) {
    const ref = base_ref === branch ? await taskOf(engine, repository, number) : null
    const attempt = ref === null ? null : await attemptOf(engine, ref, number)
    if (attempt === null || attempt.invalid.length === 0) continue
    const seen = { pull: number, head_sha, base_ref, base_is_default, at }
    await pullSeen(engine, repository, seen, correlation_id, { again: true })
  }
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
    await record(engine, ref, { type: 'report_merge', attempt_id: attempt.id, by: merged_by }, told)
  await record(engine, ref, { type: 'end_attempt', attempt_id: attempt.id, why }, told)
  await settle(engine, ref)
}

/** Every attempt on the commit, since two pull requests can share one. */
async function resultsChanged(
  engine: Engine<Forge>,
  repository: Repository,
  sha: string,
  correlation_id: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  for (const stream of await engine.store.find(commitKey(repository.key, sha))) {
    const ref = refOf(repository, stream)
    const { task } = await load(engine, ref)
    const attempts = task.attempts.filter(({ head_sha }) => head_sha === sha)
    for (const attempt of attempts) {
      await membersJudged(engine, repository, ref, attempt, { actor: app, correlation_id })
      const inputs = await forge.results(attempt)
      if (await isOfNewerPolicy(engine, repository, attempt, inputs, correlation_id)) continue
      await record(engine, ref, inputs, { actor: { ...app, kind: 'action' }, correlation_id })
    }
    // Without the changed files, tier 1 could not be judged yet.
    const answered = attempts.filter(({ files }) => files !== null).map(({ id }) => id)
    await settle(engine, ref, answered)
    for (const { pull, group } of attempts) {
      if (group === null) await queuedWith(engine, repository, pull, correlation_id)
    }
  }
}

/** Results under a policy that came to the base after the attempt had opened: it is opened anew under that one. */
async function isOfNewerPolicy(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, head_sha, base_ref, check_name, head_at: at, live, group }: Attempt,
  inputs: readonly Input[],
  correlation_id: string,
): Promise<boolean> {
  const other = inputs.some((input) => input.type === 'refuse_result' && input.policy_hash !== null)
  if (!other || !live || group !== null) return false
  const seen = { pull, head_sha, base_ref, base_is_default: check_name === 'countersign', at }
  return (await pullSeen(engine, repository, seen, correlation_id, { again: true })) === 'opened'
}

async function said(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'said'>,
  correlation_id: string,
): Promise<void> {
  const commands = await commandsIn(engine, repository, { body: news.body, kind: 'comment' })
  if (commands.length === 0) return
  const scene = await sceneOf(engine, repository, news.pull, news.by, news.at, correlation_id)
  const asks = commands.some(asksToVerify) && (scene === null || mayRenew(scene))
  const looked = asks ? await lookAgain(engine, repository, news, correlation_id) : 'as before'
  if (scene === null) return
  for (const [index, read] of commands.entries()) {
    if (looked === 'opened' && asksToVerify(read)) {
      await scene.forge.react(news.comment, '+1')
      continue
    }
    const events = await spoken(engine, scene, news.pull, read, {
      key: `${news.key}/${index}`,
      source: 'comment',
      sha: scene.sha,
      at: news.at,
    })
    const done = accepted(events) || (await isDone(engine, scene.ref, `${news.key}/${index}`))
    if (done) await scene.forge.react(news.comment, '+1')
  }
  await settle(engine, scene.ref)
}

/** Heard before, and perhaps not answered because the process died; the same reaction twice is one. */
async function isDone(engine: Engine, ref: TaskRef, key: string): Promise<boolean> {
  const { task } = await load(engine, ref)
  return task.attempts.some(({ acts }) => acts.some(({ id }) => id.startsWith(`${key}#`)))
}

const asksToVerify = (read: ReadCommand): boolean => read.kind === 'command' && read.command.name === 'verify'

const mayRenew = ({ person, minimum }: Scene): boolean => person.kind === 'human' && atLeast(person.permission, minimum)

/**
 * A pull request that is older than the installation is judged when somebody asks for it, and one that is open by a
 * newer policy of its base.
 */
async function lookAgain(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, at }: Of<'said'>,
  correlation_id: string,
): Promise<'opened' | 'as before'> {
  const forge = await forgeOf(engine, repository)
  const { facts } = await forge.brief(pull, '')
  const { head_sha, base_ref, base_is_default } = facts
  return pullSeen(engine, repository, { pull, head_sha, base_ref, base_is_default, at }, correlation_id, {
    again: true,
  })
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
        review: { state: news.state, sha: news.sha, tree_sha, body: news.body },
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
  await settle(engine, ref)
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
  await settle(engine, ref)
}
