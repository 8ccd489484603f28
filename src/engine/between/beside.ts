// What a pull request closes beside its task asks of it as well: what the goals of such an issue ask, and what that issue waits for.
// Else whoever names another issue first would get rid of it. It is read from the record of each, again whenever that may have moved.
import type { Beside } from '../../core/decision/task-parts.ts'
import { numberIn } from '../../core/names.ts'
import type { Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import { load, type Closes, type Engine, type TaskRef } from '../engine.ts'
import { ownRef } from '../attempts/own-task.ts'
import { placeOf } from '../issues/issue-record.ts'
import { app, record, type Told } from '../record.ts'
import { dependenciesBeside, dependenciesKnown, dependenciesNow } from './dependencies.ts'

const ours: Told = { actor: app, correlation_id: 'beside' }

/** For what a pull request closes by now; what such an issue waits for is read where nobody has looked yet. */
export async function besideNow(
  engine: Engine<Forge>,
  repository: Repository,
  ref: TaskRef,
  { pull, issues }: Closes,
): Promise<Input> {
  const others = issues.filter((number) => number !== pull && number !== numberIn(ref.stream))
  for (const number of others) await dependenciesKnown(engine, ownRef(repository, number))
  return { type: 'report_beside', pull, issues: await asksOf(engine, repository, others) }
}

/** Before anything is shown: what others have on record may have moved meanwhile. */
export async function followBeside(engine: Engine, ref: TaskRef): Promise<void> {
  const { task } = await load(engine, ref)
  const { repository } = placeOf(ref)
  for (const [pull, before] of Object.entries(task.beside)) {
    const numbers = before.map(({ number }) => number)
    if (numbers.length === 0) continue
    const issues = await asksOf(engine, repository, numbers)
    await record(engine, ref, { type: 'report_beside', pull: Number(pull), issues }, ours)
  }
}

/** What nobody may have told us of, in the turn of whoever asks: what a task waits for, and what its pull request closes. */
export async function askedNow(engine: Engine<Forge>, ref: TaskRef, closes: Closes | null): Promise<void> {
  await dependenciesNow(engine, ref)
  const { repository } = placeOf(ref)
  const { task } = await load(engine, ref)
  const known = Object.values(task.beside).flatMap((some) => some.map(({ number }) => number))
  for (const number of new Set(known)) await dependenciesBeside(engine, ownRef(repository, number))
  if (closes === null) return
  const { events } = await record(engine, ref, await besideNow(engine, repository, ref, closes), ours)
  if (events.length > 0) engine.again(ref)
}

const asksOf = (engine: Engine, repository: Repository, numbers: readonly number[]): Promise<readonly Beside[]> =>
  Promise.all(
    numbers
      .toSorted((one, other) => one - other)
      .map(async (number) => {
        const { goals, waits_for } = (await load(engine, ownRef(repository, number))).task
        return { number, goals, waits_for: waits_for ?? [] }
      }),
  )
