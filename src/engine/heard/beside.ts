// A no at a pull request that was closed before we looked at it: nothing judges it there, and it is about its commit all the same.
import { actOfLabel } from '../../core/people/act.ts'
import type { ReadCommand } from '../../core/people/read-commands.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { Repository, Words } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { refOf, taskOf } from '../attempts/own-task.ts'
import { commandsIn, type Scene } from './speak.ts'

type Of<K extends Words['kind']> = Extract<Words, { kind: K }>

/** The open pull requests that hear it instead, since they are judged with the same commit; none for what is no no. */
export async function pullsBeside(
  engine: Engine<Forge>,
  repository: Repository,
  news: Words,
): Promise<readonly number[]> {
  if ((await taskOf(engine, repository, news.pull)) !== null) return []
  const kind = news.kind === 'said' ? 'comment' : 'review'
  const read = 'body' in news ? await commandsIn(engine, repository, { body: news.body, kind }) : []
  if (!isNo(news, read)) return []
  const forge = await forgeOf(engine, repository)
  if ((await forge.stateOf(news.pull)).kind === 'open') return []
  const { facts } = await forge.brief({ pull: news.pull, head_sha: '', base_ref: '' })
  const pulls = new Set<number>()
  for (const stream of await engine.store.find(commitKey(repository.key, facts.head_sha))) {
    const { task } = await load(engine, refOf(repository, stream))
    for (const { live, group, head_sha, pull } of task.attempts)
      if (live && group === null && head_sha === facts.head_sha) pulls.add(pull)
  }
  return [...pulls]
}

/** `read`: the commands among its words. */
export function isNo(news: Words, read: readonly ReadCommand[] = []): boolean {
  switch (news.kind) {
    case 'said':
      return read.some(isRejection)
    case 'reviewed':
      return news.state === 'changes_requested' || read.some(isRejection)
    case 'labelled':
      return news.added && actOfLabel(news.label) === 'reject'
    case 'review_dismissed':
      return false
  }
}

/** A no of any kind: to a commit, to a goal, to a request. */
export const saysNo = (read: ReadCommand): boolean =>
  isRejection(read) || (read.kind === 'command' && 'verb' in read.command && read.command.verb === 'reject')

/** To a commit: what a task has come to is one. */
export const isRejection = (read: ReadCommand): boolean =>
  read.kind === 'command' &&
  (read.command.name === 'reject' || (read.command.name === 'task' && read.command.verb === 'reject'))

/** The commit that words are about. Where a no was come across, that may be one which nobody ever saw: it is about whatever stands. */
export function meantBy(
  { sha, no_sha, head_sha }: Pick<Scene, 'sha' | 'no_sha' | 'head_sha'>,
  read: ReadCommand,
  found: Of<'said'>['found'],
): string {
  if (!isRejection(read)) return sha
  return found === null ? no_sha : head_sha
}
