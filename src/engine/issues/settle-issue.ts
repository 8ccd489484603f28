// Goals and requests, whichever of the two a stream is of.
import type { Forge } from '../../ports.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { settleGoal, sweepGoal } from '../goals/settle-goal.ts'
import { settleRequest, sweepRequest } from '../requests/settle-request.ts'
import type { Settled } from '../settle.ts'
import { kindOf, type IssueKind } from './issue-record.ts'

export const settleIssue = (engine: Engine<Forge>, ref: TaskRef): Promise<Settled> =>
  kindOf(ref.stream) === 'request' ? settleRequest(engine, ref) : settleGoal(engine, ref)

export const sweepIssue = (engine: Engine<Forge>, kind: IssueKind, stream: string): Promise<Settled> =>
  kind === 'request' ? sweepRequest(engine, stream) : sweepGoal(engine, stream)
