// What people say about a pull request, in comments, reviews and labels: who it was, what the rules make of it, and what they
// get for an answer.
import { actOfLabel, type LabelAct } from '../../core/people/act.ts'
import { personUnder } from '../../core/people/roster.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import type { Saying } from '../../core/people/saying.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import { isQuestion } from '../../core/people/command.ts'
import { builderCalled } from '../../core/people/separation.ts'
import { atLeast } from '../../core/people/permission.ts'
import type { ReadCommand } from '../../core/people/read-commands.ts'
import type { Forge } from '../../ports.ts'
import type { News, Repository, Words } from '../../core/news.ts'
import { isNo, isRejection, meantBy, pullsBeside, saysNo } from './beside.ts'
import { forgeOf, load, type Engine, type TaskRef } from '../engine.ts'
import { toldElsewhere } from './elsewhere.ts'
import { settleThere } from './guests.ts'
import { resultsSeen } from './overruled.ts'
import { pullSeen } from '../attempts/intake.ts'
import { record } from '../record.ts'
import { endedSince, revokedBy, type Ended } from './taken-back.ts'
import { accepted, commandsIn, refusalsAnswered, sayingOf, sceneOf, spoken, unjudged, type Scene } from './speak.ts'

/** `beside`: it was said at another pull request, so that the one it is heard at did not change with it. */
type Of<K extends News['kind']> = Extract<News, { kind: K }> & { readonly beside?: true }

/** Whether anybody could take them in: what is said at a pull request that nothing judges yet counts as unheard. */
export async function wordsHeard(
  engine: Engine<Forge>,
  repository: Repository,
  news: Words,
  correlation_id: string,
): Promise<boolean> {
  const beside = await pullsBeside(engine, repository, news)
  for (const pull of beside) await heardThere(engine, repository, { ...news, pull, beside: true }, correlation_id)
  const taken = beside.length > 0 || (await heardThere(engine, repository, news, correlation_id))
  // What is said at one tree may be about the same one elsewhere.
  for (const pull of beside.length > 0 ? beside : [news.pull]) await toldElsewhere(engine, repository, pull)
  return taken
}

/** What was said there alone, whatever else it may be about. */
export async function heardThere(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<Words['kind']>,
  correlation_id: string,
): Promise<boolean> {
  switch (news.kind) {
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

async function said(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'said'>,
  correlation_id: string,
): Promise<boolean> {
  const counts = countsIn(news)
  // Each under its place in the comment, wherever and however the comment is found.
  const commands = [...(await commandsIn(engine, repository, { body: news.body, kind: 'comment' })).entries()]
    .map(([index, read]) => ({ key: `${news.key}/${index}`, read }))
    .filter(({ read }) => counts(read))
  if (commands.length === 0) return true
  const no = isNo(
    news,
    commands.map(({ read }) => read),
  )
  const taken_back_by = no ? await revokedBy(engine, repository, news) : undefined
  const scene = await sceneOf(engine, repository, { ...news, moves: !news.beside, isNo: no }, correlation_id)
  const asks = commands.some(({ read }) => asksToVerify(read)) && (scene === null || mayRenew(scene))
  const looked = asks ? await lookAgain(engine, repository, news, { correlation_id, scene }) : 'as before'
  if (scene === null) {
    if (looked === 'as before') {
      const said = commands.map(({ read }) => read)
      await unjudged(engine, repository, news.pull, news.by, said)
    }
    return false
  }
  for (const { key, read } of commands) {
    if (looked === 'opened' && asksToVerify(read)) {
      await scene.forge.react(news.comment, '+1')
      continue
    }
    const events = await spoken(engine, scene, news.pull, read, {
      key,
      source: 'comment',
      sha: meantBy(scene, read, news.found),
      at: news.at,
      through: news.through,
      ...(isRejection(read) && taken_back_by !== undefined && { taken_back_by }),
    })
    const done = accepted(events) || (await isDone(engine, scene.ref, key))
    if (done) await scene.forge.react(news.comment, '+1')
  }
  await taken(engine, repository, news, scene, correlation_id)
  return true
}

/** All that they say is on record: from now on it may be shown. */
async function taken(
  engine: Engine<Forge>,
  repository: Repository,
  news: Words,
  scene: Scene,
  correlation_id: string,
): Promise<void> {
  engine.ears.taken(repository.key, news)
  await settleThere(engine, repository, scene, correlation_id)
}

/**
 * What we came across late is no question any more. Where it was changed since, nobody knows what its author said: a no is
 * believed, and a no is about whatever stands now, since the head that it was about may be one that we never saw.
 */
const countsIn =
  ({ found }: Pick<Of<'said' | 'reviewed'>, 'found'>) =>
  (read: ReadCommand): boolean =>
    found === null || (found === 'edited' ? saysNo(read) : read.kind === 'command' && !isQuestion(read.command))

/** Heard before, and perhaps not answered because the process died; the same reaction twice is one. */
async function isDone(engine: Engine, ref: TaskRef, key: string): Promise<boolean> {
  const { task } = await load(engine, ref)
  return task.attempts.some(({ acts }) => acts.some(({ id }) => id.startsWith(`${key}#`)))
}

const asksToVerify = (read: ReadCommand): boolean => read.kind === 'command' && read.command.name === 'verify'

const mayRenew = ({ person, minimum }: Scene): boolean => person.kind === 'human' && atLeast(person.permission, minimum)

/** Whoever made a part of it does not choose by what it is judged. */
async function isOutside(engine: Engine, { ref, person }: Scene): Promise<boolean> {
  const { task } = await load(engine, ref)
  return builderCalled(task.builders, person) === null
}

/**
 * A pull request from before we could see its repository is judged when somebody asks for it, and one that is open by a
 * newer policy of its base.
 */
async function lookAgain(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, at }: Of<'said'>,
  { correlation_id, scene }: { readonly correlation_id: string; readonly scene: Scene | null },
): Promise<'opened' | 'as before'> {
  const now = scene === null ? await (await forgeOf(engine, repository)).now(pull) : scene.now
  if (now === null) return 'as before'
  const renew = scene !== null && (await isOutside(engine, scene))
  return pullSeen(engine, repository, { pull, ...now, at }, correlation_id, { again: true, renew })
}

async function reviewed(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'reviewed'>,
  correlation_id: string,
): Promise<boolean> {
  const counts = countsIn(news)
  // Each under its place in the review.
  const commands = [...(await commandsIn(engine, repository, { body: news.body, kind: 'review' })).entries()].filter(
    ([, read]) => counts(read),
  )
  const no = isNo(
    news,
    commands.map(([, read]) => read),
  )
  const scene = await sceneOf(engine, repository, { ...news, isNo: no }, correlation_id)
  if (scene === null) return false
  const { ref, told } = scene
  const gone = news.state === 'commented' ? null : await endedSince(engine, repository, news)
  if (news.state !== 'commented') {
    const { task } = await load(engine, ref)
    const tree_sha = task.attempts.findLast(({ head_sha }) => head_sha === news.sha)?.tree_sha ?? ''
    const { key, sha, at } = news
    const saying = await sayingOf(scene, { key, sha, source: 'review', text: `a review: ${news.state}`, at })
    const { pull } = news
    const review = { state: news.state, head_sha: news.sha, tree_sha, body: news.body }
    const inputs: Input[] = [{ type: 'submit_review', pull, review, saying }]
    // In one batch with it, so that nobody sees it stand.
    if (gone !== null) {
      const saying = await endingOf(scene, gone, { sha, source: 'review', text: 'dismissed a review' })
      inputs.push({ type: 'dismiss_review', pull, review_id: key, saying })
    }
    await record(engine, ref, inputs, told)
  }
  for (const [index, read] of commands) {
    await spoken(engine, scene, news.pull, read, {
      key: `${news.key}/${index}`,
      source: 'review',
      sha: news.sha,
      at: news.at,
    })
  }
  await taken(engine, repository, news, scene, correlation_id)
  return true
}

async function dismissed(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'review_dismissed'>,
  correlation_id: string,
): Promise<boolean> {
  const scene = await sceneOf(engine, repository, news, correlation_id)
  if (scene === null) return false
  const { ref, told, sha } = scene
  const { key, at } = news
  const saying = await sayingOf(scene, { key, sha, source: 'review', text: 'dismissed a review', at })
  await record(engine, ref, { type: 'dismiss_review', pull: news.pull, review_id: news.review_key, saying }, told)
  await taken(engine, repository, news, scene, correlation_id)
  return true
}

/** Whoever ended it, as far as they may. */
async function endingOf(
  scene: Scene,
  { by, key, at }: Ended,
  words: Pick<Saying, 'sha' | 'source' | 'text'>,
): Promise<Saying> {
  const person = personUnder(scene.identities, await scene.forge.person(by, []), by.login)
  return sayingOf({ ...scene, person }, { ...words, key, at })
}

async function labelled(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'labelled'>,
  correlation_id: string,
): Promise<boolean> {
  const act = actOfLabel(news.label)
  if (act === undefined) return true
  const place = { ...news, moves: !news.beside, isNo: isNo(news) }
  const scene = await sceneOf(engine, repository, place, correlation_id)
  if (scene === null) return false
  const { ref, told } = scene
  const { key, at } = news
  const sha = act === 'reject' ? scene.no_sha : scene.sha
  const saying = await sayingOf(scene, { key, sha, source: 'label', text: `label ${news.label}`, at })
  const set = { type: 'set_label', pull: news.pull, act, added: news.added, saying } as const
  const gone = news.added ? await endedSince(engine, repository, news) : null
  const inputs: Input[] = [set]
  // In one batch with it, so that nobody sees it stand.
  if (gone !== null)
    inputs.push({
      ...set,
      added: false,
      saying: await endingOf(scene, gone, { sha, source: 'label', text: saying.text }),
    })
  if (act === 'override' && news.added) await resultsSeen(engine, scene, news.pull)
  const { events } = await record(engine, ref, inputs, told)
  if (gone === null) await labelAnswered(scene, news, act, events)
  await taken(engine, repository, news, scene, correlation_id)
  return true
}

async function labelAnswered(
  { pull, forge, person }: Scene,
  news: Of<'labelled'>,
  act: LabelAct,
  events: readonly RecordedEvent[],
): Promise<void> {
  await refusalsAnswered(forge, pull, person, events, 0)
  if (news.added && !accepted(events) && events.length > 0) await forge.removeLabel(pull, news.label)
  if (events.some(({ type }) => type === 'ActAsked')) {
    await forge.reply(
      pull,
      `@${person.login} write \`/reason <text>\` to ${act === 'reject' ? 'say why you rejected this' : 'complete this'}.`,
    )
  }
}
