// Somebody speaks: who it is, which head they had in front of them, and what they get for an answer.
import { isFromBefore } from '../../core/as-of.ts'
import { rulesForPeople } from '../../core/decision/gate/proposal.ts'
import { personUnder, rosterUnder } from '../../core/people/roster.ts'
import type { Policy } from '../../core/contract/policy/policy.ts'
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import { teamsAround } from '../../core/decision/gate/stages.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { isSamePlace } from '../../core/decision/subject.ts'
import { accountKey, type Account, type Maker, type Person } from '../../core/people/people.ts'
import type { Command } from '../../core/people/command.ts'
import { inFrontAt } from '../../core/people/in-front.ts'
import type { Saying } from '../../core/people/saying.ts'
import { nameIn } from '../../core/people/judge-task.ts'
import { atLeast, leastPermission, type Permission } from '../../core/people/permission.ts'
import type { CommentText } from '../../core/jobs.ts'
import { unreadCommands, type ReadCommand } from '../../core/people/read-commands.ts'
import {
  answerText,
  incompleteText,
  neverJudgedText,
  notOpenText,
  unknownText,
  unreadableText,
} from '../../core/words/answers.ts'
import { sayRefusal } from '../../core/words/say-refusal.ts'
import { codeSpan } from '../../core/words/text/untrusted.ts'
import { NotShownYet, type Forge, type PullNow } from '../../ports.ts'
import type { Repository } from '../../core/news.ts'
import { forgeOf, load, type Engine, type TaskRef } from '../engine.ts'
import { endedUnheard } from './ended.ts'
import { actorOf, pullSeen } from '../attempts/intake.ts'
import { taskOf } from '../attempts/own-task.ts'
import { record, type Told } from '../record.ts'
import { mayFollow } from './late.ts'
import { liftsResults, resultsSeen } from './overruled.ts'

/** Whoever has a say here is told why a few times, then no more; a stranger once. */
const REFUSALS_MAX = 3

export type Scene = {
  readonly ref: TaskRef
  readonly pull: number
  readonly forge: Forge
  /** The pull request as it was read for this. */
  readonly now: PullNow | null
  readonly sha: string
  /** The same for a no, which is about whatever stands, unless that is known to have come later. */
  readonly no_sha: string
  readonly head_sha: string
  readonly told: Told
  readonly person: Person
  /** Whom the policy calls what. */
  readonly identities: Policy['identities']
  /** The least permission that acts here need. */
  readonly minimum: Permission
}

/**
 * `moves`: the pull request changes with what is said there, as with a comment or a label. A review tells its commit itself, `sha`.
 * `isNo`: it counts also at a draft and at what is closed, for the commit that is there.
 */
type Place = {
  readonly pull: number
  readonly by: Maker
  readonly at: string
  readonly moves?: boolean
  readonly sha?: string
  readonly isNo?: boolean
}

/** Who speaks, and which head they had in front of them. It is read now: a push that we know nothing of is looked at first. */
export async function sceneOf(
  engine: Engine<Forge>,
  repository: Repository,
  { isNo = false, ...words }: Place,
  correlation_id: string,
): Promise<Scene | null> {
  const { pull, by, at, moves, sha } = words
  const forge = await forgeOf(engine, repository)
  const ref = await taskOf(engine, repository, pull)
  // What is a draft or closed by now was judged before, perhaps.
  const attempt = ref === null ? undefined : lastAttempt((await load(engine, ref)).task, pull)
  if (ref === null || attempt === undefined) {
    const isThere = isNo && (await seenForNo(engine, repository, forge, words, correlation_id))
    return isThere ? sceneOf(engine, repository, words, correlation_id) : null
  }
  const [state, somebody] = await Promise.all([forge.stateOf(pull), forge.person(by, teamsAround(attempt))])
  const { identities } = rulesForPeople(attempt)
  const person = personUnder(identities, somebody, by.login)
  const there = state.kind === 'merged' ? null : state.now
  const now = state.kind === 'open' ? there : null
  const told: Told = { actor: actorOf(by), correlation_id }
  const isOfItself = moves === true || (sha !== undefined && sha !== there?.head_sha)
  if (there !== null && isOfItself && isFromBefore(there.updated_at, at) && mayFollow(engine, at))
    throw new NotShownYet(`GitHub does not show pull request ${pull} yet as it was when ${by.login} spoke there`)
  // Whoever ended it, as by merging it, did so before what is said here counts.
  if (now === null && attempt.live && !(await endedUnheard(engine, repository, { pull })))
    throw new NotShownYet(`GitHub shows pull request ${pull} both as open and as ended`)
  if (there !== null) {
    const isPush = there.head_sha !== attempt.head_sha
    const isUnjudged = now === null ? isPush && isNo && maySayNo(person) : !(attempt.live && isSamePlace(now, attempt))
    const seen = { pull, ...there, ...(isPush && at !== '' && { at }) }
    if (isUnjudged) await pullSeen(engine, repository, seen, correlation_id, { aside: now === null })
  }
  // Looking at it may have brought it to another task.
  const place = (await taskOf(engine, repository, pull)) ?? ref
  const { task } = await load(engine, place)
  const stands = lastAttempt(task, pull) ?? attempt
  return {
    ref: place,
    pull,
    forge,
    now,
    ...seenBy(at, attempt, stands, task),
    told,
    person,
    identities,
    minimum: leastPermission(attempt),
  }
}

/** What nobody told us of, or is a draft that nothing ever judged, gets a place for a no; false where it gets none. */
async function seenForNo(
  engine: Engine<Forge>,
  repository: Repository,
  forge: Forge,
  { pull, by, at }: Place,
  correlation_id: string,
): Promise<boolean> {
  const [state, person] = await Promise.all([forge.stateOf(pull), forge.person(by, [])])
  if (state.kind === 'closed' || state.kind === 'merged' || !maySayNo(person)) return false
  const aside = state.kind === 'draft'
  await pullSeen(engine, repository, { pull, ...state.now, ...(at !== '' && { at }) }, correlation_id, { aside })
  return true
}

const maySayNo = ({ kind, permission }: Person): boolean => kind === 'human' && atLeast(permission, 'write')

/** `stands` is another one than we knew where we came across it just now, perhaps without knowing since when it is there. */
function seenBy(
  at: string,
  known: Attempt,
  stands: Attempt,
  task: TaskState,
): Pick<Scene, 'sha' | 'no_sha' | 'head_sha'> {
  const { head_sha, pull } = stands
  const knew = at === '' || at >= known.head_at ? known.head_sha : 'an older commit'
  const sha = stands.id !== known.id && isFromBefore(stands.head_at, at) ? head_sha : knew
  const inFront = at === '' ? [head_sha] : inFrontAt(task, pull, at)
  const no_sha = inFront.includes(head_sha) ? head_sha : (inFront.at(-1) ?? 'an older commit')
  return { sha, no_sha, head_sha }
}

/** Words at a pull request that nobody ever judged: whoever has a say here is told so, where anything is judged at all. */
export async function unjudged(
  engine: Engine<Forge>,
  repository: Repository,
  pull: number,
  by: Maker,
  commands: readonly ReadCommand[],
): Promise<void> {
  const isJudged = [...engine.governed].some((base) => base.startsWith(`${repository.key}:`))
  const isForUs = commands.some(({ text }) => /^\s*(?:\/countersign\b|@)/i.test(text))
  const said = commands.find((read) => read.kind === 'command')
  if (said === undefined || !(isJudged || isForUs)) return
  const forge = await forgeOf(engine, repository)
  const person = await forge.person(by, [])
  if (person.kind !== 'human' || isStranger(person)) return
  const { kind: state } = await forge.stateOf(pull)
  await forge.reply(pull, state === 'open' ? neverJudgedText : notOpenText(said.command, state))
}

/** What somebody says to us in a comment or a review. */
export async function commandsIn(
  engine: Engine<Forge>,
  repository: Repository,
  text: Omit<CommentText, 'self'>,
): Promise<readonly ReadCommand[]> {
  const self = (await forgeOf(engine, repository)).self.replace(/\[bot\]$/, '')
  return (await engine.aside.commands({ ...text, self }, repository.key)) ?? unreadCommands(text.body)
}

type Words = Pick<Saying, 'key' | 'source' | 'sha' | 'at'> & Partial<Pick<Saying, 'through' | 'again'>>
/** `taken_back_by`: the key of the words that did so before anybody heard these. */
type Spoken = Words & { readonly taken_back_by?: string }

/** Words, with who said them and how many there are to say something else. */
export async function sayingOf(
  { forge, person, identities }: Pick<Scene, 'forge' | 'person' | 'identities'>,
  words: Words & Pick<Saying, 'text'>,
): Promise<Saying> {
  const { census } = rosterUnder(identities, await forge.census())
  return { through: null, ...words, user: person, census }
}

export async function spoken(
  engine: Engine<Forge>,
  scene: Scene,
  pull: number,
  read: ReadCommand,
  { taken_back_by, ...words }: Spoken,
): Promise<readonly RecordedEvent[]> {
  const { ref, forge, told, person } = scene
  const text = await plainAnswer(engine, ref, pull, read)
  if (text !== null) return answer(engine, scene, words.key, text)
  if (read.kind !== 'command') return []
  await mergedMeanwhile(engine, scene, read.command)
  if (liftsResults(read.command)) await resultsSeen(engine, scene, pull)
  const { task } = await load(engine, ref)
  const named = await namedBy(forge, read.command)
  const saying = { ...(await sayingOf(scene, { ...words, text: read.text })), named }
  const before = task.refusals[accountKey(person)] ?? 0
  const back = taken_back_by === undefined ? {} : { taken_back_by }
  const input = { type: 'give_command', pull, command: read.command, saying, ...back } as const
  const { events } = await record(engine, ref, input, told)
  await refusalsAnswered(forge, pull, person, events, before)
  return events
}

/**
 * A merge that no webhook told of is asked for where it counts: what was closed without one delivers nothing, and whoever merged it
 * does not confirm it.
 */
async function mergedMeanwhile(
  engine: Engine<Forge>,
  { ref, pull, forge, now, told }: Scene,
  command: Command,
): Promise<void> {
  if (command.name !== 'task' || now !== null) return
  const attempt = lastAttempt((await load(engine, ref)).task, pull)
  if (attempt === undefined || attempt.merged !== null) return
  const state = await forge.stateOf(pull)
  if (state.kind !== 'merged') return
  if (attempt.live) throw new NotShownYet(`GitHub shows pull request ${pull} both as open and as merged`)
  await record(engine, ref, { type: 'report_merge', attempt_id: attempt.id, by: state.by }, told)
}

/** Whom a command names, by the number of whoever bears that name now. */
async function namedBy(forge: Forge, command: Command): Promise<Account | null> {
  if (command.name !== 'task' || (command.verb !== 'assign' && command.verb !== 'reassign')) return null
  const { id, login } = await forge.person({ id: null, login: nameIn(command.text), kind: 'human' }, [])
  return id === null ? null : { id, login }
}

/** To words that could not be read and to questions; null for what the rules must hear. */
async function plainAnswer(engine: Engine, ref: TaskRef, pull: number, read: ReadCommand): Promise<string | null> {
  if (read.kind === 'unknown') return unknownText(read)
  if (read.kind === 'incomplete') return incompleteText(read)
  if (read.kind === 'unreadable') return unreadableText(read)
  return answered(engine, ref, pull, read.command)
}

/** Somebody who has no say here gets one answer, whatever is asked and however often. */
async function answer(
  engine: Engine<Forge>,
  { ref, pull, forge, told, person }: Scene,
  key: string,
  text: string,
): Promise<readonly RecordedEvent[]> {
  if (isStranger(person)) {
    const { task } = await load(engine, ref)
    if ((task.refusals[accountKey(person)] ?? 0) > 0) return []
    await record(engine, ref, { type: 'note_stranger', pull, key, user: person }, told)
  }
  await forge.reply(pull, text)
  return []
}

/** In a public repository everybody may read. */
const isStranger = ({ permission }: Person): boolean => !atLeast(permission, 'triage')

/** Questions change nothing, so the rules never hear of them. */
async function answered(engine: Engine, ref: TaskRef, pull: number, command: Command): Promise<string | null> {
  const { task } = await load(engine, ref)
  const attempt = lastAttempt(task, pull)
  const log = command.name === 'log' ? await engine.store.read(ref.stream) : []
  return attempt === undefined ? null : answerText(command, task, attempt, log)
}

export async function refusalsAnswered(
  forge: Forge,
  pull: number,
  person: Person,
  events: readonly RecordedEvent[],
  before: number,
): Promise<void> {
  for (const event of events) {
    if (event.type !== 'OverrideDenied' && event.type !== 'CommandRefused') continue
    if (before < (isStranger(person) ? 1 : REFUSALS_MAX))
      await forge.reply(pull, `${codeSpan(person.login)}: ${sayRefusal(event.data)}`)
  }
}

export const accepted = (events: readonly RecordedEvent[]): boolean =>
  events.some(({ type }) => type !== 'OverrideDenied' && type !== 'CommandRefused')
