// Makes GitHub show what a request concludes, and its task come about, until nothing is owed. Everything is derived from
// state, so doing it again after a crash does only what is still missing.
import { showAt } from '../unsure.ts'
import { hasBegun } from '../../core/requests/decide-request.ts'
import { isOver, owedByRequest, type RequestOwed } from '../../core/requests/owed-request.ts'
import type { RequestState } from '../../core/requests/request.ts'
import { BusyElsewhere, type Forge } from '../../ports.ts'
import { loaded } from '../aggregates.ts'
import { lookAtCriteria } from '../criteria/settle-criteria.ts'
import { forgeOf, inTurn, type Engine, type TaskRef } from '../engine.ts'
import { placeOf, requestAt, requests, tellRequest } from '../issues/issue-record.ts'
import { standingOf } from '../issues/standing.ts'
import { refOf } from '../attempts/own-task.ts'
import { app, record, type Told } from '../record.ts'
import type { Settled } from '../settle.ts'
import { seeRequest } from './see-request.ts'

const ROUNDS_MAX = 20
const ours: Told = { actor: app, correlation_id: 'settle' }

/** One at a time per request. `look`: at GitHub first, for what became of the issue. */
export function settleRequest(engine: Engine<Forge>, ref: TaskRef, { look = false } = {}): Promise<Settled> {
  return inTurn(engine, ref.stream, async (): Promise<Settled> => {
    const { repository } = placeOf(ref)
    const forge = await forgeOf(engine, repository)
    if (look) await seeRequest(engine, forge, ref, ours)
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const before = await requestAt(engine, ref)
      if (before.status === 'none') return 'settled'
      if (before.task !== null) {
        const task = await standingOf(engine, repository, before.task)
        // Whoever begins works by the words of now: those that nobody approved are seen before it is said that work began.
        if (before.status === 'approved' && hasBegun(task)) await seeRequest(engine, forge, ref, ours)
        await tellRequest(engine, ref, { type: 'report_task', task }, ours)
      }
      const request = await requestAt(engine, ref)
      const debts = owedByRequest(request)
      if (debts.length === 0) return 'settled'
      // What changes the request goes first, so that it is shown once.
      const changing = debts.filter(({ kind }) => kind !== 'show').slice(0, 1)
      for (const debt of changing.length > 0 ? changing : debts) await pay(engine, forge, ref, request, debt)
    }
    throw new Error(`The request ${ref.task_id} did not settle in ${ROUNDS_MAX} rounds`)
  })
}

async function pay(
  engine: Engine<Forge>,
  forge: Forge,
  ref: TaskRef,
  request: RequestState,
  debt: RequestOwed,
): Promise<void> {
  if (!(await engine.holds(ref.stream)))
    throw new BusyElsewhere(`Another process took over the request ${ref.task_id} while this one stood still`)
  switch (debt.kind) {
    case 'show':
      return showAt(forge, debt, (input) => tellRequest(engine, ref, input, ours))
    case 'make_task':
      return made(engine, forge, ref, request, debt)
    case 'start': {
      const { approval, task, way, words } = debt
      const problem = await forge.requests.start(task, way, words, `${ref.stream}/${approval}`)
      await tellRequest(engine, ref, { type: 'note_start', approval, problem }, ours)
      return
    }
    case 'close':
      await forge.requests.close(request.number, debt.reason)
      await seeRequest(engine, forge, ref, ours)
  }
}

/** The task is on record before the request says which it is, so that nothing of it can be missed. */
async function made(
  engine: Engine<Forge>,
  forge: Forge,
  ref: TaskRef,
  request: RequestState,
  { approval, title, body }: Extract<RequestOwed, { kind: 'make_task' }>,
): Promise<void> {
  const { repository } = placeOf(ref)
  // What stands at the issue this moment is what becomes the task, not what was approved a moment before.
  if (body === null) {
    await seeRequest(engine, forge, ref, ours)
    if ((await requestAt(engine, ref)).status !== 'approved') return
  }
  const mark = `${ref.stream}/${approval}`
  const number = body === null ? request.number : await forge.goals.make({ title, body, labels: [], mark })
  const task = refOf(repository, `${repository.key}#${number}`)
  await record(engine, task, { type: 'join_request', request: request.number, title }, ours)
  if (number !== request.number) await lookAtCriteria(engine, repository, number)
  const standing = await standingOf(engine, repository, { number, title })
  await tellRequest(engine, ref, { type: 'note_task', approval, task: standing }, ours)
}

/** A request that nobody named: what a crash left behind, and what nobody told of. One that is over is looked at no more. */
export async function sweepRequest(engine: Engine<Forge>, stream: string): Promise<Settled> {
  const known = engine.requests.get(stream)?.state.request_id ?? (await engine.store.read(stream))[0]?.task_id
  if (known === undefined) return 'settled'
  const ref = { stream, task_id: known }
  const outcome = await settleRequest(engine, ref, { look: true })
  const { state, tail } = await loaded(engine, requests, ref)
  if (outcome === 'settled' && isOver(state)) await engine.store.finish(stream, tail.version)
  return outcome
}
