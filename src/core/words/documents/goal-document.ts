// `countersign/goal@1`: where a goal stands, as one document for programs. The same bytes stand in its board, and are given by
// the App and MCP; derived from state alone.
import { z } from 'zod'
import { leadWords } from '../../goals/judge-goal.ts'
import type { GoalState, GoalStatus, GoalTask } from '../../goals/goal.ts'
import type { TaskStatus } from '../../decision/model.ts'
import { upTo } from '../../visible.ts'
import { jsonText } from './attempt-json.ts'
import { bytesOf } from '../text/fit.ts'
import { fenced } from '../text/untrusted.ts'

export const GOAL_SCHEMA = 'countersign/goal@1'

const statuses = ['pending', 'assigned', 'in_progress', 'review', 'completed', 'verified'] as const
const text = z.string()
const count = z.int().min(0)

export const goalSchema = z.object({
  schema: z.literal(GOAL_SCHEMA),
  goal_id: text.describe('`owner/repo#n`, where n is its issue.'),
  title: text,
  status: z.enum(['open', 'active', 'pending_verify', 'verified']),
  open: z.boolean().describe('Whether its issue is open.'),
  headline: text,
  round: count.describe('How often all its tasks were verified.'),
  counts: z.object({
    pending: count,
    assigned: count,
    in_progress: count,
    review: count,
    completed: count,
    verified: count,
  }),
  tasks: z.array(
    z.object({
      task_id: text,
      title: text,
      status: z.enum(statuses),
      pull: count.nullable().describe('The pull request that was judged last.'),
      who: text.nullable().describe('Whose turn it is, or whose it was last.'),
      blocked_by: z.array(text).default([]).describe('Tasks that have to be verified before it.'),
    }),
  ),
  left_out: z.array(text).describe('Sub-issues that are not counted, with the reason.'),
  integration_checks: z.array(text).describe('What must be green on the default branch when it is confirmed.'),
  confirmed: z.object({ by: text, notes: text, evidence: z.array(text) }).nullable(),
  sent_back: z.array(
    z.object({ by: text, reason: text, fixes: z.array(z.object({ title: text, number: count.nullable() })) }),
  ),
  unblock: z
    .array(z.object({ who: text, words: text }))
    .describe('Who can take it further, with which words. They are for people.'),
  truncated: z.array(text).describe('The fields that do not show everything.'),
})
export type GoalDocument = z.output<typeof goalSchema>

const BLOCKERS_MAX = 10
/** Leaves room for people on the board. */
const DOCUMENT_BYTES_MAX = 24_000
const limits = [
  { tasks: 100, sent_back: 10, text: 1_000 },
  { tasks: 60, sent_back: 3, text: 120 },
  { tasks: 20, sent_back: 1, text: 60 },
] as const

export function goalJson(goal: GoalState): string {
  let json = ''
  for (const limit of limits) {
    json = jsonText(goalDocument(goal, limit))
    if (bytesOf(json) <= DOCUMENT_BYTES_MAX) return json
  }
  return json
}

/** Folded, for its board. */
export const goalFold = (goal: GoalState): string =>
  goal.status === 'none'
    ? ''
    : `<details><summary>For agents</summary>\n\n${fenced(goalJson(goal), 'json')}\n\n</details>`

function goalDocument(goal: GoalState, limit: (typeof limits)[number]): GoalDocument {
  const truncated = new Set<string>()
  const cut = (field: string, words: string): string => {
    if (words.length > limit.text) truncated.add(field)
    return upTo(words, limit.text)
  }
  const some = <T>(field: string, all: readonly T[], max: number): T[] => {
    if (all.length > max) truncated.add(field)
    return all.slice(-max)
  }
  const { goal_id, tasks, rejections, confirmed } = goal
  const named = (number: number): string => goal_id.replace(/#\d+$/, `#${number}`)
  return {
    schema: GOAL_SCHEMA,
    goal_id,
    title: cut('title', goal.title),
    status: goal.status === 'none' ? 'open' : goal.status,
    open: goal.closed === null,
    headline: goalHeadline(goal),
    round: goal.rounds,
    counts: countsOf(tasks),
    tasks: some('tasks', tasks, limit.tasks).map(({ number, title, status, pull, who, blocked_by = [] }) => ({
      task_id: named(number),
      title: cut('tasks', title),
      status: status === 'none' ? 'pending' : status,
      pull,
      who,
      blocked_by: some('tasks', blocked_by, BLOCKERS_MAX),
    })),
    left_out: some('left_out', goal.left_out, limit.tasks),
    integration_checks: [...goal.terms.integration_checks],
    confirmed:
      confirmed === null
        ? null
        : { by: confirmed.by, notes: cut('confirmed', confirmed.notes), evidence: [...confirmed.evidence] },
    sent_back: some('sent_back', rejections, limit.sent_back).map(({ by, reason, fixes }) => ({
      by,
      reason: cut('sent_back', reason),
      fixes: some('sent_back', fixes, limit.tasks).map(({ title, number }) => ({
        title: cut('sent_back', title),
        number,
      })),
    })),
    unblock: unblockOf(goal),
    truncated: [...truncated],
  }
}

/** Where it stands in one line. */
export function goalHeadline({ status, tasks, confirmed, terms }: GoalState): string {
  const done = tasks.filter((task) => task.status === 'verified').length
  const verified = `${done} of ${tasks.length} task${tasks.length === 1 ? '' : 's'} verified`
  const size = tasks.length > terms.max_tasks ? `, more than the ${terms.max_tasks} that a goal should have` : ''
  return `${states[status]}: ${status === 'verified' ? `confirmed by ${confirmed?.by ?? ''}` : verified}${size}`
}

const states = {
  none: 'Not a goal',
  open: 'Not begun',
  active: 'In work',
  pending_verify: 'Waits to be confirmed',
  verified: 'Verified',
} as const satisfies Record<GoalStatus, string>

function countsOf(tasks: readonly GoalTask[]): GoalDocument['counts'] {
  const of = (wanted: TaskStatus): number => tasks.filter(({ status }) => status === wanted).length
  return {
    pending: of('pending') + of('none'),
    assigned: of('assigned'),
    in_progress: of('in_progress'),
    review: of('review'),
    completed: of('completed'),
    verified: of('verified'),
  }
}

function unblockOf(goal: GoalState): GoalDocument['unblock'] {
  const who = leadWords(goal.terms).join(' or ')
  if (goal.status === 'pending_verify')
    return [
      { who, words: '/goal verify <what was tried, and what came of it>' },
      { who, words: '/goal reject <what is wrong>' },
    ]
  return goal.status === 'verified' ? [] : [{ who, words: '/goal link #<issue>' }]
}
