// Every sentence about a decision that a person reads: why, what to know beside it, and why somebody was refused.
// Codes are chosen elsewhere; words are chosen here, and the compiler sees to it that no code is left without any.
import type { Refusal, RefusalWhy } from '../decision/record/events.ts'
import type { Decision, Reason, ReasonCode, Unblock, Warning, WarningCode } from '../decision/model.ts'
import type { Act } from '../people/act.ts'

type Sentence = (subject: string, detail: string | null) => string

const inWords = (detail: string | null, lead = ': '): string => (detail === null || detail === '' ? '' : lead + detail)

const reasons = {
  SYSTEM_FAULT: (doing, what) =>
    `Countersign itself failed while it was ${doing}${inWords(what)}: it tries again, and until then a human must look`,
  SYSTEM_INVARIANT_VIOLATED: (_, detail) =>
    `an invariant of Countersign is broken${inWords(detail)}; this is a fault of ours`,
  policy_invalid: (_, detail) => `the policy on the base branch is invalid${inWords(detail)}`,
  no_policy: () =>
    'there is no policy yet: add `.github/countersign.yml` to the base branch, beginning with `version: 1`',
  contract_unreadable: (_, detail) => `the contract of this task cannot be read${inWords(detail)}`,
  rejected_by: (subject, detail) => `rejected by ${subject}${inWords(detail)}`,
  approved_by: (subject, detail) => `approved by ${subject}${inWords(detail)}`,
  overridden_by: (subject, detail) => `${subject} takes responsibility${inWords(detail)}`,
  hard_failed_before: () => 'an earlier attempt at this task was stopped with proof, and nobody has overridden that',
  POLICY_RETRY_LIMIT_EXCEEDED: (max, used) => `${used ?? max} of ${max} attempts are used up`,
  POLICY_NO_PROGRESS: (repeats) => `no progress: ${repeats} attempts in a row failed in the same way`,
  SCOPE_VIOLATION_WRITE: (path, how) =>
    how === 'denied'
      ? `\`${path}\` is denied by the scope of this task`
      : `\`${path}\` is outside the scope of this task`,
  protected_path: (path) => `\`${path}\` is protected, so somebody entitled must look at it first`,
  paths_unknown: () =>
    'the patterns of the policy and the task take too long to hold against the changed paths: a human must look',
  builder_unknown: () => 'a commit cannot be attributed to anybody, so its builder is unknown',
  AGENT_NO_CHANGES: () => 'nothing was changed: the diff is empty',
  VERIFICATION_TIER1_FAILED: (name, detail) => `tier 1 failed${name === '' ? '' : ` \`${name}\``}${inWords(detail)}`,
  awaiting_member: (pull) => `pull request ${pull} has not been looked at yet`,
  member_not_green: (pull) => `pull request ${pull} is not a success at the head that is queued`,
  awaiting_files: () => 'the list of changed files has not been read yet',
  awaiting_tier1: () => 'tier 1 has not reported yet',
  awaiting_check: (name) => `required check \`${name}\` has not reported yet`,
  awaiting_verifier: () => 'the verifier has not answered yet',
  GIT_MERGE_CONFLICT: () => 'the branch conflicts with its base, so no workflow runs: merge or rebase it',
  awaiting_approval: () => 'the workflow run waits for approval: a maintainer must approve it',
  missing_workflow: () => 'the base branch has no workflow that runs the checks: add it',
  unclear_workflow: () =>
    'nobody can tell which workflow of the base branch runs the checks: use the Action in one of its own, pin what it calls by a full commit, and list local actions under `protected_paths`',
  run_cancelled: () => 'the workflow run was cancelled: run it again',
  run_never_started: () => 'the workflow run never started: run it again',
  VERIFICATION_CHECK_FAILED: (name, exit) => `required check \`${name}\` failed${inWords(exit, ' with exit code ')}`,
  VERIFICATION_TIMEOUT: (name) => `required check \`${name}\` timed out`,
  VERIFICATION_CHECK_MISSING: (name) =>
    `${name === 'tier1' ? 'tier 1' : name === 'verifier' ? 'the verifier' : name === '' ? 'the list of changed files' : `required check \`${name}\``} never reported`,
  VERIFICATION_AGENT_REJECTED: (outcome, detail) =>
    `the verifier ${outcome === 'HARD_FAIL' ? 'stops this task, with proof' : 'asks for a retry'}${inWords(detail)}`,
  VERIFICATION_CRASH: (why, retryAt) =>
    `verifier unavailable (${why}): this change was not reviewed${inWords(retryAt, ', next try at ')}`,
  referred: (_, detail) => `the verifier asks a human to look${inWords(detail)}`,
  low_confidence: () => 'the verifier is not confident enough: a human must look',
  cannot_tell: () => 'the verifier cannot tell whether a criterion is met: a human must look',
  divergence: () => 'Divergent verification — flagged for human review',
  proven_dissent: () => 'a dissenting vote holds a proven objection: a human must look',
  coverage: () => 'not every changed line was read: a human must look',
  too_large: () => 'the change is too large to be read as a whole: a human must look',
  no_probes: () => 'the task has no criteria that could be probed: a human must look',
  insufficient_evidence: () => 'too few criteria could be judged: a human must look',
  hidden_text: () => 'the change holds hidden text that has no use in source: a human must look',
  assumption_violation: () => 'an assumption that the verdict rests on does not hold: a human must look',
  refused: () => 'the model refused to judge: a human must look',
  truncated: () => 'the answer of the model was cut off: a human must look',
  malformed: () => 'the answer of the model could not be read: a human must look',
  budget: () => 'the budget for the verifier is used up: a human must look',
  same_model: () => 'the verifier is of the same model family as the builder, or that is unknown: a human must look',
  no_feedback: () => 'the verifier objects without anything to act on: a human must look',
  USER_INVALID_CONFIG: () => 'nothing judges this change: no required checks are defined and no verifier is enabled',
  changes_requested: (login, sha) =>
    `${login} requested changes on ${sha?.slice(0, 7) ?? 'an older commit'}; that stands until it is dismissed or ${login} reviews again`,
  stage_missing: (stage, by) => `review stage \`${stage}\` is missing an approval${inWords(by, ' by ')}`,
  approval_missing: () => 'an approving review of this commit is missing',
  awaiting_gate: (gate) => `the ${gateName(gate)} has not answered yet`,
  gate_blocked: (gate, summary) => `the ${gateName(gate)} blocks${inWords(summary)}`,
  gate_could_not_judge: (gate, summary) => `the ${gateName(gate)} could not judge${inWords(summary)}`,
  confirmation_missing: () => 'an independent confirmation is missing',
} as const satisfies Record<ReasonCode, Sentence>

const gateName = (gate: string): string => (gate === 'red_team' ? 'red team gate' : 'vision gate')

export function sayReason({ code, subject, detail }: Reason): string {
  return reasons[code](subject ?? '', detail)
}

const warnings = {
  no_checks_ran: () => 'no checks ran',
  no_check_applied: () => 'no check applied to the paths that changed',
  no_required_check: () => 'no required check applied; advisory ones only inform',
  advisory_failed: (name, state) =>
    `advisory check \`${name}\` ${state === 'timed_out' ? 'timed out' : (state ?? 'failed')}`,
  verifier_off: () => 'the verifier is off: this App has no model',
  not_unanimous: (pass, valid) => `${pass} of ${valid ?? '?'} agreed`,
  solo_verification: (who) => `solo verification by ${who}`,
  solo_act: (who) => `solo: ${who} judged their own work, since nobody else has the permission`,
} as const satisfies Record<WarningCode, Sentence>

export function sayWarning({ code, subject, detail }: Warning): string {
  return warnings[code](subject ?? '', detail)
}

const refusals = {
  bot: () => 'a machine account cannot do this',
  permission: (needs) => `this takes ${needs ?? 'more'} permission`,
  builder: () => 'you made part of this change, so somebody else must judge it',
  approver: () => 'you approved this change, so somebody else must confirm it',
  head_moved: (sha) =>
    `the head has moved since you wrote: add \`--sha ${sha?.slice(0, 12) ?? ''}\` if you mean this commit`,
  reason_missing: () => 'a reason is missing: write it behind the command',
  forbidden_by_policy: (key) => `the policy does not allow it (\`${key ?? ''}\`)`,
  not_in_role: (role) => `you are not in \`${role ?? ''}\``,
  unknown_check: (name) => `there is no check named \`${name ?? ''}\``,
  nothing_to_override: () =>
    'nothing that an override covers has failed; name a check or the verifier to override it in advance',
  nothing_to_acknowledge: () => 'nothing here waits to be acknowledged',
  nothing_to_take_back: () => 'you have done nothing to this commit that still stands',
  nothing_to_complete: () => 'there is no label of yours that waits for a reason on this commit',
  same_evidence: () => 'the verifier is not asked twice about the same evidence: its answer stands',
  verifier_off: () => 'the verifier is off',
  through_app: (app) =>
    `the App \`${app ?? ''}\` wrote this with a person’s token, and \`identities.apps\` does not list it`,
  not_its_author: (who) =>
    `only ${who ?? 'its author'}, or somebody of higher permission who made no part of this change, takes that back`,
  no_attempt: () => 'this is not an open, ready pull request',
  undeclared_transition: (move) => `a task cannot go from ${move ?? ''}`,
} as const satisfies Record<RefusalWhy, (detail: string | null) => string>

export function sayRefusal({ why, detail, who_may }: Pick<Refusal, 'why' | 'detail' | 'who_may'>): string {
  const label = why === 'unknown_check' ? 'There are' : 'Who may:'
  const who = who_may.length > 0 ? ` ${label} ${who_may.join(', ')}.` : ''
  return `Refused: ${refusals[why](detail)}.${who}`
}

/** The headline of a decision, in the words that the check run, the comment and the command line share. */
export function sayDecision({ status, reasons: [first] }: Pick<Decision, 'status' | 'reasons'>): string {
  const why = first === undefined ? '' : `: ${sayReason(first)}`
  switch (status) {
    case 'pending':
      return `Pending${why}`
    case 'success':
      return first === undefined ? 'Success: every required check passed and nothing objects' : `Success${why}`
    case 'retry':
      return `Try again${why}`
    case 'failed':
      return `Failed${why}`
    case 'refer':
      return `A human must look${why}`
  }
}

const verbs = {
  CHECK_OVERRIDE: 'overrode',
  VERIFIER_OVERRIDE: 'overrode',
  DIRECT_APPROVAL: 'approved directly',
  REJECTION: 'rejected this commit',
  ACKNOWLEDGMENT: 'acknowledged',
  RETRY_RESET: 'granted new attempts',
} as const satisfies Record<Act['type'], string>

/** What somebody did, without the name, which stands before it: who, with which permission, and why. */
export function sayAct({
  type,
  permission,
  solo,
  covers,
  reason,
  standing,
}: Pick<Act, 'type' | 'permission' | 'solo' | 'covers' | 'reason' | 'standing'>): string {
  const what = type === 'RETRY_RESET' ? '' : covers.map(({ subject }) => ` ${subjectWords(subject)}`).join(',')
  const why = reason === '' ? ', without giving a reason' : `: ${reason}`
  const note = standing === 'stands' ? '' : ` (${standing})`
  return `${verbs[type]}${what} (${permission}${solo ? ', solo' : ''})${why}${note}`
}

function subjectWords(subject: string): string {
  if (subject.startsWith('check:')) return `check \`${subject.slice('check:'.length)}\``
  const words: Record<string, string> = {
    tier1: 'tier 1',
    verifier: 'the verifier',
    red_team: 'the red team gate',
    vision: 'the vision gate',
    spent: 'the used-up attempts',
    vacuous: 'the lack of anything to judge by',
    rejection: 'a rejection',
    invalid: 'the invalid policy or contract',
    scope: 'the scope violation',
    protected: 'the protected paths',
  }
  return words[subject] ?? subject
}

export function sayUnblock({ words, who }: Unblock): string {
  return `${who}: ${words.startsWith('/') ? `\`${words}\`` : words}`
}
