// Goals, requests and unclear tasks, whichever of them a stream is of.
import { forgetOldest } from '../../core/forget.ts'
import type { Forge } from '../../ports.ts'
import { settleCriteria, sweepCriteria } from '../criteria/settle-criteria.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { settleGoal, sweepGoal } from '../goals/settle-goal.ts'
import { settleRequest, sweepRequest } from '../requests/settle-request.ts'
import type { Settled } from '../settle.ts'
import { kindOf, type IssueKind } from './issue-record.ts'

const settling = { goal: settleGoal, request: settleRequest, criteria: settleCriteria } as const
const sweeping = { goal: sweepGoal, request: sweepRequest, criteria: sweepCriteria } as const

export async function settleIssue(engine: Engine<Forge>, ref: TaskRef): Promise<Settled> {
  const { stream } = ref
  const settleAs = settling[kindOf(stream) ?? 'goal']
  if (!engine.toSee.delete(stream)) return settleAs(engine, ref)
  const before = engine.goalLooks.get(stream) ?? { begun: 0, ended: 0 }
  const begun = before.begun + 1
  engine.goalLooks.set(stream, { ...before, begun })
  forgetOldest(engine.goalLooks, REMEMBERED_MAX)
  try {
    const settled = await settleAs(engine, ref, { look: true })
    engine.goalLooks.set(stream, { begun, ...engine.goalLooks.get(stream), ended: begun })
    return settled
  } catch (error) {
    engine.toSee.add(stream)
    throw error
  }
}
const REMEMBERED_MAX = 10_000

export const sweepIssue = (engine: Engine<Forge>, kind: IssueKind, stream: string): Promise<Settled> =>
  sweeping[kind](engine, stream)
