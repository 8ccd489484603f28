// A guest's pull request leaves the task that it had to itself, and joins the one that others share. What was found out is
// found out anew, under the contract of that task. What people did comes along: whatever restricts, always; whatever
// allows, only where it was said about the very same thing, by somebody who could say it there too.
import { equal } from '../../canonical.ts'
import type { Contract } from '../../contract/task/contract.ts'
import type { Act } from '../../people/act.ts'
import type { Account, Review } from '../../people/people.ts'
import { builderCalled } from '../../people/separation.ts'
import { rejectionsOn } from '../gate/facts.ts'
import { movedTo } from '../gate/taken-up.ts'
import type { Attempt } from '../model.ts'
import { joined } from '../record/untouched.ts'
import { checkSlot, labelSlot, requestSlot, stickySlot } from '../shown/slots.ts'
import { isAbout } from '../subject.ts'
import { liveAttempt, supersede } from './attempt.ts'
import { emit, type Draft } from './draft.ts'
import type { Input } from './inputs.ts'

type Of<T extends Input['type']> = Extract<Input, { type: T }>

/** Once and for all: what the pull request closes later moves nothing. */
export function takeUp(draft: Draft, { pull, to }: Of<'take_up'>): void {
  if (draft.task.taken_up !== null) return
  emit(draft, { type: 'GuestTakenUp', attempt_id: null, head_sha: null, data: { pull, to } })
  if (to === null) return
  for (const attempt of draft.task.attempts) if (attempt.live) supersede(draft, attempt, 'taken_up', null)
}

/** `own` is the task that it had to itself. */
export function join(draft: Draft, { pull, from, own }: Of<'join_task'>): void {
  const { task } = draft
  const here = liveAttempt(task, pull)
  if (here === undefined || task.joined.includes(from) || movedTo(own) === null) return
  const at = { attempt_id: here.id, head_sha: here.head_sha }
  const builders = joined(task.builders, own.builders)
  // In which order it was rejected here and allowed there, nobody can tell.
  const isRejected = rejectionsOn(task, here).length > 0
  const mayAllow = (who: Account, solo: boolean): boolean =>
    !isRejected && (solo || builderCalled(builders, who) === null)
  const there = own.attempts.filter(({ head_sha }) => head_sha === here.head_sha)
  const same = there.filter((attempt) => isSame(attempt, here))
  const data = {
    from,
    pull,
    builders: own.builders,
    confirmers: own.confirmers,
    acts: [
      ...there.flatMap(({ acts }) => acts.filter(({ type }) => type === 'REJECTION')),
      ...same.flatMap(({ acts }) => acts.filter(allows).filter((act) => mayAllow(actor(act), act.solo))),
    ],
    reviews: own.reviews.map((review) => broughtAlong(review, mayAllow)),
    asked: same.flatMap(({ asked }) => asked),
    heard: own.heard,
    deeds: own.deeds,
  }
  emit(draft, { type: 'GuestJoined', ...at, data })
  for (const [slot, { digest, ref }] of Object.entries(own.slots)) {
    const known = draft.task.slots[slot]
    // Where several show one thing, it is looked at again.
    const isCheck = slot.startsWith(checkSlot(here.head_sha, ''))
    if (!isCheck && !isPlaceOf(slot, here)) continue
    const shown = isCheck ? { slot, digest: `joined ${from}`, ref: known?.ref ?? ref } : { slot, digest, ref }
    emit(draft, { type: 'SlotShown', ...at, data: shown })
  }
}

const actor = ({ user: login, user_id: id }: Act): Account => ({ id, login })

/** New attempts were granted to the other task, which needs no more. */
const allows = ({ type }: Act): boolean => type !== 'REJECTION' && type !== 'RETRY_RESET'

/** The same commit, base and policy, and nothing else is asked. */
function isSame(there: Attempt, here: Attempt): boolean {
  const isPlace = isAbout('attempt', there, here) && there.merges_into === here.merges_into
  return isPlace && equal(askedBy(there.contract), askedBy(here.contract))
}

const askedBy = ({ task_id: _task, contract_hash: _hash, ...asked }: Contract): object => asked

/** What somebody reviewed stays done; an approval that cannot count here has to be given here. */
function broughtAlong(review: Review, mayAllow: (who: Account, solo: boolean) => boolean): Review {
  const stays = review.state === 'changes_requested' || mayAllow({ id: review.user_id, login: review.by }, review.solo)
  return stays || review.standing !== 'stands' ? review : { ...review, standing: 'replaced' }
}

const isPlaceOf = (slot: string, { id, pull }: Attempt): boolean =>
  slot === stickySlot(pull) || slot === labelSlot(pull) || slot === requestSlot(pull) || slot.includes(`:${id}`)

/** Its issue becomes one of a goal's, perhaps before anybody has begun with it. */
export function joinGoal(draft: Draft, { goal, merge_requires, title }: Extract<Input, { type: 'join_goal' }>): void {
  const known = draft.task.goals.find(({ number }) => number === goal)
  if (known?.merge_requires === merge_requires) return
  const nowhere = { attempt_id: null, head_sha: null }
  if (draft.task.status === 'none') emit(draft, { type: 'TaskCreated', ...nowhere, data: { title, source: 'goal' } })
  emit(draft, { type: 'TaskOfGoal', ...nowhere, data: { goal, merge_requires } })
}

export function leaveGoal(draft: Draft, goal: number): void {
  if (!draft.task.goals.some(({ number }) => number === goal)) return
  emit(draft, { type: 'TaskLeftGoal', attempt_id: null, head_sha: null, data: { goal } })
}

/** A request that was approved becomes a task, which nobody has begun with. */
export function joinRequest(draft: Draft, { request, title }: Extract<Input, { type: 'join_request' }>): void {
  if (draft.task.request === request) return
  const nowhere = { attempt_id: null, head_sha: null }
  if (draft.task.status === 'none') emit(draft, { type: 'TaskCreated', ...nowhere, data: { title, source: 'request' } })
  emit(draft, { type: 'TaskOfRequest', ...nowhere, data: { request } })
}
