// The criteria of a task, looked at where its issue states them, and told there once where nobody could judge by them: derived
// from state, so doing it again says nothing twice. Goals and requests say so on their own pages.
import { showAt } from '../unsure.ts'
import type { CriteriaSeen } from '../../core/criteria/criteria.ts'
import { owedByCriteria } from '../../core/criteria/owed-criteria.ts'
import { unreadWords } from '../../core/criteria/task-words.ts'
import type { News, Repository } from '../../core/news.ts'
import type { IssueText } from '../../core/issue-boards.ts'
import { BusyElsewhere, type Forge } from '../../ports.ts'
import { forgeOf, inTurn, load, type Engine, type TaskRef } from '../engine.ts'
import {
  criteriaAt,
  criteriaRef,
  goalAt,
  goalRef,
  placeOf,
  requestAt,
  requestRef,
  tellCriteria,
} from '../issues/issue-record.ts'
import { policyOfIssues } from '../issues/policy-of-issues.ts'
import { ownRef } from '../attempts/own-task.ts'
import { app, type Told } from '../record.ts'
import type { Settled } from '../settle.ts'

const ours: Told = { actor: app, correlation_id: 'settle' }

type Clarification = CriteriaSeen['clarification']
type Text = Pick<IssueText, 'number' | 'title' | 'body' | 'open'>

/** An issue was opened, edited, closed or opened again. Most are no tasks, and are not even read. */
export async function criteriaChanged(
  engine: Engine<Forge>,
  repository: Repository,
  { issue, names_us = false }: Pick<Extract<News, { kind: 'issue_changed' }>, 'issue' | 'names_us'>,
): Promise<void> {
  if (names_us || (await isKnown(engine, repository, issue)) || (await isJoined(engine, repository, issue)))
    await lookAtCriteria(engine, repository, issue)
}

export async function lookAtCriteria(engine: Engine<Forge>, repository: Repository, issue: number): Promise<void> {
  const forge = await forgeOf(engine, repository)
  const governed = await policyOfIssues(engine, forge, repository)
  if (governed === null) return
  const { clarification } = governed.request
  if (clarification === 'off' && !(await isKnown(engine, repository, issue))) return
  await looked(engine, forge, repository, issue, { read: () => forge.issue(issue), clarification, joins: false })
}

/** Of the tasks of a goal, as the goal was read: those that are new to it, and those that were unclear before. */
export async function criteriaBelow(
  engine: Engine<Forge>,
  forge: Forge,
  repository: Repository,
  {
    goal,
    tasks,
    clarification,
  }: { readonly goal: number; readonly tasks: readonly Text[]; readonly clarification: Clarification },
): Promise<void> {
  for (const text of tasks) {
    const { task } = await load(engine, ownRef(repository, text.number))
    const isNew = task.goals.every(({ number }) => number !== goal)
    if (isNew || (await isKnown(engine, repository, text.number)))
      await looked(engine, forge, repository, text.number, { read: async () => text, clarification, joins: true })
  }
}

/** `joins`: it is about to become a task, which may not be on record yet. */
type Look = {
  readonly read: () => Promise<Text | null>
  readonly clarification: Clarification
  readonly joins: boolean
}

/** One at a time per issue. */
async function looked(
  engine: Engine<Forge>,
  forge: Forge,
  repository: Repository,
  number: number,
  { read, clarification, joins }: Look,
): Promise<void> {
  const ref = criteriaRef(repository, number)
  await inTurn(engine, ref.stream, async () => {
    const text = await read()
    if (text === null) return
    const { title, body, open } = text
    const { has_block, lacking } = (await engine.aside.task({ title, body }, repository.key)) ?? unreadWords
    const hasPage =
      (await goalAt(engine, goalRef(repository, number))).status !== 'none' ||
      (await requestAt(engine, requestRef(repository, number))).status !== 'none'
    const is_task = !hasPage && (joins || has_block || (await isJoined(engine, repository, number)))
    await tellCriteria(engine, ref, { type: 'see_criteria', number, open, is_task, clarification, lacking }, ours)
    await show(engine, forge, ref)
  })
}

const isKnown = async (engine: Engine, repository: Repository, issue: number): Promise<boolean> =>
  (await criteriaAt(engine, criteriaRef(repository, issue))).seen !== null

/** Somebody made it a task of a goal, or approved it. */
async function isJoined(engine: Engine, repository: Repository, issue: number): Promise<boolean> {
  const { task } = await load(engine, ownRef(repository, issue))
  return task.goals.length > 0 || task.request !== null
}

async function show(engine: Engine<Forge>, forge: Forge, ref: TaskRef): Promise<void> {
  for (const debt of owedByCriteria(await criteriaAt(engine, ref))) {
    if (!(await engine.holds(ref.stream)))
      throw new BusyElsewhere(`Another process took over the issue ${ref.task_id} while this one stood still`)
    await showAt(forge, debt, (input) => tellCriteria(engine, ref, input, ours))
  }
}

export function settleCriteria(engine: Engine<Forge>, ref: TaskRef): Promise<Settled> {
  return inTurn(engine, ref.stream, async (): Promise<Settled> => {
    await show(engine, await forgeOf(engine, placeOf(ref).repository), ref)
    return 'settled'
  })
}

/** What a crash left behind. Once it is shown, only news of the issue changes anything. */
export async function sweepCriteria(engine: Engine<Forge>, stream: string): Promise<Settled> {
  const events = await engine.store.read(stream)
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return 'settled'
  await settleCriteria(engine, { stream, task_id: first.task_id })
  await engine.store.finish(stream, last.version)
  return 'settled'
}
