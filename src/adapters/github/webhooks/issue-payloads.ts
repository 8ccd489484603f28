// Webhooks about issues, their sub-issues and what is said at them: of goals, of requests, and of tasks whose words change.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads#sub_issues
import { z } from 'zod'
import { mayCommand } from '../../../core/people/read-commands.ts'
import { isGoalLabel, isRequestLabel } from '../../../core/words/labels.ts'
import type { IssueSaid } from '../../../core/news.ts'
import { account, makerOf } from '../people/accounts.ts'
import { commentKey } from '../people/heard-keys.ts'
import { reading, type Context } from './payload-reading.ts'

const labels = z.array(z.object({ name: z.string() })).default([])
const issueFields = z.object({
  number: z.number(),
  labels,
  state_reason: z.string().nullish(),
  pull_request: z.unknown().optional().transform(Boolean),
})
const marks = ({ labels: all }: z.output<typeof issueFields>) => ({
  is_goal: all.some(({ name }) => isGoalLabel(name)),
  is_request: all.some(({ name }) => isRequestLabel(name)),
})
/** Of a text nothing is kept but whether it may hold the block of a task. */
const naming = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => /countersign/i.exec(text ?? '')?.[0] ?? '')
const issueShape = z.object({
  issue: issueFields.extend({ body: naming }),
  label: z.object({ name: z.string() }).optional(),
})

/** Of labels only those are of concern that make an issue a goal or a request. */
export const issue = reading(issueShape, ({ issue, label }, { action, by }) => {
  if (issue.pull_request || !issueActions.includes(action)) return null
  const put = action === 'labeled' ? (label?.name ?? '') : ''
  const labelled = isGoalLabel(put) ? 'goal' : isRequestLabel(put) ? 'request' : null
  if (action === 'labeled' && labelled === null) return null
  if (action === 'unlabeled' && !isGoalLabel(label?.name ?? '') && !isRequestLabel(label?.name ?? '')) return null
  const done = action === 'closed' && issue.state_reason !== 'not_planned'
  const named = issue.body === '' ? {} : { names_us: true }
  return { kind: 'issue_changed', issue: issue.number, ...marks(issue), labelled, done, ...named, by }
})
const issueActions = ['opened', 'edited', 'closed', 'reopened', 'labeled', 'unlabeled']

const subIssueShape = z.object({ parent_issue: issueFields })
/** The other side of it is told to the repository of the sub-issue, with a number of another repository. */
export const subIssue = reading(subIssueShape, ({ parent_issue }, { action, by }) =>
  action === 'sub_issue_added' || action === 'sub_issue_removed'
    ? { kind: 'issue_changed', issue: parent_issue.number, ...marks(parent_issue), labelled: null, done: false, by }
    : null,
)

const dependencyShape = z.object({ blocked_issue: issueFields })
/** The other side of it is told to the repository of what blocks. */
export const dependency = reading(dependencyShape, ({ blocked_issue }, { action }) =>
  action === 'blocked_by_added' || action === 'blocked_by_removed'
    ? { kind: 'dependencies_changed', issue: blocked_issue.number }
    : null,
)

export const commentShape = z.object({
  issue: z.object({ number: z.number(), pull_request: z.unknown().optional().transform(Boolean) }),
  comment: z.object({
    id: z.number(),
    body: z.string().nullable(),
    created_at: z.string().default(''),
    updated_at: z.string().default(''),
    user: account,
    performed_via_github_app: z.object({ slug: z.string() }).nullish(),
  }),
})

export function atIssue(
  issue: number,
  comment: z.output<typeof commentShape>['comment'],
  { action, found }: Pick<Context, 'action' | 'found'>,
): IssueSaid | null {
  const { id, user, performed_via_github_app: app, created_at: at } = comment
  const body = comment.body ?? ''
  if (action !== 'created' || !mayCommand(body)) return null
  return {
    kind: 'issue_said',
    issue,
    comment: id,
    key: commentKey(id),
    body,
    by: makerOf(user),
    through: app?.slug ?? null,
    at,
    found: found ? foundAs(comment) : null,
  }
}

/** Whether a comment that we came across still says what it said at first. */
export function foundAs({
  created_at,
  updated_at,
}: Pick<z.output<typeof commentShape>['comment'], 'created_at' | 'updated_at'>): 'as it was' | 'edited' {
  return updated_at > created_at ? 'edited' : 'as it was'
}
