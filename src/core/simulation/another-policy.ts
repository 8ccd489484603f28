// What a task on record would have come to under another policy. What machines found out is told again as it is; what people
// said is judged again by the same rules; what followed is left out, since it follows anew. What nobody can know, since it
// never ran, is taken as passed, and named.
import type { Policy } from '../contract/policy/policy.ts'
import type { Decision } from '../decision/decision.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import { emptyTask, evolve, replay } from '../decision/record/evolve.ts'
import type { NewEvent, RecordedEvent } from '../decision/record/events.ts'
import { consequences } from '../decision/rules/consequences.ts'
import { decide } from '../decision/rules/decide.ts'
import { emit, type Draft } from '../decision/rules/draft.ts'
import { isAbout } from '../decision/subject.ts'
import type { Input } from '../decision/rules/inputs.ts'
import { headline } from '../words/headline.ts'
import { assumedOf, unaskedOf } from './assumed.ts'
import { saidAgain } from './said-again.ts'
import { openedUnder } from './terms.ts'
import { unknownsOf } from './unknowns.ts'

export type Outcome = Pick<Decision, 'status' | 'row' | 'by'> & { readonly headline: string }
/** One pull request, by the newest commit of it that was judged. */
export type Simulated = {
  readonly pull: number
  readonly head_sha: string
  readonly merged: boolean
  readonly before: Outcome
  readonly after: Outcome
  /** What `after` rests on that nobody can know, in words. */
  readonly unknown: readonly string[]
}

/** Attempts by the ids that they had: under one policy two of them may be one. */
type Play = { task: TaskState; readonly ids: Map<string, string> }

export function underPolicy(task_id: string, events: readonly RecordedEvent[], policy: Policy): readonly Simulated[] {
  const past = replay(emptyTask(task_id), events)
  const play: Play = { task: emptyTask(task_id), ids: new Map() }
  for (const event of events) tellAgain(play, event, { past, events, policy })
  return Object.entries(past.opened).flatMap(([pull, id]) => {
    const [was, is] = [attemptOf(past, id), attemptOf(play.task, play.ids.get(id))]
    const [before, after] = [was?.decision, is?.decision]
    if (was === undefined || is === undefined || !before || !after) return []
    const unknown = unknownsOf({ was, is, events })
    const merged = was.merged !== null
    return [
      {
        pull: Number(pull),
        head_sha: was.head_sha,
        merged,
        before: outcomeOf(was, before),
        after: outcomeOf(is, after),
        unknown,
      },
    ]
  })
}

const attemptOf = ({ attempts }: TaskState, id: string | undefined): Attempt | undefined =>
  attempts.find((attempt) => attempt.id === id)

/** What there is to tell of a decision in one line. */
export const outcomeOf = (attempt: Attempt, decision: Decision): Outcome => {
  const { status, row, by } = decision
  return { status, row, by, headline: headline(attempt, decision) }
}

type Given = { readonly past: TaskState; readonly events: readonly RecordedEvent[]; readonly policy: Policy }

function tellAgain(play: Play, event: RecordedEvent, { past, events, policy }: Given): void {
  if (event.type === 'AttemptStarted') {
    // What the merge queue makes of pull requests follows them.
    if (event.data.group !== null || event.attempt_id === null) return
    const renewed = isRenewed(past, play, event.attempt_id)
    hear(play, { ...openedUnder(play.task, event, policy), renewed }, event.at)
    const opened = attemptOf(play.task, play.task.opened[String(event.data.pull)])
    const was = attemptOf(past, event.attempt_id)
    if (opened === undefined || was === undefined) return
    play.ids.set(was.id, opened.id)
    for (const fact of assumedOf(opened, unaskedOf(was, opened))) note(play, fact, event.at)
    return
  }
  const attempt_id = event.attempt_id === null ? null : play.ids.get(event.attempt_id)
  if (attempt_id === undefined) return
  const again = { ...event, attempt_id }
  if (isFact(again)) return note(play, again, event.at)
  for (const input of saidAgain(play.task, again, events)) hear(play, input, event.at)
}

/** Somebody had the same commit judged by what its task asked meanwhile. */
function isRenewed(past: TaskState, { ids }: Play, id: string): boolean {
  const here = attemptOf(past, id)
  return past.attempts.some(
    (one) =>
      ids.has(one.id) &&
      one.id !== id &&
      here !== undefined &&
      isAbout('attempt', one, here) &&
      one.merges_into === here.merges_into &&
      one.contract.contract_hash !== here.contract.contract_hash,
  )
}

function hear(play: Play, input: Input, at: string): void {
  play.task = decide(play.task, input, at).reduce((state, event) => evolve(state, event, at), play.task)
}

function note(play: Play, event: NewEvent, at: string): void {
  play.task = noted(play.task, event, at)
}

/** A fact and what follows from it. */
export function noted(task: TaskState, event: NewEvent, at: string): TaskState {
  const draft: Draft = { task, events: [], at }
  emit(draft, event)
  consequences(draft, event.attempt_id)
  return draft.task
}

/** Told again as it is. Everything else was said by people, or followed from the policy of the time. */
// prettier-ignore
const facts: readonly NewEvent['type'][] = [
  'ExternalModificationDetected', 'CheckStarted', 'CheckCompleted', 'RunObstructed', 'WaitEnded', 'TierCompleted',
  'VerificationStarted', 'VerificationCompleted', 'VerificationUnavailable', 'VerificationReopened', 'RedTeamGateCompleted',
  'VisionGateCompleted', 'RejectionCarried', 'GuestTakenUp', 'GuestJoined', 'SlotShown', 'AttemptMerged', 'TaskOfGoal',
  'TaskLeftGoal', 'TaskOfRequest', 'DependenciesSeen', 'BesideSeen', 'StagesRead',
  'AheadSeen', 'FaultNoted',
]
const isFact = ({ type }: NewEvent): boolean => facts.includes(type)
