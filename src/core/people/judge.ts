// Whether a person may do what they ask for, and what exactly it covers. Judged once, when it is heard, with the
// permission that the person has at that moment; the table only reads what was recorded here.
import { factsOf, faultKey, type Facts } from '../decision/gate/facts.ts'
import { isOursBy } from '../decision/results/ended-at.ts'
import { rulesForPeople } from '../decision/gate/proposal.ts'
import { stageOf } from '../decision/gate/stages.ts'
import { isUnasked } from '../decision/gate/taken-up.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { Refusal, RefusalCode, RefusalWhy } from '../decision/record/refusal.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import type { Act, ActType, Cover, LabelAct } from './act.ts'
import { isAtBase } from './at-base.ts'
import type { Command } from './command.ts'
import { plainCover, vagueCover, type Covering } from './coverage.ts'
import { whoMay } from './naming.ts'
import { inFrontAt } from './in-front.ts'
import { isBefore } from './order.ts'
import { isSame, sameLogin, type Person } from './people.ts'
import type { Saying } from './saying.ts'
import { atLeast, leastPermission, strictlyAbove, type Permission } from './permission.ts'
import { actsSolo, builderCalled } from './separation.ts'

/** `label`: what is judged was asked for by a label, and goes with it. */
export type Heard = {
  readonly task: TaskState
  readonly attempt: Attempt
  readonly saying: Saying
  readonly label?: LabelAct | undefined
}

type ActCommand = Extract<Command, { name: 'override' | 'approve' | 'reject' | 'ack' | 'retry' }>

export function judgeAct(heard: Heard, command: ActCommand): NewEvent[] {
  const { attempt, saying } = heard
  const minimum = leastPermission(attempt)
  const needs = command.name === 'reject' ? 'write' : minimum
  const bound = command.name !== 'retry'
  const isNow = command.name === 'reject' || isOfNow(heard)
  if (bound && !(isNow && sees(saying.sha, command.sha, attempt))) {
    const refused = refuse(heard, 'HEAD_MOVED', 'head_moved', attempt.head_sha, [])
    return command.name === 'reject' ? [...rejectedThen(heard, command), refused] : [refused]
  }
  const barred = barredFrom(heard, needs, command.name === 'reject')
  if (barred !== null) return [barred]
  switch (command.name) {
    case 'override':
      return override(heard, command)
    case 'approve':
      return approve(heard, command.reason)
    case 'ack':
      return acknowledge(heard, command.reason, minimum)
    case 'retry':
      return granted(heard, 'RETRY_RESET', [{ subject: 'spent', result: null }], command.reason, needs)
    case 'reject':
      return [...rejectedThen(heard, command), grant(heard, 'REJECTION', [], command.reason, false)]
  }
}

/** A no that is heard late holds what its author had in front of them if that comes back, whatever else it is about. */
export function rejectedThen(
  heard: Heard,
  { sha, reason }: Pick<ActCommand, 'sha' | 'reason'>,
  builderMay = true,
): NewEvent[] {
  const { task, saying, attempt } = heard
  const { pull, head_sha } = attempt
  const own = task.attempts.filter((one) => one.pull === pull && one.group === null && one.head_sha !== head_sha)
  const named = own.filter((one) => sees(saying.sha, sha, one))
  const inFront = sha === null ? inFrontAt(task, pull, saying.at) : []
  const then = own.filter((one) => inFront.includes(one.head_sha))
  // Once for each commit: it follows that wherever it is judged.
  const meant = new Map((named.length > 0 ? named : then).map((one) => [one.head_sha, one]))
  if (meant.size === 0 || barredFrom(heard, 'write', builderMay) !== null) return []
  return Array.from(meant.values(), (one) => grant({ ...heard, attempt: one }, 'REJECTION', [], reason, false))
}

/** `--sha` names the commit that is meant; without it, it is the head as it was when the words were written. */
function sees(seen: string, named: string | null, { head_sha }: Attempt): boolean {
  return named === null ? seen === head_sha : head_sha.startsWith(named.toLowerCase())
}

/** What was allowed before a commit went away does not come back with it, nor go to another base, however late it is heard. */
export const isOfNow = ({ task, saying, attempt }: Heard): boolean =>
  (attempt.aside === undefined || isBefore({ at: attempt.head_at }, saying)) && isAtBase(task, attempt, saying.at)

/** Machines never act, strangers may not, and builders do not judge their own work. */
export function barredFrom(heard: Heard, needs: Permission, builderMay: boolean): NewEvent | null {
  const { task, saying } = heard
  const { user } = saying
  const who = [whoMay(saying.census, needs, builderMay ? null : task.builders)]
  if (user.kind === 'bot') return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'bot', null, who)
  if (!isOwnWord(heard)) return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'through_app', saying.through, who)
  if (!atLeast(user.permission, needs)) return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'permission', needs, who)
  if (builderMay || builderCalled(task.builders, user) === null || solo(heard, needs)) return null
  return refuse(heard, 'SEPARATION_VIOLATED', 'builder', null, who)
}

/** Whoever holds a person's token is not that person, unless policy says so of the App that holds it. */
export function isOwnWord({ attempt, saying: { through } }: Heard): boolean {
  return through === null || rulesForPeople(attempt).identities.apps.some((app) => sameLogin(app, through))
}

/** A rejection is lifted by its author, or by somebody of strictly higher permission who made no part of the change. */
export function mayLift(heard: Heard, rejection: Pick<Act, 'user' | 'user_id' | 'permission'>): boolean {
  const { user } = heard.saying
  if (user.kind === 'bot' || !isOwnWord(heard)) return false
  if (isSame(user, { id: rejection.user_id, login: rejection.user })) return true
  return strictlyAbove(user.permission, rejection.permission) && builderCalled(heard.task.builders, user) === null
}

/** Whether this act is only possible because there is nobody else who could do it. */
export function solo({ task, attempt, saying }: Heard, needs: Permission): boolean {
  const made = builderCalled(task.builders, saying.user) !== null
  return made && actsSolo(rulesForPeople(attempt), saying.census, saying.user, needs)
}

function override(heard: Heard, command: Extract<ActCommand, { name: 'override' }>): NewEvent[] {
  const { attempt, task } = heard
  const known = ['tier1', ...attempt.contract.policy.verification.checks.map(({ name }) => name)]
  const unknown = command.checks.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    return [refuse(heard, 'USER_COMMAND_REFUSED', 'unknown_check', unknown.join(', '), known)]
  }
  const facts = factsOf(task, attempt)
  const plain = command.checks.length === 0 && !command.verifier
  const covering = plain ? plainCover(facts, heard.saying.at) : namedCover(command)
  const parts = (['CHECK_OVERRIDE', 'VERIFIER_OVERRIDE'] as const).flatMap((type) => {
    const covers = type === 'CHECK_OVERRIDE' ? covering.checks : covering.verifier
    return covers.length > 0 ? part(heard, type, covers, command.reason) : []
  })
  if (parts.length > 0) return parts
  const vague = vagueCover(facts, heard.saying.at, overrulesRejection(facts, heard))
  if (vague.length === 0) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nothing_to_override', null, [])]
  const { check_override_allowed } = attempt.contract.policy.override_policy
  return part(heard, check_override_allowed ? 'CHECK_OVERRIDE' : 'VERIFIER_OVERRIDE', vague, command.reason)
}

const overrulesRejection = ({ rejection }: Facts, heard: Heard): boolean =>
  rejection !== null &&
  isBefore(rejection, heard.saying) &&
  strictlyAbove(heard.saying.user.permission, rejection.permission) &&
  builderCalled(heard.task.builders, heard.saying.user) === null

function namedCover({ checks, verifier }: Extract<ActCommand, { name: 'override' }>): Covering {
  const subjects = checks.map((name) => (name === 'tier1' ? 'tier1' : `check:${name}`))
  const always = (subject: string): Cover => ({ subject, result: null })
  return { checks: subjects.map(always), verifier: verifier ? ['verifier', 'red_team', 'vision'].map(always) : [] }
}

/** One type of a plain override: policy may allow it while it forbids the other. */
function part(heard: Heard, type: 'CHECK_OVERRIDE' | 'VERIFIER_OVERRIDE', covers: Cover[], reason: string): NewEvent[] {
  const { policy } = heard.attempt.contract
  const key = type === 'CHECK_OVERRIDE' ? 'check_override_allowed' : 'verifier_override_allowed'
  if (!policy.override_policy[key]) return [forbidden(heard, `override_policy.${key}`)]
  const free = type === 'CHECK_OVERRIDE' && !policy.override_policy.check_override_requires_reason
  return granted(heard, type, covers, reason, policy.override_policy.min_permission, free)
}

function approve(heard: Heard, reason: string): NewEvent[] {
  const { override_policy } = heard.attempt.contract.policy
  if (!override_policy.direct_approval_allowed) return [forbidden(heard, 'override_policy.direct_approval_allowed')]
  return granted(heard, 'DIRECT_APPROVAL', [], reason, override_policy.min_permission)
}

/** What somebody may acknowledge now; an invalid policy or contract takes an admin, and so do a first policy and our own faults. */
export function toAcknowledge({ task, attempt, saying }: Heard, needs: Permission): readonly Acknowledged[] {
  const { invalid, proposed, faults, guarded, cover } = factsOf(task, attempt)
  const seen = isOursBy(attempt.faulted_at, saying.at) ? faults : []
  const of = (subject: string, holds: boolean, least = needs): readonly Acknowledged[] =>
    holds ? [{ subject, result: null, needs: least }] : []
  return [
    ...of('invalid', invalid.length > 0, 'admin'),
    ...of('proposal', proposed.length > 0, 'admin'),
    ...seen.map((one) => ({ subject: 'fault', result: faultKey(one), needs: 'admin' }) as const),
    ...of('scope', attempt.scope_violations.length > 0),
    ...of('protected', guarded.length > 0),
    ...of('guest', isUnasked(task, attempt)),
  ].filter(({ subject, result }) => cover(subject, result) === null)
}
type Acknowledged = Cover & { readonly needs: Permission }

/** Covers what stands now and the speaker is entitled to. */
function acknowledge(heard: Heard, reason: string, needs: Permission): NewEvent[] {
  const standing = toAcknowledge(heard, needs)
  const covers = standing.filter((one) => atLeast(heard.saying.user.permission, one.needs))
  if (standing.length === 0) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nothing_to_acknowledge', null, [])]
  if (covers.length === 0)
    return [
      refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'permission', 'admin', [
        whoMay(heard.saying.census, 'admin', heard.task.builders),
      ]),
    ]
  return granted(
    heard,
    'ACKNOWLEDGMENT',
    covers.map(({ subject, result }) => ({ subject, result })),
    reason,
    needs,
  )
}

/** Whoever lets a guest's workflow run begin has taken the pull request up. Nobody is told who may not: they asked for nothing. */
export function judgeRunApproval(heard: Heard): NewEvent[] {
  const needs = leastPermission(heard.attempt)
  if (heard.saying.sha !== heard.attempt.head_sha) return []
  return barredFrom(heard, needs, false) === null ? takenUp(heard, 'approved its workflow run', needs) : []
}

/** The word that takes up a guest's pull request and allows nothing else; empty where there is nothing to take up. */
export function takenUp(heard: Heard, reason: string, needs: Permission): NewEvent[] {
  if (!isUnasked(heard.task, heard.attempt)) return []
  return [grant(heard, 'ACKNOWLEDGMENT', [{ subject: 'guest', result: null }], reason, solo(heard, needs))]
}

function granted(
  heard: Heard,
  type: ActType,
  covers: readonly Cover[],
  reason: string,
  needs: Permission,
  reasonFree = false,
): NewEvent[] {
  if (reason.trim() === '' && !reasonFree) return [refuse(heard, 'USER_COMMAND_REFUSED', 'reason_missing', null, [])]
  return [grant(heard, type, covers, reason, solo(heard, needs))]
}

export function grant(
  { task, attempt, saying, label }: Heard,
  type: ActType,
  covers: readonly Cover[],
  reason: string,
  alone: boolean,
): NewEvent {
  return {
    type: 'HumanOverride',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: {
      key: saying.key,
      task_id: task.task_id,
      attempt_id: attempt.id,
      user: saying.user.login,
      user_id: saying.user.id,
      override_type: type,
      decision: attempt.decision?.row ?? 'pending',
      reason: reason.trim(),
      timestamp: saying.at,
      head_sha: attempt.head_sha,
      source: saying.source,
      label: label ?? null,
      covers,
      permission: saying.user.permission,
      solo: alone,
      ...(type === 'REJECTION' ? ofStage(task, attempt, saying.user) : {}),
    },
  }
}

/** Whoever made a part of it speaks for no stage. */
function ofStage(task: TaskState, attempt: Attempt, user: Person): { readonly stage?: string } {
  const stage = builderCalled(task.builders, user) === null ? stageOf(attempt, user) : null
  return stage === null ? {} : { stage }
}

function forbidden(heard: Heard, key: string): NewEvent {
  return refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'forbidden_by_policy', key, [])
}

/** A refusal by policy or separation denies an act; any other says that the words could not be taken. */
export function refuse(
  { attempt, saying }: Pick<Heard, 'saying'> & { attempt: Attempt | null },
  code: RefusalCode,
  why: RefusalWhy,
  detail: string | null,
  who_may: readonly string[],
): NewEvent {
  const { login: user, id: user_id } = saying.user
  const data: Refusal = {
    key: saying.key,
    user,
    user_id,
    command: saying.text,
    code,
    why,
    detail,
    who_may,
    at: saying.at,
  }
  const at = { attempt_id: attempt?.id ?? null, head_sha: attempt?.head_sha ?? null, data }
  return code === 'USER_COMMAND_REFUSED' ? { type: 'CommandRefused', ...at } : { type: 'OverrideDenied', ...at }
}
