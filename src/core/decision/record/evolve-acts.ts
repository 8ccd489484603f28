// What human acts mean for the state: who did what, whether it still stands, and what follows a tree wherever it goes.
import { equal } from '../../canonical.ts'
import type { NewEvent } from './events.ts'
import { targetOf } from '../subject.ts'
import { on } from './fold.ts'
import { hearing } from '../../people/conversation.ts'
import { joined } from './untouched.ts'
import { isBefore } from '../../people/order.ts'
import { accountOf, hasNewer, isOfOne, isSame, type Review } from '../../people/people.ts'
import { actId, isSameCarried, type Act, type Asked } from '../../people/act.ts'
import { tookLabelAway } from '../../people/taking-back.ts'
import type { TaskState } from '../model.ts'

type Of<T extends NewEvent['type']> = Extract<NewEvent, { type: T }>

export function acted(task: TaskState, event: Of<'HumanOverride'>): TaskState {
  const { key, override_type: type, user, user_id, permission, reason, timestamp: at } = event.data
  const { source, label, covers, solo, stage } = event.data
  const ofStage = stage === undefined ? {} : { stage }
  const who = { user, user_id, permission, reason, at, source, label, covers, solo, ...ofStage }
  const act = { id: actId(event.data), type, ...who, standing: 'stands', seq: task.deeds + 1 } as const
  // A rejection by label blocks at once, and its reason may follow.
  const isComplete = type !== 'REJECTION' || reason !== ''
  const done = on(task, event, ({ acts, asked }) => ({
    acts: [...acts, act],
    asked: asked.filter((one) => !isComplete || one.act !== label || !isOnePerson(one, { by: user, user_id })),
  }))
  const recorded = hearing({ ...done, deeds: act.seq }, key)
  if (type !== 'RETRY_RESET') return recorded
  // Attempts that began after it was said are not forgiven by it.
  const forgiven = task.attempts.filter(({ head_at }) => isBefore({ at: head_at }, act)).map(({ ordinal }) => ordinal)
  return { ...recorded, counted_after: Math.max(task.counted_after, ...forgiven) }
}

export function standing(task: TaskState, id: string, to: Act['standing']): TaskState {
  const attempts = task.attempts.map((attempt) =>
    attempt.acts.some((act) => act.id === id)
      ? { ...attempt, acts: attempt.acts.map((act) => (act.id === id ? { ...act, standing: to } : act)) }
      : attempt,
  )
  return { ...task, attempts }
}

/** The newest word about a rejection of another task replaces the one before. */
export function carried(task: TaskState, { data }: Of<'RejectionCarried'>): TaskState {
  const seq = task.deeds + 1
  const others = task.carried.filter((one) => !isSameCarried(one, data))
  return { ...task, deeds: seq, carried: [...others, { ...data, seq }] }
}

/** Of each person the newest review of a pull request stands; what the older ones were is not forgotten, however late one is heard. */
export function reviewed(task: TaskState, event: Of<'ReviewSubmitted'>): TaskState {
  const { key: id, ...said } = event.data
  const isOld = hasNewer(task.reviews, event.data)
  const of = task.attempts.find((attempt) => attempt.id === event.attempt_id)
  const target = of === undefined ? { merges_into: '' } : targetOf(of)
  const review: Review = { id, ...said, ...target, seq: task.deeds + 1, standing: isOld ? 'replaced' : 'stands' }
  const before = task.reviews.map((one) =>
    !isOld && isOfOne(one, review) && one.standing === 'stands' ? ({ ...one, standing: 'replaced' } as const) : one,
  )
  return hearing({ ...task, deeds: review.seq, reviews: [...before, review] }, id)
}

type Who = Parameters<typeof accountOf>[0]
const isOnePerson = (one: Who, other: Who): boolean => isSame(accountOf(one), accountOf(other))

export function dismissed(task: TaskState, event: Of<'ReviewDismissed'>): TaskState {
  const { review, lifts, key, by } = event.data
  if (!task.reviews.some(({ id }) => id === review))
    return hearing({ ...task, dismissed: { ...task.dismissed, [review]: by } }, key)
  const reviews = task.reviews.map((one) =>
    one.id === review && lifts ? { ...one, standing: 'dismissed' as const } : one,
  )
  return hearing({ ...task, reviews }, key)
}

/** A no that was asked for since is another one. */
export function withdrawn(task: TaskState, event: Of<'ActWithdrawn'>, at: string): TaskState {
  const { act, key, at: said = at } = event.data
  const isLeft = (one: Asked): boolean => one.act !== act || (act === 'reject' && !isBefore(one, { at: said }))
  const left = on(task, event, ({ asked }) => ({ asked: asked.filter(isLeft) }))
  return hearing(tookLabelAway(left, event), key)
}

/** What people did at a pull request that was a task of its own comes after everything that was done at this one. */
export function guestJoined(task: TaskState, event: Of<'GuestJoined'>): TaskState {
  const { from, builders, confirmers, acts, reviews, asked, heard, deeds } = event.data
  const later = <T extends { readonly seq: number }>(one: T): T => ({ ...one, seq: task.deeds + one.seq })
  const newcomers = confirmers.filter((one) => !task.confirmers.some((other) => equal(one, other)))
  const done = on(task, event, (attempt) => ({
    acts: [...attempt.acts, ...acts.map(later)],
    asked: [...attempt.asked, ...asked],
  }))
  return {
    ...done,
    joined: [...task.joined, from],
    builders: joined(task.builders, builders),
    confirmers: [...task.confirmers, ...newcomers],
    reviews: [...task.reviews, ...reviews.map(later)],
    heard: [...task.heard, ...heard],
    deeds: task.deeds + deeds,
  }
}
