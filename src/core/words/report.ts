// What GitHub shows for an attempt: the check run, the sticky comment and the labels, composed from state alone, so
// that the same state always gives the same bytes.
import { policyFile } from '../contract/scope.ts'
import { conclusionOf } from '../decision/gate/conclusion.ts'
import { changesRequestedBefore, factsOf, rulesThatApply, type Facts } from '../decision/gate/facts.ts'
import { attemptsUsed } from '../decision/gate/history.ts'
import type { Attempt, CheckRecord, Decision, DecisionStatus, TaskState, Tier1Finding } from '../decision/model.ts'
import { neutralLine } from './neutral.ts'
import { renderRetryContext, retryContext, retryContextJson } from './retry-context.ts'
import { codeSpan } from './untrusted.ts'
import { sayAct, sayDecision, sayReason, sayUnblock, sayWarning } from './say.ts'

export type CheckRunText = {
  readonly status: 'in_progress' | 'completed'
  readonly conclusion: 'success' | 'failure' | 'action_required' | 'cancelled' | 'neutral' | null
  readonly title: string
  readonly summary: string
  readonly annotations: readonly Annotation[]
}
export type Annotation = { readonly path: string; readonly line: number; readonly message: string }

export const stickyMarker = '<!-- countersign:sticky -->'
const TITLE_MAX = 120
const FINDINGS_SHOWN_MAX = 20

export function checkRunText(task: TaskState, attempt: Attempt, decision: Decision): CheckRunText {
  const annotations = (attempt.policy_copy ?? []).map((problem) => ({ path: policyFile, ...problem }))
  return { ...runText(task, attempt, decision), annotations }
}

function runText(task: TaskState, attempt: Attempt, decision: Decision): Omit<CheckRunText, 'annotations'> {
  const title = neutralLine(sayDecision(decision), TITLE_MAX)
  const summary = explanation(task, attempt, decision)
  if (attempt.state === 'SUPERSEDED' || attempt.state === 'CANCELLED') {
    const why = attempt.state === 'CANCELLED' ? 'Nobody answered in time' : 'Superseded'
    return { status: 'completed', conclusion: 'cancelled', title: why, summary }
  }
  const conclusion = conclusionOf(decision)
  if (conclusion === 'pending') return { status: 'in_progress', conclusion: null, title, summary }
  if (attempt.contract.policy.mode === 'shadow') {
    const shadow = neutralLine(`Shadow mode, this would be: ${sayDecision(decision)}`, TITLE_MAX)
    return { status: 'completed', conclusion: 'neutral', title: shadow, summary }
  }
  return { status: 'completed', conclusion, title, summary }
}

/** The explanation: each stage and its result, why, by whom, and who can change it with which words. */
export function explanation(task: TaskState, attempt: Attempt, decision: Decision): string {
  const facts = factsOf(task, attempt)
  return [
    `**${neutralLine(sayDecision(decision))}**`,
    `${attemptLine(task, attempt)}${decision.by === null ? '' : ` Decided by: ${decision.by.replace('_', ' ')}.`}`,
    stageTable(facts),
    list(
      'Why',
      decision.reasons.map((reason) => neutralLine(sayReason(reason))),
    ),
    list(
      'Warnings',
      [...decision.warnings.map(sayWarning), ...attempt.remarks].map((warning) => neutralLine(warning)),
    ),
    list(
      'What people decided',
      attempt.acts.map((act) => neutralLine(`${act.user} ${sayAct(act)}`)),
    ),
    list('Reviews that do not count', ignoredReviews(facts)),
    list(
      'Results that do not count',
      attempt.refused.map(({ source, why }) => neutralLine(`${source}: ${why}`)),
    ),
    list('Worth a look', (attempt.tier1?.findings ?? []).slice(0, FINDINGS_SHOWN_MAX).map(findingLine)),
    list('Who can change this', decision.who_can_unblock.map(sayUnblock)),
    protectionLine(attempt),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const findingLine = ({ path, line, severity, message }: Tier1Finding): string =>
  `${codeSpan(`${path}:${line}`)} ${severity.toLowerCase()}: ${neutralLine(message)}`

function attemptLine(task: TaskState, attempt: Attempt): string {
  const nth = attemptsUsed(task, attempt) + 1
  const { max_attempts } = attempt.contract.policy.verification.retry
  return attempt.limited ? `Attempt ${nth} of ${max_attempts}.` : `Attempt ${nth}.`
}

/** A gate that nothing enforces must not look like one. */
function protectionLine({ protection, base_ref, check_name }: Attempt): string {
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

export function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `### ${title}\n${lines.map((line) => `- ${line}`).join('\n')}`
}

function stageTable(facts: Facts): string {
  const { attempt } = facts
  const rows = [
    ['Scope', scopeCell(attempt)],
    ['Tier 1', facts.tier1.state === 'running' ? 'waiting' : facts.tier1.state],
    ['Checks', checksCell(attempt)],
    ['Verifier', verifierCell(facts)],
    ['Review', reviewCell(facts)],
    ...(['red_team', 'vision'] as const).flatMap((gate) =>
      facts.policy.security[gate].enabled
        ? [[gate === 'red_team' ? 'Red team' : 'Vision', attempt.gates[gate]?.verdict ?? 'waiting']]
        : [],
    ),
    ...(facts.policy.merge_requires === 'verified' ? [['Confirmation', attempt.confirmed_by?.by ?? 'missing']] : []),
  ]
  return ['| Stage | Result |', '|---|---|', ...rows.map(([stage, result]) => `| ${stage} | ${result} |`)].join('\n')
}

function scopeCell({ files, scope_violations }: Attempt): string {
  if (files === null) return 'waiting'
  const count = `${files.length} changed file${files.length === 1 ? '' : 's'}`
  return scope_violations.length === 0 ? `${count}, all allowed` : `${count}, ${scope_violations.length} not allowed`
}

function checksCell(attempt: Attempt): string {
  const applying = rulesThatApply(attempt)
  const left = attempt.contract.policy.verification.checks.length - applying.length
  const cells = applying.map(({ name, required }) => {
    const result = checkWords(attempt.checks[name])
    return `\`${neutralLine(name)}\` ${result}${required ? '' : ' (advisory)'}`
  })
  if (left > 0) cells.push(`${left} left out by their paths`)
  return cells.length === 0 ? 'none defined' : cells.join('<br>')
}

function checkWords(record: CheckRecord | undefined): string {
  const states = {
    running: 'running',
    passed: 'passed',
    failed: `failed, exit code ${record?.result?.exit_code ?? 1}`,
    timed_out: 'timed out',
    missing: 'never reported',
    left_out: 'left out by its paths',
  } as const satisfies Record<CheckRecord['state'], string>
  return record === undefined ? 'waiting' : states[record.state]
}

function verifierCell({ attempt, verifierOn, verdict }: Facts): string {
  if (!verifierOn) return 'off'
  if (attempt.verifier.phase === 'unavailable') return `unavailable (${attempt.verifier.reason}): not reviewed`
  if (verdict === null) return attempt.verifier.phase === 'running' ? 'reading' : 'waiting'
  const { outcome, confidence } = verdict.verdict
  const words = {
    PASS: 'pass',
    SOFT_FAIL: 'asks for a retry',
    HARD_FAIL: 'stops this task, with proof',
    REFER: 'asks a human to look',
  }
  return `${words[outcome]}${confidence === null ? '' : `, confidence ${confidence}`} (advisory)`
}

function reviewCell({ approvals, task, attempt }: Facts): string {
  const blocked = changesRequestedBefore(task, attempt).map(({ by }) => `changes requested by ${by}`)
  const approved = approvals.map(({ by }) => `approved by ${by}`)
  return [...blocked, ...approved].join('<br>') || 'no approval'
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
    why_not === null ? [] : [`${by} (${state.replace('_', ' ')}): ${why[why_not] ?? why_not}`],
  )
}

/** The comment begins with what to do next; facts and advice for the next attempt follow. */
export function stickyText(task: TaskState, attempt: Attempt, decision: Decision): string {
  const next = decision.who_can_unblock.map((one) => `- ${sayUnblock(one)}`)
  const head = [`### ${mark[decision.status]} ${neutralLine(sayDecision(decision))}`, attemptLine(task, attempt)]
  const parts = [stickyMarker, ...head, next.length === 0 ? '' : `**What to do next**\n${next.join('\n')}`]
  if (decision.status === 'retry' || decision.status === 'failed') {
    const context = retryContext(task, attempt)
    parts.push(
      renderRetryContext(context),
      `<details><summary>For agents</summary>\n\n${retryContextJson(context)}\n\n</details>`,
    )
  }
  const warnings = decision.warnings.map((warning) => `- ${neutralLine(sayWarning(warning))}`)
  if (warnings.length > 0) parts.push(`**Warnings**\n${warnings.join('\n')}`)
  return parts.filter((part) => part !== '').join('\n\n')
}

const mark = {
  pending: '⏳',
  success: '✅',
  retry: '🔁',
  failed: '❌',
  refer: '👀',
} as const satisfies Record<DecisionStatus, string>
