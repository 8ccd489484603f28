// Makes GitHub and the tasks show what a goal concludes, until nothing is owed: the board, its label, what leads want linked,
// issues that mend what was wrong. Everything is derived from state, so doing it again does only what is still missing.
import { showAt } from '../unsure.ts'
import { asksOfTasks, isOver, owedByGoal, type GoalOwed } from '../../core/goals/owed-goal.ts'
import type { GoalState } from '../../core/goals/goal.ts'
import type { Repository } from '../../core/news.ts'
import { notLinkedText, reopenedText } from '../../core/words/issues/board.ts'
import { BusyElsewhere, type Forge } from '../../ports.ts'
import { taskOfGoalKey } from '../../core/decision/record/keys.ts'
import { forgeOf, inTurn, load, type Engine, type TaskRef } from '../engine.ts'
import { refOf } from '../attempts/own-task.ts'
import { app, record, type Told } from '../record.ts'
import { settle, type Settled } from '../settle.ts'
import { loaded } from '../aggregates.ts'
import { goalAt, goals, placeOf, tellGoal } from '../issues/issue-record.ts'
import { standingOf } from '../issues/standing.ts'
import { isGoalNow, seeGoal } from './see-goal.ts'

const ROUNDS_MAX = 30
const ours: Told = { actor: app, correlation_id: 'settle' }

/** One at a time per goal. `look`: at GitHub first, for what became of the issue and its sub-issues. */
export function settleGoal(engine: Engine<Forge>, ref: TaskRef, { look = false } = {}): Promise<Settled> {
  return inTurn(engine, ref.stream, async (): Promise<Settled> => {
    const { repository } = placeOf(ref)
    const forge = await forgeOf(engine, repository)
    if (look) await seeGoal(engine, forge, ref, ours)
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const before = await goalAt(engine, ref)
      if (before.status === 'none') return 'settled'
      const tasks = await Promise.all(before.tasks.map((task) => standingOf(engine, repository, task)))
      const { state: goal } = await tellGoal(engine, ref, { type: 'report_tasks', tasks }, ours)
      await tellTasks(engine, repository, goal)
      const debts = owedByGoal(goal)
      if (debts.length === 0) return 'settled'
      // What changes the goal goes first, so that it is shown once.
      const [first, ...more] = debts
      const changing = first !== undefined && first.kind !== 'show' ? [first] : [first, ...more]
      for (const debt of changing) if (debt !== undefined) await pay(engine, forge, ref, goal, debt)
    }
    throw new Error(`The goal ${ref.task_id} did not settle in ${ROUNDS_MAX} rounds`)
  })
}

/** What it asks of its tasks holds for them from now on, and for whatever left it no more. */
async function tellTasks(engine: Engine<Forge>, repository: Repository, goal: GoalState): Promise<void> {
  const asked = asksOfTasks(goal)
  const { key } = repository
  const streams = new Set(goal.tasks.map(({ number }) => `${key}#${number}`))
  for (const stream of await engine.store.find(taskOfGoalKey(key, goal.number))) streams.add(stream)
  for (const stream of streams) {
    const ref = refOf(repository, stream)
    const { task } = await load(engine, ref)
    const known = task.goals.find(({ number }) => number === goal.number)?.merge_requires ?? null
    const own = goal.tasks.find(({ number }) => `${key}#${number}` === stream)
    const wanted = own === undefined ? null : asked
    if (wanted === known) continue
    const input =
      wanted === null || own === undefined
        ? ({ type: 'leave_goal', goal: goal.number } as const)
        : ({ type: 'join_goal', goal: goal.number, merge_requires: wanted, title: own.title } as const)
    await record(engine, ref, input, ours)
    await settle(engine, ref)
  }
}

async function pay(engine: Engine<Forge>, forge: Forge, ref: TaskRef, goal: GoalState, debt: GoalOwed): Promise<void> {
  if (!(await engine.holds(ref.stream)))
    throw new BusyElsewhere(`Another process took over the goal ${ref.task_id} while this one stood still`)
  switch (debt.kind) {
    case 'show':
      return showAt(forge, debt, (input) => tellGoal(engine, ref, input, ours))
    case 'link': {
      const { number, linked } = debt
      const nests = linked && (await isGoalNow(engine, forge, placeOf(ref).repository, number))
      const why = nests
        ? 'it is a goal, and goals have no goals in them'
        : await forge.goals.link(goal.number, number, linked)
      if (why === null) await seeGoal(engine, forge, ref, ours)
      const wished = (await goalAt(engine, ref)).wishes.some((wish) => wish.number === number)
      if (!wished) return
      // What GitHub took and does not show yet is not asked for again.
      await tellGoal(engine, ref, { type: 'refuse_task', number, why: why ?? 'GitHub does not show it' }, ours)
      await forge.reply(goal.number, notLinkedText(number, why ?? 'GitHub does not show it'))
      return
    }
    case 'make_fix': {
      const { rejection, index, title, body } = debt
      const mark = `${ref.stream}/${rejection}/${index}`
      const number = await forge.goals.make({ title, body, labels: [], mark })
      await tellGoal(engine, ref, { type: 'note_fix', rejection, index, number }, ours)
      return
    }
    case 'reopen':
      await forge.goals.reopen(goal.number)
      await forge.reply(goal.number, reopenedText(goal))
      await seeGoal(engine, forge, ref, ours)
  }
}

/** A goal that nobody named: what a crash left behind, and what nobody told of. One that is over is looked at no more. */
export async function sweepGoal(engine: Engine<Forge>, stream: string): Promise<Settled> {
  const known = engine.goals.get(stream)?.state.goal_id ?? (await engine.store.read(stream))[0]?.task_id
  if (known === undefined) return 'settled'
  const ref = { stream, task_id: known }
  const outcome = await settleGoal(engine, ref, { look: true })
  const { state, tail } = await loaded(engine, goals, ref)
  if (outcome === 'settled' && isOver(state)) await engine.store.finish(stream, tail.version)
  return outcome
}
