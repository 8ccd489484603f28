// What GitHub shows for an attempt: the check run and the sticky comment, composed from state alone, so that the same state
// always gives the same bytes.
import { policyFile } from '../contract/scope.ts'
import { conclusionOf } from '../decision/gate/conclusion.ts'
import { factsOf, type Facts } from '../decision/gate/facts.ts'
import type { Attempt, TaskState, Tier1Finding } from '../decision/model.ts'
import type { Decision } from '../decision/decision.ts'
import { reviewIn, reviewSlot, threadsIn } from '../decision/shown/review-ref.ts'
import { assumedLines } from './assumed.ts'
import { attemptFold } from './documents/attempt-json.ts'
import { fitted, type Part } from './text/fit.ts'
import { list, LISTED_MAX } from './text/lists.ts'
import { neutralLine } from './text/neutral.ts'
import { gateLines, visionText } from './gate-review.ts'
import { asideTitle } from './not-judged.ts'
import { attemptLine, headline, isShadow, parkedLine, titleOf } from './headline.ts'
import { renderRetryContext, retryContext } from './retry/retry-context.ts'
import { remarksOf, stageTable } from './stages.ts'
import { codeSpan } from './text/untrusted.ts'
import { sayAct, sayAuthority, sayReason, sayUnblock, sayWarning } from './say.ts'

export type CheckRunText = {
  readonly status: 'in_progress' | 'completed'
  readonly conclusion: 'success' | 'failure' | 'action_required' | 'cancelled' | 'neutral' | null
  readonly title: string
  readonly summary: string
  /** The document for programs, where it is judged. */
  readonly text: string
  readonly annotations: readonly Annotation[]
}
export type Annotation = { readonly path: string; readonly line: number; readonly message: string }

export const stickyMarker = '<!-- countersign:sticky -->'
const FINDINGS_SHOWN_MAX = 20

export function checkRunText(task: TaskState, attempt: Attempt, decision: Decision): CheckRunText {
  const annotations = (attempt.policy_copy ?? []).map(({ line, message }) => ({
    path: policyFile,
    line,
    message: neutralLine(message),
  }))
  const text = attempt.live && attempt.group === null ? attemptFold(task, attempt, decision) : ''
  return { ...runText(task, attempt, decision), text, annotations }
}

function runText(task: TaskState, attempt: Attempt, decision: Decision): Omit<CheckRunText, 'text' | 'annotations'> {
  const title = titleOf(attempt, decision)
  const summary = explanation(task, attempt, decision)
  const over = attempt.state === 'SUPERSEDED' || attempt.state === 'CANCELLED'
  if (over && !(isShadow(attempt) && attempt.live)) {
    const why = attempt.state === 'CANCELLED' ? 'Nobody answered in time' : asideTitle(attempt.aside)
    return { status: 'completed', conclusion: 'cancelled', title: why, summary }
  }
  const conclusion = conclusionOf(decision)
  if (conclusion === 'pending') return { status: 'in_progress', conclusion: null, title, summary }
  return { status: 'completed', conclusion: isShadow(attempt) ? 'neutral' : conclusion, title, summary }
}

/** The explanation: who can change it with which words, each stage and its result, why, and by whom. */
export function explanation(task: TaskState, attempt: Attempt, decision: Decision): string {
  const facts = factsOf(task, attempt)
  const part = (name: string, lines: readonly string[]): Part => ({ name, text: list(name, lines) })
  return fitted([
    { name: null, text: `**${headline(attempt, decision)}**` },
    { name: null, text: `${attemptLine(task, attempt, decision)}${decidedBy(decision)}`.trim() },
    { name: null, text: parkedLine(attempt, decision) },
    { name: null, text: list(nextTitle(attempt), decision.who_can_unblock.map(sayUnblock)) },
    { name: 'the stages', text: stageTable(facts) },
    // The first stands in the headline.
    part('Why', decision.reasons.length > 1 ? decision.reasons.map(sayReason) : []),
    part('Warnings', [...decision.warnings.map(sayWarning), ...attempt.remarks.map((one) => neutralLine(one))]),
    part(
      'What people decided',
      attempt.acts.map((act) => `${neutralLine(act.user)} ${sayAct(act)}`),
    ),
    part('What its makers took for granted', assumedLines(task, attempt)),
    part('Reviews that do not count', ignoredReviews(facts)),
    part(
      'Results that do not count',
      attempt.refused.map(({ source, why }) => `${neutralLine(source)}: ${neutralLine(why)}`),
    ),
    part('Worth a look', [
      ...(attempt.tier1?.findings ?? []).slice(0, FINDINGS_SHOWN_MAX).map(findingLine),
      ...remarksOf(attempt).slice(0, FINDINGS_SHOWN_MAX),
    ]),
    part('What the red team found', attempt.gates.red_team === undefined ? [] : gateLines(attempt.gates.red_team)),
    { name: 'what the screenshots show', text: visionText(task, attempt) },
    part(effectTitle, attempt.policy_effect.slice(0, LISTED_MAX)),
    part('To begin', beginning(attempt)),
    { name: 'who requires this check', text: protectionLine(attempt) },
  ])
}

const effectTitle = 'What this policy would have decided about earlier pull requests'

const nextTitle = (attempt: Attempt): string =>
  isShadow(attempt) ? 'What would come next, were it enforced' : 'What to do next'

function decidedBy({ by, reasons }: Decision): string {
  if (by === null) return ''
  const lifted = reasons.find(({ code }) => code === 'referral_lifted_by')
  const beside = lifted === undefined ? '' : `, and the review of ${neutralLine(lifted.subject ?? '')}`
  return ` Decided by ${sayAuthority(by)}${beside}.`
}

const findingLine = ({ path, line, severity, message }: Tier1Finding): string =>
  `${codeSpan(`${path}:${line}`)} ${severity.toLowerCase()}: ${neutralLine(message)}`

/** Both on one branch, since the policy may name checks that only the workflow runs. */
function beginning({ starter = [], base_ref }: Attempt): string[] {
  if (starter.length === 0) return []
  const files = starter.map(({ path, url }) => `[create ${codeSpan(path)}](${url})`).join(', then on the same branch ')
  return [
    `${files}, and open a pull request from that branch into ${codeSpan(base_ref)}. It is judged by the policy that it brings, once an admin has said \`/ack <reason>\` there.`,
  ]
}

/** A gate that nothing enforces must not look like one. */
export function protectionLine({ protection, base_ref, check_name }: Attempt): string {
  const [branch, name] = [codeSpan(base_ref), codeSpan(check_name)]
  switch (protection) {
    case 'none':
      return `Nothing requires this check on ${branch}, so it blocks no merge: require ${name} in the rules of the branch.`
    case 'unpinned':
      return `The rules of ${branch} take ${name} from anybody who may report: pin it to this App.`
    case 'pinned':
    case null:
      return ''
  }
}

function ignoredReviews({ task }: Facts): string[] {
  const why: Record<string, string> = {
    bot: 'a machine account cannot approve',
    permission: 'too little permission',
    builder: 'made part of this change',
    not_in_role: 'not in `roles.reviewer`',
    older_commit: 'made on an older commit',
  }
  return task.reviews.flatMap(({ by, state, why_not }) =>
    why_not === null
      ? []
      : [`${neutralLine(by)} (${state.replace('_', ' ')}): ${why[why_not] ?? neutralLine(why_not)}`],
  )
}

/** The comment begins with what to do next; facts and advice for the next attempt follow, and all of it for programs. */
export function stickyText(task: TaskState, attempt: Attempt, decision: Decision): string {
  const next = decision.who_can_unblock.slice(0, LISTED_MAX).map((one) => `- ${sayUnblock(one)}`)
  const warnings = decision.warnings.map((warning) => `- ${sayWarning(warning)}`)
  return fitted([
    { name: null, text: stickyMarker },
    { name: null, text: `### ${sign(decision)} ${headline(attempt, decision)}` },
    { name: null, text: attemptLine(task, attempt, decision) },
    { name: null, text: next.length === 0 ? '' : `**${nextTitle(attempt)}**\n${next.join('\n')}` },
    ...contextParts(task, attempt, decision),
    { name: 'warnings', text: warnings.length === 0 ? '' : `**Warnings**\n${warnings.join('\n')}` },
    { name: null, text: attemptFold(task, attempt, decision) },
  ])
}

function contextParts(task: TaskState, attempt: Attempt, { status }: Decision): Part[] {
  if (status !== 'retry' && status !== 'failed') return []
  const text = renderRetryContext(retryContext(task, attempt), reviewLink(task, attempt))
  return [{ name: 'what the next attempt should know', text }]
}

/** An objection stands in one place: where the review has been written, the comment leads there. */
function reviewLink({ slots }: TaskState, { id }: Attempt): string | null {
  const ref = slots[reviewSlot(id)]?.ref ?? null
  const review = reviewIn(ref)
  if (review === null) return null
  const threads = Object.values(threadsIn(ref)).map((comment, index) => `[${index + 1}](#discussion_r${comment})`)
  const lines = threads.length === 0 ? '' : `, at the lines that they are about: ${threads.join(', ')}`
  return `Its objections stand in [its review](#pullrequestreview-${review})${lines}.`
}

function sign({ status, row }: Decision): string {
  const signs = {
    pending: '⏳',
    success: '✅',
    retry: row === 'unavailable' ? '⏸️' : '🔁',
    failed: '❌',
    refer: '👀',
  } as const satisfies Record<Decision['status'], string>
  return signs[status]
}
