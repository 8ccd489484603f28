// What a goal's issue shows: where it stands, which task waits for whom, and what may be done next. Composed from state
// alone, so that the same state always gives the same bytes.
import { leadWords } from '../../goals/judge-goal.ts'
import type { GoalState, GoalTask } from '../../goals/goal.ts'
import type { TaskStatus } from '../../decision/model.ts'
import { fitted } from '../text/fit.ts'
import { labelPrefix } from '../../people/act.ts'
import { goalFold, goalHeadline } from '../documents/goal-document.ts'
import { neutralLine } from '../text/neutral.ts'
import { stickyMarker } from '../report.ts'
import { cell, codeSpan, quoted } from '../text/untrusted.ts'
import { repositoryIn } from '../../names.ts'

const TASKS_SHOWN_MAX = 100
const BLOCKERS_SHOWN_MAX = 5

const headline = (goal: GoalState): string => neutralLine(goalHeadline(goal))

export const goalLabel = ({ status }: GoalState): string => `${labelPrefix}goal-${status.replaceAll('_', '-')}`

export function boardText(goal: GoalState): string {
  return fitted([
    { name: null, text: stickyMarker },
    { name: null, text: `**${headline(goal)}**` },
    { name: null, text: nextStep(goal) },
    { name: 'the tasks', text: taskTable(goal) },
    { name: 'what is no task', text: goal.left_out.map((one) => `- ${neutralLine(one)}`).join('\n') },
    { name: 'what was wrong', text: goal.rejections.map(rejectionText).join('\n\n') },
    { name: null, text: goalFold(goal) },
  ])
}

function nextStep(goal: GoalState): string {
  const leads = leadWords(goal.terms).map(name).join(' or ')
  const checks = goal.terms.integration_checks.map(codeSpan).join(', ')
  switch (goal.status) {
    case 'pending_verify':
      return [
        `Every task is verified. Now ${leads} tries the whole, and writes:`,
        '',
        `- ${codeSpan('/goal verify <what was tried, and what came of it>')}${checks === '' ? '' : `; ${checks} must be green on the default branch then`}`,
        `- ${codeSpan('/goal reject <what is wrong>')}, and below it a list of what mends it: each line becomes a task`,
      ].join('\n')
    case 'verified': {
      const { notes = '', evidence = [] } = goal.confirmed ?? {}
      return [quoted(notes), ...evidence.map((line) => `- ${neutralLine(line)}`)].join('\n')
    }
    case 'active':
    case 'open':
    case 'none': {
      if (goal.awaits_change)
        return `It was sent back. ${leads} links what mends it: ${codeSpan('/goal link #12')}, or a sub-issue.`
      if (goal.tasks.length > 0)
        return `Its tasks are below; ${leads} links another with ${codeSpan('/goal link #12')} or as a sub-issue.`
      return `It has no tasks yet: ${leads} links them with ${codeSpan('/goal link #12')}, or as sub-issues of this one.`
    }
  }
}

function taskTable({ tasks, goal_id }: GoalState): string {
  if (tasks.length === 0) return ''
  const rows = tasks.slice(0, TASKS_SHOWN_MAX).map((task) => {
    const title = cell(neutralLine(task.title))
    const blocked = blockedText(task, goal_id)
    return `| #${task.number} ${title} | ${words[task.status]} | ${cell(`${blocked}${waitsFor(task)}`)} |`
  })
  const more = tasks.length > TASKS_SHOWN_MAX ? [`\n${tasks.length - TASKS_SHOWN_MAX} more are not shown.`] : []
  return ['| Task | State | Waits for |', '|---|---|---|', ...rows, ...more].join('\n')
}

const words = {
  none: 'not begun',
  pending: 'not begun',
  assigned: 'assigned',
  in_progress: 'in work',
  review: 'in review',
  completed: 'approved',
  verified: 'verified',
} as const satisfies Record<TaskStatus, string>

/** What comes before it; those of the same repository by their numbers. */
function blockedText({ blocked_by = [] }: GoalTask, goal_id: string): string {
  const repository = repositoryIn(goal_id)
  const names = blocked_by
    .slice(0, BLOCKERS_SHOWN_MAX)
    .map((one) => (one.startsWith(`${repository}#`) ? one.slice(repository.length) : codeSpan(one)))
  const more = blocked_by.length - names.length
  return names.length === 0 ? '' : `blocked by ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}; `
}

/** Whose turn it is at a task. */
export function waitsFor({ status, who, pull }: GoalTask): string {
  const whom = who === null ? 'somebody' : name(who)
  const there = pull === null ? '' : ` in #${pull}`
  switch (status) {
    case 'none':
    case 'pending':
      return 'somebody to take it up'
    case 'assigned':
      return `${whom} to begin`
    case 'in_progress':
      return `${whom}${there}`
    case 'review':
      return `checks, and whoever reviews${there}`
    case 'completed':
      return `somebody else to confirm it${there}: ${codeSpan('/task verify')}`
    case 'verified':
      return `nobody: confirmed${who === null ? '' : ` by ${whom}`}`
  }
}

function rejectionText({ by, reason, fixes }: GoalState['rejections'][number]): string {
  const listed = fixes.map(({ title, number }) => `- ${neutralLine(title)}${number === null ? '' : ` (#${number})`}`)
  return [`Sent back by ${name(by)}:`, quoted(reason), ...listed].join('\n')
}

const name = (login: string): string => neutralLine(login)

/** Why an issue that somebody closed is open again. */
export const reopenedText = (goal: GoalState): string =>
  `This goal is not verified, so it is open again: ${headline(goal)}. ${leadWords(goal.terms).map(name).join(' or ')} may close it all the same, and then its tasks belong to no goal any more.`

export const notLinkedText = (number: number, why: string): string =>
  `#${number} could not be linked or unlinked: ${neutralLine(why)}`

/** The body of an issue that mends what was wrong with a goal. */
export const fixText = (goal: GoalState, rejection: GoalState['rejections'][number]): string =>
  `A task of #${goal.number}, which ${name(rejection.by)} sent back:\n\n${quoted(rejection.reason)}`
