// Whoever is to confirm a task is asked once, with what they need for it; and what a merged pull request says until they have.
import type { Attempt, TaskState } from '../decision/model.ts'
import type { Decision } from '../decision/decision.ts'
import { factsOf } from '../decision/gate/facts.ts'
import { eligible } from '../decision/gate/who.ts'
import { builderCalled, isIn } from '../people/separation.ts'
import { attemptFold } from './documents/attempt-json.ts'
import { fitted } from './text/fit.ts'
import { mention } from './text/mention.ts'
import { neutralLine } from './text/neutral.ts'
import { codeSpan, quoted } from './text/untrusted.ts'

const CRITERIA_SHOWN_MAX = 30

/** One comment per pull request, however often it is approved. */
export function toConfirmText(task: TaskState, attempt: Attempt): string {
  return fitted([
    {
      name: null,
      text: `${whom(task, attempt)}: this is approved. Now somebody who neither built nor approved it looks at what it does.`,
    },
    { name: 'the criteria', text: criteria(attempt) },
    { name: 'the evidence', text: evidence(task, attempt) },
    { name: null, text: howTo(attempt) },
  ])
}

/** Those whom the policy names are called; anybody else is told of in words. */
function whom(task: TaskState, attempt: Attempt): string {
  const { verifier } = attempt.contract.policy.roles
  const approvers = task.reviews.filter(({ state, counts }) => counts && state === 'approved').map(({ by }) => by)
  const free = verifier.filter((name) => {
    const person = { login: name, teams: [] }
    return builderCalled(task.builders, { id: null, login: name }) === null && !isIn(approvers, person)
  })
  return free.length > 0 ? free.map(mention).join(' ') : neutralLine(eligible(factsOf(task, attempt), 'verifier'))
}

function criteria({ contract }: Attempt): string {
  const all = contract.acceptance_criteria
  const shown = all.slice(0, CRITERIA_SHOWN_MAX).map((one) => `- [ ] ${neutralLine(one)}`)
  const more = all.length > shown.length ? [`- and ${all.length - shown.length} more`] : []
  return shown.length === 0 ? '' : ['What it has to do:', ...shown, ...more].join('\n')
}

function evidence(task: TaskState, attempt: Attempt): string {
  const { required, verdict } = factsOf(task, attempt)
  const checks = required.map(({ rule, record }) => `- ${codeSpan(rule.name)}: ${record?.state ?? 'not reported'}`)
  const review = verdict === null ? [] : [`- AI review: ${verdict.verdict.outcome.toLowerCase().replace('_', ' ')}`]
  const all = [...checks, ...review]
  return all.length === 0 ? '' : [`What is known of ${codeSpan(attempt.head_sha.slice(0, 7))}:`, ...all].join('\n')
}

const howTo = ({ pull }: Attempt): string =>
  [
    `${codeSpan(`gh pr checkout ${pull}`)} brings it to your machine. Then write here:`,
    '',
    `- ${codeSpan('/task verify <what you looked at>')}`,
    `- ${codeSpan('/task reject <what is wrong>')}`,
  ].join('\n')

/** The body of an issue that is a part of a task. */
export const partText = (task: number, by: string): string =>
  `A part of #${task}, which ${neutralLine(by)} split. #${task} waits for it.`

/** Why a task that was confirmed is not done any more. */
export const regressedText = (why: string, sha: string): string =>
  `This was confirmed, and is taken up again: ${neutralLine(why)} at ${sha.slice(0, 7)}. Another pull request mends it, and somebody confirms it anew.`

/** Merged is not done. */
export function mergedText(task: TaskState, attempt: Attempt, decision: Decision, marker: string): string {
  const { confirmed_by } = attempt
  const isDone = task.status === 'verified'
  const who = neutralLine(eligible(factsOf(task, attempt), 'verifier').replace(/^Somebody/, 'somebody'))
  const isOpenAgain = task.status !== 'completed' && task.status !== 'review'
  const headline = isDone
    ? `Merged, and confirmed by ${neutralLine(confirmed_by?.by ?? task.confirmers.at(-1)?.login ?? 'somebody')}`
    : isOpenAgain
      ? 'Merged, and taken up again: another pull request mends it'
      : `Merged, waits for verification by ${who}`
  return fitted([
    { name: null, text: marker },
    { name: null, text: `**${headline}**` },
    { name: null, text: isDone ? quoted(confirmed_by?.notes ?? '') : isOpenAgain ? '' : howTo(attempt) },
    { name: 'the criteria', text: isDone ? '' : criteria(attempt) },
    { name: null, text: attemptFold(task, attempt, decision) },
  ])
}
