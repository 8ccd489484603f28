// Webhooks about issues, their sub-issues and what is said at them: of goals, and of tasks whose words change.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads#sub_issues
import { z } from 'zod'
import { mayCommand } from '../../core/people/read-commands.ts'
import { isGoalLabel } from '../../core/words/labels.ts'
import type { News } from '../../core/news.ts'
import { account, makerOf } from './accounts.ts'
import { reading, type Context } from './payload-reading.ts'

const labels = z.array(z.object({ name: z.string() })).default([])
const issueFields = z.object({ number: z.number(), labels, pull_request: z.unknown().optional().transform(Boolean) })
const isGoal = (issue: z.output<typeof issueFields>): boolean => issue.labels.some(({ name }) => isGoalLabel(name))
const issueShape = z.object({ issue: issueFields, label: z.object({ name: z.string() }).optional() })

/** Of labels only the one that makes an issue a goal is of concern. */
export const issue = reading(issueShape, ({ issue, label }, { action, by }) => {
  if (issue.pull_request || !issueActions.includes(action)) return null
  if (action === 'labeled' && !isGoalLabel(label?.name ?? '')) return null
  return { kind: 'issue_changed', issue: issue.number, is_goal: isGoal(issue), by }
})
const issueActions = ['opened', 'edited', 'closed', 'reopened', 'labeled']

const subIssueShape = z.object({ parent_issue: issueFields })
/** The other side of it is told to the repository of the sub-issue, with a number of another repository. */
export const subIssue = reading(subIssueShape, ({ parent_issue }, { action, by }) =>
  action === 'sub_issue_added' || action === 'sub_issue_removed'
    ? { kind: 'issue_changed', issue: parent_issue.number, is_goal: isGoal(parent_issue), by }
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
  { id, body: text, user, performed_via_github_app: app, created_at: at }: z.output<typeof commentShape>['comment'],
  { action, found }: Pick<Context, 'action' | 'found'>,
): News | null {
  const body = text ?? ''
  if (action !== 'created' || found || !mayCommand(body)) return null
  const said = { comment: id, key: `comment-${id}`, body, by: makerOf(user), through: app?.slug ?? null, at }
  return { kind: 'issue_said', issue, ...said }
}
