// Somebody speaks: who it is, which head they had in front of them, and what they get for an answer.
import { liveAttempt } from '../core/decision/rules/attempt.ts'
import type { RecordedEvent } from '../core/decision/record/events.ts'
import type { Maker } from '../core/people/builders.ts'
import type { Command } from '../core/people/command.ts'
import type { Saying } from '../core/people/judge.ts'
import type { Person } from '../core/people/people.ts'
import { leastPermission, type Permission } from '../core/people/permission.ts'
import type { ReadCommand } from '../core/people/read-commands.ts'
import { answerText, incompleteText, unknownText } from '../core/words/answers.ts'
import { sayRefusal } from '../core/words/say.ts'
import { codeSpan } from '../core/words/untrusted.ts'
import type { Forge, Repository } from '../ports.ts'
import { forgeOf, load, type Engine, type TaskRef } from './engine.ts'
import { actorOf, attemptOf, pullSeen, taskOf } from './intake.ts'
import { record, type Told } from './record.ts'

/** Strangers are told why a few times, then no more. */
const REFUSALS_MAX = 3

export type Scene = {
  readonly ref: TaskRef
  readonly forge: Forge
  readonly sha: string
  readonly told: Told
  readonly person: Person
  /** The least permission that acts here need. */
  readonly minimum: Permission
}

/**
 * Who speaks, and which head they had in front of them. The head is read now: when it moved past the one we know, the
 * words were about the older one, and the push is looked at first.
 */
export async function sceneOf(
  engine: Engine<Forge>,
  repository: Repository,
  pull: number,
  by: Maker,
  at: string,
  correlation_id: string,
): Promise<Scene | null> {
  const forge = await forgeOf(engine, repository)
  const ref = await taskOf(engine, repository, pull)
  const attempt = ref === null ? null : await attemptOf(engine, ref, pull)
  if (ref === null || attempt === null) return null
  const teams = Object.values(attempt.contract.policy.roles)
    .flat()
    .filter((name) => name.includes('/'))
  const [head, person] = await Promise.all([forge.head(pull), forge.person(by.login, by.kind, teams)])
  const told: Told = { actor: actorOf(by), correlation_id }
  if (head !== null && head !== attempt.head_sha) {
    const { base_ref, check_name } = attempt
    const moved = { pull, head_sha: head, base_ref, base_is_default: check_name === 'countersign', at }
    await pullSeen(engine, repository, moved, correlation_id)
  }
  const seen = at === '' || at >= attempt.head_at ? attempt.head_sha : 'an older commit'
  return { ref, forge, sha: seen, told, person, minimum: leastPermission(attempt) }
}

type Words = Pick<Saying, 'key' | 'source' | 'sha' | 'at'>

/** Words, with who said them and how many there are to say something else. */
export async function sayingOf({ forge, person }: Scene, words: Words & Pick<Saying, 'text'>): Promise<Saying> {
  return { ...words, user: person, census: (await forge.census()).census }
}

export async function spoken(
  engine: Engine<Forge>,
  scene: Scene,
  pull: number,
  read: ReadCommand,
  words: Words,
): Promise<readonly RecordedEvent[]> {
  const { ref, forge, told, person } = scene
  if (read.kind === 'unknown') return answer(forge, pull, unknownText(read))
  if (read.kind === 'incomplete') return answer(forge, pull, incompleteText(read))
  const question = await answered(engine, ref, pull, read.command)
  if (question !== null) return answer(forge, pull, question)
  const { task } = await load(engine, ref)
  const saying = await sayingOf(scene, { ...words, text: read.text })
  const before = task.refusals[person.login] ?? 0
  const { events } = await record(engine, ref, { type: 'give_command', pull, command: read.command, saying }, told)
  await refusalsAnswered(forge, pull, person, events, before)
  return events
}

async function answer(forge: Forge, pull: number, text: string): Promise<readonly RecordedEvent[]> {
  await forge.reply(pull, text)
  return []
}

/** Questions change nothing, so the rules never hear of them. */
async function answered(engine: Engine, ref: TaskRef, pull: number, command: Command): Promise<string | null> {
  const { task } = await load(engine, ref)
  const attempt = liveAttempt(task, pull)
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
    if (before < REFUSALS_MAX || person.permission !== 'none')
      await forge.reply(pull, `${codeSpan(person.login)}: ${sayRefusal(event.data)}`)
  }
}

export const accepted = (events: readonly RecordedEvent[]): boolean =>
  events.some(({ type }) => type !== 'OverrideDenied' && type !== 'CommandRefused')
