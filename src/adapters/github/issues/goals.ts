// Goals on GitHub: issues, their sub-issues, the issues that we make, and how the default branch stands.
// https://docs.github.com/en/rest/issues/sub-issues
import { z } from 'zod'
import type { StandingCheck } from '../../../core/goals/judge-goal.ts'
import { goalLabelName, isGoalLabel } from '../../../core/words/labels.ts'
import type { GoalBoard, GoalSeen, IssueWish } from '../../../core/goals/goal-board.ts'
import { account, makerOf } from '../people/accounts.ts'
import { botOf, type Access } from '../access.ts'
import { closingAndEdits } from './closing-and-edits.ts'
import { issueAt, labelsOn, listedFor, type IssueRead } from './issues.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { fitting } from '../show/fitting.ts'
import { isForGood } from '../show/courtesy.ts'
import { statusOf } from '../status.ts'

/** GitHub allows a hundred. https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/adding-sub-issues */
const SUB_ISSUE_PAGES_MAX = 2
const RUN_PAGES_MAX = 10

export function goalBoard(access: Access): GoalBoard {
  const { octokit, place } = access
  return {
    read: (number) => read(access, number),
    link: (goal, task, linked) => link(access, goal, task, linked),
    make: (wish) => made(access, wish),
    reopen: async (issue_number) => {
      await octokit.rest.issues.update({ ...place, issue_number, state: 'open' })
      await octokit.rest.issues.addLabels({ ...place, issue_number, labels: [goalLabelName] })
    },
    integration: (checks) => integration(access, checks),
  }
}

async function read(access: Access, number: number): Promise<GoalSeen | null> {
  const { octokit } = access
  const [issue, below] = await Promise.all([
    issueAt(access, number),
    listedFor(access, number, {
      what: 'the sub-issues',
      pagesMax: SUB_ISSUE_PAGES_MAX,
      ask: (page) => octokit.rest.issues.listSubIssues(page),
      counted: (one) => one.sub_issues_summary?.total,
    }),
  ])
  if (issue === null || below === null || issue.pull_request) return null
  const untold = issue.state === 'open' ? null : await closingAndEdits(access, issue)
  if (issue.state !== 'open' && untold === null) return null
  const here = below.filter((one) => one.repository_url === issue.repository_url)
  return {
    title: issue.title,
    open: issue.state === 'open',
    is_goal: bearsGoal(issue),
    by: makerOf(issue.user ?? account.parse({ login: 'ghost' })),
    closing: untold?.closing ?? null,
    tasks: here.map((one) => ({
      number: one.number,
      title: one.title,
      body: one.body ?? '',
      open: one.state === 'open',
      is_goal: bearsGoal(one),
      may_wait: one.issue_dependencies_summary?.total_blocked_by !== 0,
    })),
    elsewhere: below.filter((one) => !here.includes(one)).map(nameElsewhere),
  }
}

const bearsGoal = (issue: IssueRead): boolean => labelsOn(issue).some(isGoalLabel)

const nameElsewhere = ({ repository_url, number }: IssueRead): string =>
  `${repository_url.split('/').slice(-2).join('/')}#${number}`

/** Where it is so already GitHub says that as an error, which is looked up instead of believed. */
async function link(access: Access, goal: number, task: number, linked: boolean): Promise<string | null> {
  const { octokit, place } = access
  const issue = await issueAt(access, task)
  if (issue === null) return 'there is no such issue'
  if (issue.pull_request) return 'it is a pull request; a task is an issue that pull requests close'
  const about = { ...place, issue_number: goal, sub_issue_id: issue.id }
  try {
    if (linked) await octokit.rest.issues.addSubIssue(about)
    else await octokit.rest.issues.removeSubIssue(about)
    return null
  } catch (error) {
    if (!isForGood(error)) throw error
    const isSo = (await read(access, goal))?.tasks.some(({ number }) => number === task) ?? false
    return isSo === linked ? null : `GitHub refuses it (${statusOf(error) ?? 'no answer'}). It may have another parent`
  }
}

/** A process may have died between making it and knowing that it did: what bears the mark is there. */
async function made(access: Access, { title, body, labels, mark }: IssueWish): Promise<number> {
  const { octokit, place } = access
  const hidden = `<!-- countersign:made ${mark} -->`
  const recent = {
    ...place,
    creator: botOf(access),
    state: 'all',
    per_page: PER_PAGE,
    request: { fresh: true },
  } as const
  const known = (await octokit.rest.issues.listForRepo(recent)).data.find((one) => one.body?.startsWith(hidden))
  if (known !== undefined) return known.number
  const text = fitting(`${hidden}\n${body}`, 'comment')
  const { data } = await octokit.rest.issues.create({ ...place, title, body: text, labels: [...labels] })
  return data.number
}

const runs = z.array(
  z.object({ name: z.string(), conclusion: z.string().nullable(), app: z.object({ id: z.number() }).nullish() }),
)

/** Several runs may bear one name: it is green where all of them are. Our own say nothing about the product. */
async function integration(access: Access, checks: readonly string[]): Promise<readonly StandingCheck[]> {
  const { octokit, place, app } = access
  if (checks.length === 0) return []
  const { data: commits } = await octokit.rest.repos.listCommits({ ...place, per_page: 1, request: { fresh: true } })
  const sha = commits[0]?.sha ?? ''
  const asked = { ...place, ref: sha, filter: 'latest', per_page: PER_PAGE, request: { fresh: true } } as const
  const all = await allPages(RUN_PAGES_MAX, async (page) => {
    const { data } = await octokit.rest.checks.listForRef({ ...asked, page })
    return runs.parse(data.check_runs)
  })
  return checks.map((check) => {
    const named = all.filter(({ name, app: by }) => name === check && by?.id !== app)
    const worst = named.find(({ conclusion }) => conclusion !== 'success') ?? named[0]
    return { check, conclusion: worst === undefined ? null : (worst.conclusion ?? 'still running'), sha }
  })
}
