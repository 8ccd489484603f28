// Every sentence about a decision that a person reads: why, by whom, and what to know beside it.
// Codes are chosen elsewhere; words are chosen here, and the compiler sees to it that no code is left without any.
// A sentence is Markdown, and what others wrote stands in it as code or inert, so that nobody has to clean it afterwards.
import type { UnavailableReason } from '../decision/verdict.ts'
import type { GateName } from '../decision/model.ts'
import type { Authority, Decision, Reason, ReasonCode, Unblock, Warning, WarningCode } from '../decision/decision.ts'
import type { Act } from '../people/act.ts'
import { neutralLine } from './text/neutral.ts'
import { codeSpan } from './text/untrusted.ts'

/** What a sentence is about: as words, as code, and as it is for sentences that choose by it. */
type Said = {
  readonly words: string
  readonly code: string
  readonly subject: string
  readonly detail: string | null
  /** The detail behind `lead`, or nothing where there is none. */
  readonly more: (lead?: string) => string
}
type Sentence = (said: Said) => string

const DETAIL_MAX = 400
const NAME_MAX = 120

const saidOf = (subject: string | null, detail: string | null): Said => ({
  words: neutralLine(subject ?? '', NAME_MAX),
  code: codeSpan(subject ?? ''),
  subject: subject ?? '',
  detail,
  more: (lead = ': ') => (detail === null || detail.trim() === '' ? '' : lead + neutralLine(detail, DETAIL_MAX)),
})

const mayMeet = ' and may write the same places: GitHub does not name every path of the two'

const reasons = {
  SYSTEM_FAULT: ({ words: doing, more }) => `Countersign itself failed while it was ${doing}${more()}`,
  SYSTEM_INVARIANT_VIOLATED: ({ more }) => `an invariant of Countersign is broken${more()}; this is a fault of ours`,
  policy_invalid: ({ more }) => `the policy on the base branch is invalid${more()}`,
  policy_proposed: ({ code: base }) =>
    `${base} has no policy yet, and this pull request proposes one: an admin must \`/ack\` it`,
  proposal_invalid: ({ more }) => `the policy that this pull request proposes is invalid${more()}`,
  no_policy: () =>
    'there is no policy yet: add `.github/countersign.yml` to the base branch, beginning with `version: 1`',
  criteria_unclear: ({ more }) => `the task is too unclear to be judged by${more()}`,
  contract_unreadable: ({ more }) => `the \`countersign\` block of this task cannot be read${more()}`,
  rejected_by: ({ words, more }) => `rejected by ${words}${more()}`,
  approved_by: ({ words, more }) => `approved by ${words}${more()}`,
  overridden_by: ({ words, more }) => `${words} takes responsibility${more()}`,
  referral_lifted_by: ({ words }) => `${words} looked at what the AI review had left to people, and approved it`,
  hard_failed_before: () => 'an earlier attempt at this task was stopped with proof, and nobody has overridden that',
  POLICY_RETRY_LIMIT_EXCEEDED: ({ subject: max, detail: used }) => `${used ?? max} of ${max} attempts are used up`,
  POLICY_NO_PROGRESS: ({ subject: repeats }) => `no progress: ${repeats} attempts in a row failed in the same way`,
  SCOPE_VIOLATION_WRITE: ({ code, detail: how }) =>
    how === 'denied' ? `${code} is denied by the scope of this task` : `${code} is outside the scope of this task`,
  protected_path: ({ code }) => `${code} is protected, so somebody entitled must look at it first`,
  paths_unknown: () => 'the patterns of the policy and the task take too long to hold against the changed paths',
  builder_unknown: () => 'nobody can tell who made one of its commits',
  AGENT_NO_CHANGES: () => 'nothing was changed: the diff is empty',
  VERIFICATION_TIER1_FAILED: ({ subject, code, more }) =>
    subject === '' ? `a built-in check failed${more()}` : `built-in check ${code} failed${more()}`,
  awaiting_member: ({ subject: pull }) => `pull request ${pull} has not been looked at yet`,
  member_not_green: ({ subject: pull }) => `pull request ${pull} is not a success at the head that is queued`,
  awaiting_task: () => 'it was taken up, and which task it is an attempt at has not been read yet',
  awaiting_dependency: ({ words: issue, more }) => `${issue} has to be verified first${more()}`,
  awaiting_pull: ({ subject: pull, detail, more }) =>
    detail === null ? `#${pull} comes first${mayMeet}` : `#${pull} comes first, which writes the same places${more()}`,
  awaiting_files: () => 'the list of changed files has not been read yet',
  awaiting_tier1: () => 'the built-in checks have not reported yet',
  awaiting_check: ({ code }) => `required check ${code} has not reported yet`,
  awaiting_screenshots: () => 'no run of the Action has handed its screenshots over yet',
  awaiting_verifier: () => 'the AI review has not answered yet',
  GIT_MERGE_CONFLICT: () => 'the branch conflicts with its base, so no workflow runs: merge or rebase it',
  awaiting_approval: () => 'the workflow run waits for approval: a maintainer must approve it',
  missing_workflow: () => 'the base branch has no workflow that runs the checks: add it',
  unclear_workflow: () =>
    'nobody can tell which workflow of the base branch runs the checks: use the Action in one of its own, pin what it calls by a full commit, and list local actions under `protected_paths`',
  unclear_jobs: () =>
    'not every check has a job on the base branch: `countersign workflow --isolation job` prints one for each',
  run_cancelled: () => 'the workflow run was cancelled: run it again',
  run_never_started: () => 'the workflow run never started: run it again',
  VERIFICATION_CHECK_FAILED: ({ code, more }) => `required check ${code} failed${more(' with exit code ')}`,
  VERIFICATION_TIMEOUT: ({ code }) => `required check ${code} timed out`,
  VERIFICATION_CHECK_MISSING: ({ subject, code }) => `${silent[subject] ?? `required check ${code}`} never reported`,
  VERIFICATION_AGENT_REJECTED: ({ subject: outcome, detail, more }) => {
    const says = outcome === 'HARD_FAIL' ? 'AI review: this is not the way to do it' : 'AI review'
    return detail === null ? `the ${says}${outcome === 'HARD_FAIL' ? '' : ' objects'}` : `${more('')} (${says})`
  },
  VERIFICATION_CRASH: ({ subject: why, words, more }) =>
    `the AI review could not be made (${unavailableWords.get(why) ?? words})${more(', next try at ')}`,
  referred: ({ more }) => `the AI review asks a person to look${more()}`,
  low_confidence: () => 'the AI review is not sure enough',
  cannot_tell: () => 'the AI review cannot tell whether a criterion is met',
  divergence: () => 'Divergent verification — flagged for human review',
  proven_dissent: () => 'one of its readings objects, with proof',
  coverage: () => 'not every changed line was read',
  too_large: () => 'the change is too large to be read as a whole',
  no_probes: () => 'the task has no criteria that could be asked about',
  insufficient_evidence: () => 'too few criteria could be judged',
  hidden_text: () => 'the change holds hidden text that has no use in source',
  secret: () => 'a line that is added looks as if it held a secret',
  addressed: () => 'text in the change speaks to its reviewer, who does not mention it',
  assumption_violation: () => 'something that the AI review took for granted does not hold',
  refused: () => 'the model refused to judge',
  truncated: () => 'the answer of the model was cut off',
  malformed: () => 'the answer of the model could not be read',
  budget: ({ more }) => `the budget for the AI review is used up${more()}`,
  same_model: () => 'the AI review is by the same family of models as the change, or that is unknown',
  no_feedback: () => 'the AI review objects without anything to act on',
  USER_INVALID_CONFIG: () =>
    'nothing judges this change: no required check is defined, and no AI review is switched on',
  changes_requested: ({ words: login, detail: sha }) =>
    `${login} requested changes on ${sha?.slice(0, 7) ?? 'an older commit'}; that stands until it is dismissed or ${login} reviews again`,
  stage_missing: ({ code, detail, more }) =>
    `review stage ${code} waits for ${detail === null ? 'an approval' : more('')}`,
  stage_rejected: ({ code, more }) => `review stage ${code} sends it back${more()}`,
  awaiting_stages: ({ code }) => `whom review stage ${code} asks has not been read yet`,
  stage_team_unknown: ({ code, more }) =>
    `review stage ${code} asks a team that this App cannot see or that is not there${more()}`,
  owners_broken: ({ code, more }) => `review stage ${code} asks code owners, and they cannot be told${more()}`,
  owners_nobody: ({ code, detail, more }) =>
    detail === null
      ? `review stage ${code} asks code owners, and the base has no CODEOWNERS`
      : `review stage ${code} asks code owners, and${more(' ')} names nobody for what changed`,
  owners_unknown: ({ code, more }) =>
    `review stage ${code} asks code owners, and nobody can tell whose address that is${more()}`,
  approval_missing: () => 'an approving review of this commit is missing',
  awaiting_gate: ({ subject: gate }) => gateWords(gate).awaited,
  gate_blocked: ({ subject: gate, more }) => `${gateWords(gate).blocks}${more()}`,
  gate_could_not_judge: ({ subject: gate, more }) => `${gateWords(gate).cannot}${more()}`,
  confirmation_missing: () => 'somebody who neither built nor approved it has to confirm it',
} as const satisfies Record<ReasonCode, Sentence>

/** What else than a check may never report. */
const silent: Readonly<Record<string, string>> = {
  '': 'the list of changed files',
  tier1: 'the built-in checks',
  verifier: 'the AI review',
  screenshots: 'a run of the Action that hands screenshots over',
}

const unavailableWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    transient: 'the model does not answer',
    ramp: 'too much is asked of the model at once',
    money: 'the model is not paid for',
    config: 'the settings of the model, or a step around it, are wrong',
    no_key: 'no API key',
    deadline: 'it took too long',
    quorum: 'too few votes came back',
    capability: 'the model cannot judge',
    no_result: 'what it was to read is missing',
  } satisfies Record<UnavailableReason, string>),
)

export const sayUnavailable = (reason: UnavailableReason): string => unavailableWords.get(reason) ?? reason

const ofGates = {
  red_team: {
    awaited: 'the red team gate has not answered yet',
    blocks: 'the red team gate blocks',
    cannot: 'the red team gate could not judge',
    remarks: 'the red team gate says',
  },
  vision: {
    awaited: 'the screenshots have not been looked at yet',
    blocks: 'not as expected on a screenshot',
    cannot: 'the screenshots could not be judged',
    remarks: 'the screenshots show',
  },
} as const satisfies Record<GateName, object>
const gateWords = (gate: string): (typeof ofGates)[GateName] => ofGates[gate === 'vision' ? 'vision' : 'red_team']

export const sayReason = ({ code, subject, detail }: Reason): string => reasons[code](saidOf(subject, detail))

const warnings = {
  no_checks_ran: () => 'no checks ran',
  no_check_applied: () => 'no check applied to the paths that changed',
  no_required_check: () => 'no required check applied',
  advisory_failed: ({ code, detail: state }) =>
    `advisory check ${code} ${state === 'timed_out' ? 'timed out' : (state ?? 'failed')}`,
  verifier_off: () => 'no AI review: this App has no API key',
  not_unanimous: ({ subject: pass, detail: valid }) => `${pass} of ${valid ?? '?'} agreed`,
  solo_verification: ({ words: who }) => `solo verification by ${who}`,
  judged_by_proposal: ({ code: base }) =>
    `judged by the policy that this pull request proposes, since ${base} has none yet`,
  solo_act: ({ words: who }) => `solo: ${who} judged their own work, since nobody else has the permission`,
  criterion_new: ({ words: who, more }) => `new in the task, and not asked of this commit${more()}; ${takenUp(who)}`,
  criterion_gone: ({ words: who, more }) =>
    `gone from the task, and still asked of this commit${more()}; ${takenUp(who)}`,
  task_changed: ({ words: who }) =>
    `the task was changed since this was opened, its criteria were not; ${takenUp(who)}`,
  edit_ignored: ({ more }) => more(''),
  pull_ahead: ({ subject: pull, detail, more }) =>
    detail === null ? `#${pull} came first${mayMeet}` : `#${pull} came first and writes the same places${more()}`,
  way_free: ({ subject: pull }) => `the way is free: #${pull} no longer stands before it in the same places`,
  gate_remarks: ({ subject: gate, more }) => `${gateWords(gate).remarks}${more()}`,
} as const satisfies Record<WarningCode, Sentence>

const takenUp = (who: string): string => `that counts from the next commit on, or once ${who} says \`/verify\``

export const sayWarning = ({ code, subject, detail }: Warning): string => warnings[code](saidOf(subject, detail))

type Told = Pick<Decision, 'status' | 'row' | 'reasons' | 'warnings'>

/** The headline of a decision, in the words that the check run, the comment and the command line share. */
export function sayDecision({ status, row, reasons: [first], warnings: beside }: Told): string {
  const why = first === undefined ? '' : `: ${sayReason(first)}`
  switch (status) {
    case 'pending':
      return `Waiting${why}`
    case 'success':
      return `Passed${why === '' ? stoodUp(beside) : why}`
    case 'retry':
      // Nobody has judged anything then.
      return row === 'unavailable' ? `Not reviewed${why}` : `Changes needed${why}`
    case 'failed':
      return `Stopped${why}`
    case 'refer':
      return `Needs a person${why}`
  }
}

/** What stands behind a success that nobody had to take responsibility for. */
function stoodUp(beside: readonly Warning[]): string {
  const gate = beside.find(({ code }) => code === 'gate_remarks')
  if (gate !== undefined) return `, though ${sayWarning(gate)}`
  const none = beside.find(({ code }) => unchecked.some((one) => one === code))
  return `: ${none === undefined ? 'every required check passed' : sayWarning(none)} and nothing objects`
}
const unchecked: readonly WarningCode[] = ['no_checks_ran', 'no_check_applied', 'no_required_check']

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
  const why = reason.trim() === '' ? ', without giving a reason' : `: ${neutralLine(reason, DETAIL_MAX)}`
  const note = standing === 'stands' ? '' : ` (${standing})`
  return `${verbs[type]}${what} (${permission}${solo ? ', solo' : ''})${why}${note}`
}

function subjectWords(subject: string): string {
  if (subject.startsWith('ahead:')) return `that #${subject.slice('ahead:'.length)} comes first`
  if (subject.startsWith('check:')) return `check ${codeSpan(subject.slice('check:'.length))}`
  const words: Record<string, string> = {
    tier1: 'the built-in checks',
    verifier: 'the AI review',
    red_team: 'the red team gate',
    vision: 'what the screenshots show',
    spent: 'the used-up attempts',
    vacuous: 'the lack of anything to judge by',
    rejection: 'a rejection',
    invalid: 'the invalid policy or contract',
    proposal: 'the policy that it proposes',
    scope: 'the scope violation',
    protected: 'the protected paths',
    guest: 'a pull request from outside',
  }
  return words[subject] ?? codeSpan(subject)
}

export const sayUnblock = ({ words, who }: Unblock): string =>
  `${neutralLine(who)}: ${words.startsWith('/') ? codeSpan(words) : words}`

const authorityWords = {
  human: 'a person',
  policy: 'the policy',
  attempts: 'the number of attempts',
  scope: 'the scope',
  tier1: 'the built-in checks',
  checks: 'the required checks',
  verifier: 'the AI review',
  review: 'the reviews that are missing',
  red_team: 'the red team',
  vision: 'what the screenshots show',
  verification: 'the confirmation that is missing',
} as const satisfies Record<Authority, string>

export const sayAuthority = (by: Authority): string => authorityWords[by]
