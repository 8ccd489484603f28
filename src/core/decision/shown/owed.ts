// What a state owes the world: something to show, an answer to ask for, or a time that has come. Derived from state,
// never from events, so that whatever a crash left behind is found again.
import { digest } from '../../canonical.ts'
import { bringsPolicy } from '../../contract/scope.ts'
import { notesOf } from '../../words/notes.ts'
import type { ShownReview } from '../../words/verifier-review.ts'
import { labelsAfterwards, labelsOf } from '../../words/labels.ts'
import { mergedText, partText } from '../../words/to-confirm.ts'
import { checkRunText, stickyMarker, stickyText, type CheckRunText } from '../../words/report.ts'
import { hasMoreToSay } from './loudness.ts'
import { asideTitle, supersededText } from '../../words/not-judged.ts'
import { withoutFailures } from './asking.ts'
import { reviewsOf, type Standing } from './review-slot.ts'
import { deploymentWord, isAnswered, type DeploymentWord } from './deployment-word.ts'
import { reviewAsked, type ReviewAsked } from './review-asked.ts'
import { checkSlot, deploymentSlot, issueSlot, labelSlot, partSlot, requestSlot, stickySlot } from './slots.ts'
import { isMerged, isMergedToBeConfirmed, issueOfTask } from '../gate/afterwards.ts'
import { conclude } from '../gate/conclude.ts'
import { mustReadStages } from '../gate/stages.ts'
import { movedTo } from '../gate/taken-up.ts'
import { liveAttempt } from '../rules/attempt.ts'
import type { Input } from '../rules/inputs.ts'
import type { Attempt, GateName, TaskState } from '../model.ts'
import type { Decision, Reason } from '../decision.ts'

export type Shown =
  | ({ readonly kind: 'check_run'; readonly sha: string; readonly name: string } & CheckRunText)
  /** A comment of its own, since it must reach somebody; written once, which its mark tells. */
  | { readonly kind: 'note'; readonly pull: number; readonly body: string; readonly mark: string }
  /** An issue of its own for a part of the task at `issue`, which waits for it; in the goals that the task is in. */
  | {
      readonly kind: 'part'
      readonly pull: number
      readonly issue: number | null
      readonly goals: readonly number[]
      readonly title: string
      readonly body: string
      readonly mark: string
    }
  /** `pull`: the number of an issue. */
  | { readonly kind: 'issue'; readonly pull: number; readonly open: boolean }
  | { readonly kind: 'sticky'; readonly pull: number; readonly body: string }
  | { readonly kind: 'labels'; readonly pull: number; readonly labels: readonly string[] }
  /** What the verifier says, and what it said of earlier commits. */
  | ({ readonly kind: 'verifier_review'; readonly pull: number; readonly review: ShownReview } & Standing)
  /** A job of Actions waits for this word before it deploys; null: not yet. */
  | ({ readonly kind: 'deployment'; readonly pull: number } & DeploymentWord)
  | ({ readonly kind: 'review_request' } & ReviewAsked)

export type Question =
  | { readonly kind: 'files' }
  | { readonly kind: 'policy_copy' }
  | { readonly kind: 'stages' }
  | { readonly kind: 'results' }
  | { readonly kind: 'verdict' }
  | { readonly kind: 'gate'; readonly gate: GateName }

export type Owed =
  | {
      readonly kind: 'show'
      readonly attempt: Attempt
      readonly slot: string
      readonly digest: string
      /** Where the slot was shown last. */
      readonly ref: string | null
      readonly shown: Shown
    }
  | { readonly kind: 'ask'; readonly attempt: Attempt; readonly question: Question }
  | { readonly kind: 'tell'; readonly input: Input }

export function owed(task: TaskState, now: string): Owed[] {
  // It is judged at another task by now, which shows it in the same places.
  if (movedTo(task) !== null) return []
  return [...dueTimes(task, now), ...questions(task, now), ...stale(task)]
}

const stale = (task: TaskState): Owed[] => wanted(task).filter((one) => !isShown(task, one))

type Wanted = Extract<Owed, { kind: 'show' }>
/** A commit that is judged no more keeps the document that it had: what programs are told is of the newest one. */
function isShown({ slots }: TaskState, { slot, digest: wanted, attempt }: Wanted): boolean {
  const shown = slots[slot]?.digest
  return attempt.live ? shown === wanted : shown?.split('.')[0] === wanted.split('.')[0]
}

/** A check run is two things: what people see, and the document behind it. */
const digestOf = (shown: Shown): string =>
  shown.kind === 'check_run' ? `${markOf(shown)}.${digest(shown.text).slice(0, 16)}` : digest(shown)

function wanted(task: TaskState): Wanted[] {
  // Attempts under different contracts may share a commit and with it a slot: the newest has it.
  const newest = new Map(slotsOf(task).map((one) => [one.slot, one]))
  return Array.from(newest.values(), ({ attempt, slot, shown }) => {
    const ref = task.slots[slot]?.ref ?? null
    return { kind: 'show', attempt, slot, digest: digestOf(shown), ref, shown }
  })
}

/** The check runs that were shown, as they were shown last; what is owed is not among them. */
export const runsShown = (task: TaskState): Wanted[] =>
  wanted(task).filter((one) => one.shown.kind === 'check_run' && isShown(task, one))

/** What a check run carries, so that it can be told what people see in it. */
export const markOf = ({ text: _document, ...seen }: CheckRun): string => digest(seen)

function slotsOf(task: TaskState): Slotted[] {
  return [...partsWanted(task), ...task.attempts.flatMap((attempt) => slotsOfAttempt(task, attempt))]
}
type Slotted = { readonly attempt: Attempt; readonly slot: string; readonly shown: Shown }

/** A part is made once, and is what it was made as. */
function partsWanted(task: TaskState): Slotted[] {
  const attempt = task.attempts.at(-1)
  if (attempt === undefined) return []
  const { pull } = attempt
  return task.parts
    .filter(({ key }) => task.slots[partSlot(key)] === undefined)
    .map(({ key, title, by }) => {
      const issue = issueOfTask(task, attempt)
      const goals = task.goals.map(({ number }) => number)
      const body = partText(issue ?? pull, by)
      const shown = { kind: 'part', pull, issue, goals, title, body, mark: `${task.task_id}/${key}` } as const
      return { attempt, slot: partSlot(key), shown }
    })
}

/**
 * What was not green when its commit was put aside is not green behind that: nobody looks any longer whether something forbids
 * it, and whoever makes the commit the head again would find it so. Nor is it while the same commit is judged for another base,
 * where somebody may say no. What is merged may be confirmed afterwards.
 */
function checkWanted(task: TaskState, attempt: Attempt, decision: Decision): CheckRun {
  const { head_sha: sha, check_name: name, live, merged, group, pull } = attempt
  const check: CheckRun = { kind: 'check_run', sha, name, ...checkRunText(task, attempt, decision) }
  if (check.conclusion !== 'success' || live || merged !== null || group !== null) return check
  const isJudgedElsewhere = liveAttempt(task, pull)?.head_sha === sha
  const wasGreen = task.slots[checkSlot(sha, name)]?.digest.split('.')[0] === markOf(check)
  return wasGreen && !isJudgedElsewhere ? check : { ...check, ...supersededText, title: asideTitle(attempt.aside) }
}
type CheckRun = Extract<Shown, { kind: 'check_run' }>

function slotsOfAttempt(task: TaskState, attempt: Attempt): Slotted[] {
  const { head_sha: sha, pull, check_name: name } = attempt
  const decision = attempt.decision ?? conclude(task, attempt)
  const slots: Slotted[] = [{ attempt, slot: checkSlot(sha, name), shown: checkWanted(task, attempt, decision) }]
  const notes = notesOf(task, attempt, decision).map(({ about, body }) => {
    const mark = about === 'confirm' ? `${pull}:${about}` : `${attempt.id}:${about}`
    return { attempt, slot: `note:${mark}`, shown: { kind: 'note', pull, body, mark } as const }
  })
  slots.push(...notes, ...deploymentsWanted(task, attempt, decision))
  if (isMergedToBeConfirmed(task, attempt)) return [...slots, ...afterwards(task, attempt, decision)]
  if (attempt.group !== null || !(attempt.live || isMerged(task, attempt))) return slots
  const labels: Shown = { kind: 'labels', pull, labels: labelsOf(task, attempt, decision) }
  // Itself where it is open: what is known of an attempt is known by the object.
  const asOpen = attempt.live ? attempt : { ...attempt, live: true }
  const beside = [
    ...commentWanted(task, asOpen, decision).map((shown) => ({ attempt, slot: stickySlot(pull), shown })),
    { attempt, slot: labelSlot(pull), shown: labels },
  ]
  // Whoever merges at the first green is faster than what stands beside it: it says in the end what it would have said.
  if (!attempt.live) return [...slots, ...beside.filter(({ slot }) => task.slots[slot] !== undefined)]
  return [
    ...slots,
    ...beside,
    ...reviewAsked(task, attempt, decision).map((one) => ({
      attempt,
      slot: requestSlot(pull),
      shown: { kind: 'review_request', ...one } as const,
    })),
    ...verdictsShown(task, attempt),
  ]
}

/** Until the word was given; once it was, GitHub takes no other. */
function deploymentsWanted(task: TaskState, attempt: Attempt, decision: Decision) {
  const open = attempt.deployments.filter((one) => !isAnswered(task.slots[deploymentSlot(one)]?.ref ?? null))
  return open.map((one) => {
    const shown: Shown = { kind: 'deployment', pull: attempt.pull, ...deploymentWord(task, attempt, decision, one) }
    return { attempt, slot: deploymentSlot(one), shown }
  })
}

/** What is merged says who is waited for, and, where the policy wants it, its issue stays open until they have confirmed it. */
function afterwards(task: TaskState, attempt: Attempt, decision: Decision): Slotted[] {
  const { pull, contract } = attempt
  const isDone = task.status === 'verified'
  const issue = issueOfTask(task, attempt)
  const { comment, tasks } = contract.policy
  const hasPage = comment === 'always' || (comment === 'problems' && task.slots[stickySlot(pull)] !== undefined)
  const isKept = issue !== null && tasks.reopen_unverified && (!isDone || task.slots[issueSlot(issue)] !== undefined)
  const page: Shown = { kind: 'sticky', pull, body: mergedText(task, attempt, decision, stickyMarker) }
  const labels: Shown = { kind: 'labels', pull, labels: labelsAfterwards(task, attempt) }
  return [
    { attempt, slot: labelSlot(pull), shown: labels },
    ...(hasPage ? [{ attempt, slot: stickySlot(pull), shown: page }] : []),
    ...(isKept
      ? [{ attempt, slot: issueSlot(issue), shown: { kind: 'issue', pull: issue, open: !isDone } as const }]
      : []),
  ]
}

/** A comment that is there says what holds now, also that all is well. */
function commentWanted(task: TaskState, attempt: Attempt, decision: Decision): Shown[] {
  const { pull, contract } = attempt
  const { comment } = contract.policy
  const isThere = task.slots[stickySlot(pull)] !== undefined
  if (comment === 'never' || (comment === 'problems' && !isThere && !hasMoreToSay(decision))) return []
  return [{ kind: 'sticky', pull, body: stickyText(task, attempt, decision) }]
}

/** A review is written once for each verdict, at the commit that it is about. */
const verdictsShown = (task: TaskState, attempt: Attempt): Slotted[] =>
  Array.from(reviewsOf(task, attempt), ([slot, said]) => ({
    attempt,
    slot,
    shown: { kind: 'verifier_review', pull: attempt.pull, ...said },
  }))

function questions(task: TaskState, now: string): Owed[] {
  return task.attempts
    .filter(({ live }) => live)
    .flatMap((attempt) =>
      questionsAbout(asIfAsked(task, attempt), now).map((question): Owed => ({ kind: 'ask', attempt, question })),
    )
}

/** What failed to be asked decides meanwhile, and asks for nothing. */
function asIfAsked(task: TaskState, attempt: Attempt): Attempt {
  const well = withoutFailures(attempt)
  return well === attempt ? attempt : { ...well, decision: conclude(task, well) }
}

function questionsAbout(attempt: Attempt, now: string): Question[] {
  const { decision, files } = attempt
  if (files === null && attempt.group === null) return [{ kind: 'files' }]
  if (files !== null && attempt.policy_copy === null && bringsPolicy(files)) return [{ kind: 'policy_copy' }]
  if (decision === null) return []
  // Whoever reviews before their turn is asked then already which of the teams they are in.
  const stages: Question[] = mustReadStages(attempt) ? [{ kind: 'stages' }] : []
  return [...stages, ...answersWanted(attempt, decision, now)]
}

const gateAwaited = ({ row, status, by }: Decision): GateName | null =>
  row === 'block' && status === 'pending' ? (by === 'vision' ? 'vision' : 'red_team') : null

/** Whether anybody waits for the word of this gate. */
export const isGateWanted = ({ decision }: Attempt, gate: GateName): boolean =>
  decision !== null && gateAwaited(decision) === gate

const resultCodes: readonly Reason['code'][] = ['awaiting_tier1', 'awaiting_check', 'awaiting_screenshots']

function answersWanted({ verifier }: Attempt, decision: Decision, now: string): Question[] {
  if (decision.row === 'unavailable' && verifier.phase === 'unavailable') {
    return verifier.retry_at !== null && verifier.retry_at <= now ? [{ kind: 'verdict' }] : []
  }
  const gate = gateAwaited(decision)
  if (gate !== null) return [{ kind: 'gate', gate }]
  if (decision.row !== 'pending') return []
  const codes = decision.reasons.map(({ code }) => code)
  // What waits for others costs nothing meanwhile.
  const blocked = codes.includes('awaiting_dependency')
  const results = codes.some((code) => resultCodes.includes(code))
  if (results) return [{ kind: 'results' }]
  return !blocked && codes.includes('awaiting_verifier') ? [{ kind: 'verdict' }] : []
}

/** A wait that is over is a fact like any other. */
function dueTimes(task: TaskState, now: string): Owed[] {
  return task.attempts.flatMap((attempt): Owed[] => {
    const wait = waitOf(attempt)
    if (wait === null || !(wait.until <= Date.parse(now))) return []
    return [{ kind: 'tell', input: { type: 'end_wait', attempt_id: attempt.id, what: wait.what } }]
  })
}

type Wait = { readonly what: 'verification.wait' | 'park_wait'; readonly until: number }

function waitOf({ live, decision, contract, ...attempt }: Attempt): Wait | null {
  if (!live || decision === null) return null
  const { verification, park_wait } = contract.policy
  if (decision.reasons.some(({ code }) => code === 'awaiting_dependency')) return null
  if (decision.row === 'pending' && decision.status === 'pending')
    return { what: 'verification.wait', until: endOf(attempt.waiting_since, verification.wait) }
  const parked = decision.status === 'refer' && attempt.state !== 'CANCELLED'
  return parked ? { what: 'park_wait', until: endOf(attempt.decided_at, park_wait) } : null
}

const endOf = (since: string, seconds: number): number => Date.parse(since) + seconds * 1_000

/** When time alone makes something owed, in milliseconds; infinity where it never does. */
export const dueNext = (task: TaskState): number =>
  Math.min(
    ...task.attempts.map((attempt) => {
      const { phase } = attempt.verifier
      const again = attempt.live && phase === 'unavailable' ? attempt.verifier.retry_at : null
      return Math.min(waitOf(attempt)?.until ?? Infinity, again === null ? Infinity : Date.parse(again))
    }),
  )
