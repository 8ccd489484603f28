// Who can change a decision, and with which words: a table by row. Every row but `success` has something that lifts it,
// be it an act, a push, a setting or only time, and nobody is told to do what would change nothing.
import { equal } from '../../canonical.ts'
import { atLeast, leastPermission, permissions, strictlyAbove } from '../../people/permission.ts'
import { isLeads, isRole } from '../../people/stage-people.ts'
import { builderCalled } from '../../people/separation.ts'
import { gatesToAsk } from './asked-again.ts'
import type { Facts } from './facts.ts'
import { issuesUnseen } from '../half-told.ts'
import { isFinal } from './history.ts'
import { asksAnybody, stageInTurn, stagesNow } from './stages.ts'
import { anybodyWith, directly, eligible, minimumOf, solely } from './who.ts'
import type { UnavailableReason } from '../verdict.ts'
import type { Decision, Reason, RowName, Unblock } from '../decision.ts'

type Way = { readonly facts: Facts; readonly decision: Decision }
type Ways = (way: Way) => readonly Unblock[]

const by = (who: string, words: string): Unblock[] => [{ who, words }]
const nobody = (words: string): Unblock[] => by(notYet, words)
const notYet = 'Nobody yet'
/** Whoever can push. */
export const builderWord = 'The builder'
const builder = (words: string): Unblock[] => by(builderWord, words)
const admin = (facts: Facts, words: string): Unblock[] => by(anybodyWith(facts, 'admin'), words)
const operator = (words: string): Unblock[] => by('Whoever runs this App', words)
const writer = (facts: Facts, words: string): Unblock[] => by(anybodyWith(facts, 'write'), words)

const table = {
  invalid: ({ facts, decision }) => [
    ...decision.reasons.flatMap((reason) => repair(facts, reason)),
    ...by(solely(facts, 'admin'), '/ack <reason>'),
  ],
  rejected: (way) => [...rejectionLifted(way), ...pushed(way, 'push a change that answers the rejection')],
  approved: () => [],
  spent: (way) => [...entitled(way, '/retry <reason>'), ...plainOverride(way)],
  scope: (way) => [...pushed(way, 'push a change within the scope'), ...entitled(way, '/ack <reason>')],
  protected: (way) => entitled(way, '/ack <reason>'),
  tier1: (way) => [...pushed(way, 'push a fix'), ...overridden(way, ['tier1'])],
  pending: (way) => [
    ...awaited(way),
    ...overridden(way, checksAwaited(way)),
    ...verifierOverridden(way, awaitsVerifier(way)),
  ],
  hard: (way) => [
    ...pushed(way, 'push another way to do it'),
    ...(isFinal(way.decision) ? entitled(way, '/retry <reason>') : []),
    ...verifierOverridden(way),
  ],
  checks: (way) => [...pushed(way, 'push a fix'), ...overridden(way, named(way))],
  soft: (way) => [...pushed(way, 'push a fix'), ...verifierOverridden(way)],
  unavailable: (way) => [...askedAgain(way), ...verifierOverridden(way)],
  refer: (way) => [...looked(way), ...verifierOverridden(way)],
  vacuous: (way) => [...admin(way.facts, 'define checks or an AI review in the policy'), ...plainOverride(way)],
  review: (way) => way.decision.reasons.flatMap((reason) => reviewed(way, reason)),
  block: (way) => gate(way),
  confirmation: ({ facts }) => by(eligible(facts, 'verifier'), '/task verify <notes>'),
  parallel: (way) => [...way.decision.reasons.flatMap((reason) => letBy(way, reason)), ...plainOverride(way)],
  success: () => [],
} as const satisfies Record<RowName, Ways>

export function unblockers(facts: Facts, decision: Decision): Unblock[] {
  const way = { facts, decision }
  const direct = directly(facts, decision.row) ? entitled(way, '/approve <reason>') : []
  const all = [...table[decision.row](way), ...direct]
  return [...new Map(all.map((one) => [`${one.who}\n${one.words}`, one])).values()]
}

const entitled = ({ facts }: Way, words: string): Unblock[] => by(minimumOf(facts), words)

/** A push changes nothing while the task has failed, so new attempts come first. */
function pushed(way: Way, words: string): Unblock[] {
  if (!isFinal(way.decision)) return builder(words)
  return way.decision.row === 'hard'
    ? []
    : [...entitled(way, '/retry <reason>'), ...builder(`${words}, once new attempts were granted`)]
}

const repair = (facts: Facts, reason: Reason): Unblock[] =>
  (equal(reason, issuesUnseen) ? shown(facts) : repaired[reason.code]?.(facts)) ??
  admin(facts, 'repair the policy on the base branch')

const shown: Where = (facts) =>
  admin(facts, 'let this App see each issue that the pull request closes; it is read again by itself')
type Where = (facts: Facts) => Unblock[]
const repaired: Readonly<Partial<Record<Reason['code'], Where>>> = {
  policy_proposed: () => [],
  proposal_invalid: () => builder('correct the policy in this pull request'),
  no_policy: (facts) => admin(facts, 'add `.github/countersign.yml` to the base branch'),
  criteria_unclear: () =>
    by(
      'Whoever may edit the task',
      'write each criterion as a bullet below the heading “Acceptance criteria”, then push',
    ),
  contract_unreadable: () => by('Whoever may edit the task', 'correct its block, then push or close and reopen'),
  SYSTEM_FAULT: () => nobody('it tries again by itself'),
  SYSTEM_INVARIANT_VIOLATED: () => operator('look into the log, and report it'),
}

/** By whoever said it, or by an override of somebody with strictly higher permission. */
function rejectionLifted({ facts }: Way): Unblock[] {
  const { rejection, policy, attempt } = facts
  if (rejection === null) return []
  const { user, permission } = rejection
  const reviewed = 'source' in rejection && rejection.source === 'review'
  const taken = by(user, reviewed ? 'approve, or dismiss the review' : '/revoke')
  const needs = permissions.find((one) => strictlyAbove(one, permission) && atLeast(one, leastPermission(attempt)))
  return needs === undefined || !mayOverride(policy)
    ? taken
    : [...taken, ...by(solely(facts, needs), '/override <reason>')]
}

const mayOverride = ({
  override_policy: { check_override_allowed, verifier_override_allowed },
}: Facts['policy']): boolean => check_override_allowed || verifier_override_allowed

/** What lifts by being there at all takes either kind of override. */
const plainOverride = (way: Way): Unblock[] =>
  mayOverride(way.facts.policy) ? entitled(way, '/override <reason>') : []

function overridden(way: Way, names: readonly string[]): Unblock[] {
  if (!way.facts.policy.override_policy.check_override_allowed) return []
  return names.flatMap((name) => entitled(way, `/override --check ${spokenName(name)} <reason>`))
}

function verifierOverridden(way: Way, holds = true): Unblock[] {
  return holds && way.facts.policy.override_policy.verifier_override_allowed
    ? entitled(way, '/override --verifier <reason>')
    : []
}

/** The checks that the reasons name, which an override may name in turn. */
function named({ facts, decision }: Way): string[] {
  const names = facts.policy.verification.checks.map(({ name }) => name)
  return names.filter((name) =>
    decision.reasons.some(({ subject, code }) => subject === name && code !== 'VERIFICATION_AGENT_REJECTED'),
  )
}

const spokenName = (name: string): string => (/^[\w./:-]+$/.test(name) ? name : JSON.stringify(name))

const checksAwaited = (way: Way): string[] => [
  ...named(way),
  ...(way.decision.reasons.some(({ code, subject }) => subject === 'tier1' && code !== 'awaiting_check')
    ? ['tier1']
    : []),
]
const awaitsVerifier = ({ decision }: Way): boolean => decision.reasons.some(({ subject }) => subject === 'verifier')

/** What is in the way is removed first; then it is waited for, or, where the wait is over, run again. */
function awaited({ facts, decision }: Way): Unblock[] {
  const ways = decision.reasons.flatMap(({ code }) => wait[code]?.(facts) ?? [])
  const blocked = ways.filter(({ who }) => who !== notYet)
  return blocked.length > 0 ? blocked : ways
}

const wait: Readonly<Partial<Record<Reason['code'], Where>>> = {
  GIT_MERGE_CONFLICT: () => builder('merge or rebase the branch'),
  awaiting_approval: (facts) => writer(facts, 'approve the workflow run'),
  missing_workflow: (facts) => writer(facts, 'add a workflow that runs the checks to the base branch'),
  unclear_jobs: (facts) => writer(facts, 'give each check a job of its own in the workflow of the base branch'),
  run_cancelled: (facts) => writer(facts, 'run the workflow again'),
  run_never_started: (facts) => writer(facts, 'run the workflow again'),
  VERIFICATION_CHECK_MISSING: (facts) => writer(facts, 'run what never reported again'),
  awaiting_dependency: () => by('Whoever confirms those', '/task verify <notes>'),
  awaiting_task: () => nobody('the issues that it closes are being read'),
  awaiting_files: () => nobody('the list of changed files is being read'),
  awaiting_tier1: () => nobody('the results are awaited'),
  awaiting_check: () => nobody('the results are awaited'),
  awaiting_screenshots: () => nobody('the screenshots are awaited'),
  awaiting_verifier: () => nobody('the AI review is being made'),
}

const letBy = ({ facts }: Way, { subject: pull }: Reason): Unblock[] => writer(facts, `merge or close #${pull ?? ''}`)

function askedAgain({ facts, decision }: Way): Unblock[] {
  const { verifier } = facts.attempt
  if (verifier.phase !== 'unavailable') return []
  if (decision.status === 'pending') return nobody('it is asked for again by itself')
  const ask = by(anybodyWith(facts, leastPermission(facts.attempt)), '/verify')
  return [...restored[verifier.reason](facts), ...ask]
}

const restored = {
  transient: () => [],
  ramp: () => [],
  deadline: () => [],
  quorum: () => [],
  money: () => operator('see to it that the model may be paid for'),
  config: () => operator('correct the settings of the model'),
  no_key: () => operator('give it the key of a model'),
  capability: (facts) => admin(facts, 'name a model in the policy that can judge'),
  no_result: (facts) => admin(facts, 'name a check in the policy that runs'),
} as const satisfies Record<UnavailableReason, Where>

function looked(way: Way): Unblock[] {
  const { facts, decision } = way
  const again: readonly Reason['code'][] = ['refused', 'truncated', 'malformed', 'budget']
  const verify = decision.reasons.some(({ code }) => again.includes(code))
    ? by(anybodyWith(facts, leastPermission(facts.attempt)), '/verify')
    : []
  const review = facts.policy.override_policy.review_resolves_refer
    ? entitled(way, 'an approving review of this commit')
    : []
  return [...review, ...verify]
}

function reviewed({ facts }: Way, { code, subject }: Reason): Unblock[] {
  if (code === 'changes_requested') {
    return [
      ...by(subject ?? '', 'approve, or dismiss the review'),
      ...by(solely(facts, 'write'), 'dismiss that review'),
    ]
  }
  const inStage = stageWays[code]?.(facts)
  if (inStage !== undefined) return inStage
  return by(eligible(facts, 'reviewer'), 'an approving review of this commit')
}

const stageWays: Readonly<Partial<Record<Reason['code'], Where>>> = {
  stage_missing: stageAsked,
  awaiting_stages: () => nobody('whom the stage asks is being read'),
  stage_team_unknown: (facts) => admin(facts, 'name a team that this App can see under `review.stages`'),
  owners_broken: (facts) => writer(facts, 'correct CODEOWNERS on the base branch'),
  owners_nobody: (facts) =>
    writer(facts, 'name owners of these paths in CODEOWNERS on the base branch, or somebody beside `code_owners`'),
  owners_unknown: (facts) => writer(facts, 'name logins or teams in CODEOWNERS on the base branch'),
}

/** Whom the stage names, but for those who made a part of it. */
function stageAsked(facts: Facts): Unblock[] {
  const stage = stageInTurn(stagesNow(facts.task, facts.attempt, facts.approvals))
  const words = 'an approving review of this commit'
  return (stage?.missing ?? []).flatMap((group) => {
    if (asksAnybody(group)) return by(eligible(facts, 'reviewer'), words)
    const outside = group.filter((name) => builderCalled(facts.task.builders, { id: null, login: name }) === null)
    const named = outside.filter((name) => !isRole(name))
    if (outside.length === 0)
      return admin(facts, `name somebody under \`review.stages\` who made no part of it, as ${group.join(', ')} did`)
    return [
      ...(named.length > 0 ? by(named.join(', '), words) : []),
      ...(outside.some(isLeads) ? by(solely(facts, 'admin'), words) : []),
    ]
  })
}

function gate(way: Way): Unblock[] {
  if (way.decision.status === 'pending')
    return [
      ...nobody(way.decision.by === 'vision' ? 'the screenshots are being looked at' : 'the gate is at work'),
      ...verifierOverridden(way),
    ]
  if (way.decision.status === 'refer') {
    const again = gatesToAsk(way.facts.attempt).length > 0
    const ask = anybodyWith(way.facts, leastPermission(way.facts.attempt))
    return [...(again ? by(ask, '/verify') : []), ...verifierOverridden(way)]
  }
  return [...pushed(way, 'push a fix'), ...verifierOverridden(way)]
}
