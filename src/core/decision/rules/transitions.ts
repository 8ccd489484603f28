// The two state machines, side by side. A transition that is not declared here does not exist.
import type { AttemptState } from '../attempt-state.ts'
import type { TaskStatus } from '../model.ts'
import type { RowName } from '../decision.ts'

const attemptMoves: Record<AttemptState, readonly AttemptState[]> = {
  none: ['RUNNING'],
  RUNNING: ['VERIFYING', 'FAILED', 'CANCELLED', 'SUPERSEDED'],
  VERIFYING: ['RETRY', 'FAILED', 'SUCCESS', 'CANCELLED', 'SUPERSEDED'],
  RETRY: ['VERIFYING', 'FAILED'],
  FAILED: ['VERIFYING'],
  SUCCESS: ['VERIFYING', 'FAILED'],
  CANCELLED: ['VERIFYING'],
  SUPERSEDED: ['RUNNING'],
}

/** Only these decisions fail an attempt without its having been verified; the last does so from any state. */
const failsUnverified: readonly RowName[] = ['scope', 'spent', 'rejected']

export function attemptMayMove(from: AttemptState, to: AttemptState): boolean {
  return attemptMoves[from].includes(to)
}

/** The declared way to a state, or null where none leads there. A new fact re-opens a concluded attempt first. */
export function attemptPath(from: AttemptState, to: AttemptState, row: RowName): readonly AttemptState[] | null {
  if (from === to) return []
  const direct = attemptMayMove(from, to) && (to !== 'FAILED' || from === 'VERIFYING' || failsDirectly(from, row))
  if (direct) return [to]
  return attemptMayMove(from, 'VERIFYING') && attemptMayMove('VERIFYING', to) ? ['VERIFYING', to] : null
}

function failsDirectly(from: AttemptState, row: RowName): boolean {
  return from === 'RUNNING' ? failsUnverified.includes(row) : row === 'rejected'
}

const taskMoves: Record<TaskStatus, readonly TaskStatus[]> = {
  none: ['pending'],
  pending: ['assigned'],
  assigned: ['in_progress'],
  in_progress: ['review'],
  review: ['completed', 'in_progress'],
  completed: ['verified', 'in_progress'],
  verified: ['in_progress'],
}

export function taskMayMove(from: TaskStatus, to: TaskStatus): boolean {
  return taskMoves[from].includes(to)
}
