// How an attempt begins and ends, and what its task goes through meanwhile.
import type { Policy } from '../../contract/policy/policy.ts'
import { isMadeByAgent } from '../../people/builders.ts'
import { sameLogin, type Account, type Builder } from '../../people/people.ts'
import type { ActType } from '../../people/act.ts'
import { isUnheard, isUnheardElsewhere } from '../unheard.ts'
import { emit, type Draft } from './draft.ts'
import type { EventData } from '../record/events.ts'
import { attemptMayMove } from './transitions.ts'
import type { Attempt, TaskState } from '../model.ts'

/** The limit binds what a bot or a listed agent had a hand in, unless policy exempts it or binds everybody. */
export function isLimited({ verification, identities }: Policy, builders: readonly Builder[]): boolean {
  if (verification.retry.applies_to === 'everyone') return true
  const isExempt = (login: string): boolean => identities.exempt.some((one) => sameLogin(one, login))
  return isMadeByAgent(
    { identities },
    builders.filter(({ login }) => !isExempt(login)),
  )
}

const voidable: readonly ActType[] = ['CHECK_OVERRIDE', 'VERIFIER_OVERRIDE', 'DIRECT_APPROVAL', 'ACKNOWLEDGMENT']

/** The commit is no longer the head of an open pull request. */
export function supersede(
  draft: Draft,
  attempt: Attempt,
  why: EventData['AttemptSuperseded']['why'],
  by_sha: string | null,
): void {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  emit(draft, { type: 'AttemptSuperseded', ...at, data: { by_sha, why } })
  if (attemptMayMove(attempt.state, 'SUPERSEDED')) {
    emit(draft, { type: 'TaskExecutionStateChanged', ...at, data: { from: attempt.state, to: 'SUPERSEDED' } })
  }
}

/** Another commit or base is what people look at now: what humans allowed for this one dies with it. */
export function voidActs(draft: Draft, attempt: Attempt, why: EventData['AttemptSuperseded']['why']): void {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  for (const act of attempt.acts) {
    if (act.standing !== 'stands' || !voidable.includes(act.type)) continue
    emit(draft, { type: 'OverrideVoided', ...at, data: { override_id: act.id, why } })
  }
}

/** An open, ready pull request is the submission of its task; the steps before it are recorded as implied. */
export function toReview(draft: Draft, who: Account | null, title: string): void {
  const { id, login: by } = who ?? { id: null, login: 'unknown' }
  const at = { attempt_id: null, head_sha: null }
  const { status } = draft.task
  if (status === 'completed' || status === 'verified') {
    emit(draft, { type: 'TaskSentBack', ...at, data: { from: status, by, reason: 'push' } })
  }
  if (draft.task.status === 'none') emit(draft, { type: 'TaskCreated', ...at, data: { title, source: 'pull_request' } })
  if (draft.task.status === 'pending') {
    emit(draft, {
      type: 'TaskAssigned',
      ...at,
      data: { by, assignee: by, assignee_id: id, hat: 'builder', implicit: true },
    })
  }
  if (draft.task.status === 'assigned') emit(draft, { type: 'TaskStarted', ...at, data: { by, implicit: true } })
  if (draft.task.status === 'in_progress') {
    emit(draft, { type: 'TaskSubmitted', ...at, data: { by, summary: title, files_changed: [], implicit: true } })
  }
}

/** The attempt of a pull request that is judged now; there is one at the most. */
export const liveAttempt = ({ attempts }: TaskState, pull: number): Attempt | undefined =>
  attempts.findLast((attempt) => attempt.live && attempt.pull === pull)

/** The same, and where the pull request is a draft or closed by now, the one that was judged last. */
export const lastAttempt = ({ attempts, opened }: TaskState, pull: number): Attempt | undefined =>
  attempts.find(({ id }) => id === opened[pull])

/** What was said and could not be taken in was said about the pull request, whichever its head is: the next one has it too. */
export function keepUnheard(
  draft: Draft,
  last: Attempt | undefined,
  at: { readonly attempt_id: string; readonly head_sha: string },
): void {
  if (last === undefined || last.id === at.attempt_id) return
  for (const [doing, what] of Object.entries(last.faults))
    if (isUnheard(doing) && !isUnheardElsewhere(doing))
      emit(draft, { type: 'FaultNoted', ...at, data: { doing, what } })
}
