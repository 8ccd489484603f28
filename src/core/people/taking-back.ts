// Words that their author took back before anybody heard them: a webhook that failed comes again later. Both are on record then, at
// once, so that nobody ever sees such a word stand.
import type { NewEvent } from '../decision/record/events.ts'
import type { TaskState } from '../decision/model.ts'
import { actId, type Act, type LabelAct } from './act.ts'
import { isBefore } from './order.ts'
import { isSame, type Account } from './people.ts'
import type { Heard } from './judge.ts'

/** A `/revoke`. `of`: what it took back; null where there was nothing. */
export type TakingBack = Account & {
  readonly key: string
  readonly attempt_id: string | null
  readonly at: string
  readonly of: Pick<Act, 'id' | 'at'> | null
}

/** What people took back, as far as it may be about words that are still to be heard. */
export type TakenBack = {
  readonly taken_back: readonly TakingBack[]
  /** By whom reviews were dismissed that nobody had heard of. */
  readonly dismissed: Readonly<Record<string, string>>
  /** By act, when its label was taken away last. */
  readonly unlabelled: Readonly<Partial<Record<LabelAct, string>>>
}

type Of<T extends NewEvent['type']> = Extract<NewEvent, { type: T }>

/** It found nothing, so that what it was about is still to be heard. */
export function tookNothingBack(task: TaskState, { attempt_id, data }: Of<'CommandRefused'>): TaskState {
  const { why, at, key, user: login, user_id: id = null } = data
  if (why !== 'nothing_to_take_back' || at === undefined) return task
  return { ...task, taken_back: [...task.taken_back, { id, login, key, attempt_id, at, of: null }] }
}

/** Also where it had opened nothing: that it was set may still be to be heard. */
export function tookLabelAway(task: TaskState, { data }: Of<'ActWithdrawn'>): TaskState {
  const { act, at = '' } = data
  const last = task.unlabelled[act] ?? ''
  return at > last ? { ...task, unlabelled: { ...task.unlabelled, [act]: at } } : task
}

/** Of two acts that one word took back, the one that was said later. */
export function tookBack(task: TaskState, { attempt_id, data }: Of<'OverrideRevoked'>): TaskState {
  const { key, at, override_id } = data
  const act = task.attempts.flatMap(({ acts }) => acts).find(({ id }) => id === override_id)
  if (at === undefined || act === undefined) return task
  const others = task.taken_back.filter((one) => one.key !== key)
  return {
    ...task,
    taken_back: [...others, { id: act.user_id, login: act.user, key, attempt_id, at, of: { id: act.id, at: act.at } }],
  }
}

/**
 * Of what is allowed just now, what its author had taken back by a word that was heard before: it took back nothing, or what was
 * said still before this. A no is taken back only by the words that are known to be about it.
 */
export function takenBackBefore({ task, saying }: Heard, allowed: readonly NewEvent[]): NewEvent[] {
  const isAboutIt = ({ key, at, of, ...who }: TakingBack): boolean =>
    isSame(who, saying.user) && !isBefore({ at, id: key }, saying) && (of === null || isBefore(of, saying))
  const about = task.taken_back.filter(isAboutIt)
  return allowed.filter(isOfAllowing).flatMap((one) => {
    const by = about.findLast(({ attempt_id }) => attempt_id === one.attempt_id)
    return by === undefined ? [] : [revokedBy(by, one), ...restored(task, by)]
  })
}

/** A no that was taken back in its place stands again; what else was is said again by whoever wants it. */
function restored({ attempts }: TaskState, { of }: TakingBack): NewEvent[] {
  for (const { id: attempt_id, head_sha, acts } of attempts) {
    const act = acts.find(({ id, type }) => id === of?.id && type === 'REJECTION')
    if (act?.standing === 'revoked')
      return [{ type: 'RejectionRestored', attempt_id, head_sha, data: { override_id: act.id, by: act.user } }]
  }
  return []
}

/** Of a no that was said before these words, which found nothing to take back and have not taken back another one since. */
export function rejectionTakenBack({ task, saying }: Heard, by: string, said: readonly NewEvent[]): NewEvent[] {
  const found = task.taken_back.find((one) => one.key === by && one.of === null && isSame(one, saying.user))
  return said
    .filter(isRejection)
    .flatMap((one) => (found?.attempt_id === one.attempt_id ? [revokedBy(found, one)] : []))
}

const kept: readonly Act['type'][] = ['REJECTION', 'RETRY_RESET']
const isOfAllowing = (event: NewEvent): event is Of<'HumanOverride'> =>
  event.type === 'HumanOverride' && !kept.includes(event.data.override_type)
const isRejection = (event: NewEvent): event is Of<'HumanOverride'> =>
  event.type === 'HumanOverride' && event.data.override_type === 'REJECTION'

function revokedBy({ key, login: by, at }: TakingBack, { attempt_id, head_sha, data }: Of<'HumanOverride'>): NewEvent {
  const override_id = actId(data)
  const reason = 'taken back by its author'
  return { type: 'OverrideRevoked', attempt_id, head_sha, data: { key, override_id, by, reason, at } }
}
