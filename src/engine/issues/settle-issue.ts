// Goals, requests and unclear tasks, whichever of them a stream is of.
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
  const look = engine.toSee.delete(ref.stream)
  try {
    return await settling[kindOf(ref.stream) ?? 'goal'](engine, ref, { look })
  } catch (error) {
    if (look) engine.toSee.add(ref.stream)
    throw error
  }
}

export const sweepIssue = (engine: Engine<Forge>, kind: IssueKind, stream: string): Promise<Settled> =>
  sweeping[kind](engine, stream)
