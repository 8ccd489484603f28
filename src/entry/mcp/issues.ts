// Issues as whoever calls a tool sees and changes them, with their own token: goals and tasks are issues, and GitHub keeps
// who made them, who works on them and which belongs to which.
import type { Octokit } from '@octokit/rest'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { isGoalLabel, requestLabelName } from '../../core/words/labels.ts'
import { stickyMarker } from '../../core/words/report.ts'
import { labelPrefix } from '../../core/people/act.ts'
import type { PullNamed } from '../attempts/pull-named.ts'
import { allPages, PER_PAGE } from '../../adapters/github/pages.ts'
import { byOurApp, type Judges } from '../attempts/our-app.ts'
import { Refused } from './refused.ts'
import { listed, placeOf, threadOf, understood } from './understood.ts'

export type IssueSeen = {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly url: string
  readonly open: boolean
  readonly assignees: readonly string[]
  /** The label of a goal is on it; `is_followed`: the App took it for one. */
  readonly is_goal: boolean
  readonly is_followed: boolean
  /** Somebody who belongs to the repository wrote it. */
  readonly by_member: boolean
  readonly labels: readonly string[]
  /** How many open issues block it, where GitHub tells. */
  readonly blockers: number
}
export type IssueMade = { readonly issue: IssueSeen; readonly made_before: boolean }
export type IssueWish = {
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
}
/** An open pull request: whose it is, and which issues it closes. */
export type PullSeen = { readonly number: number; readonly author: string; readonly closes: readonly number[] }

export type Issues = {
  /** Null where there is none, and where it is a pull request. */
  readonly read: (named: PullNamed) => Promise<IssueSeen | null>
  /** The same words of the same person make one issue. `once` tells them apart. */
  readonly make: (repository: string, wish: IssueWish, once: string) => Promise<IssueMade>
  /** False where GitHub does not let this token assign them. */
  readonly assign: (named: PullNamed, login: string) => Promise<boolean>
  /** False where somebody else has it. */
  readonly claim: (named: PullNamed, login: string) => Promise<boolean>
  /** Its sub-issues in its repository. */
  readonly below: (goal: PullNamed) => Promise<readonly IssueSeen[]>
  /** The open issues that block it, by name. */
  readonly blockedBy: (named: PullNamed) => Promise<readonly string[]>
  readonly open: (repository: string) => Promise<readonly IssueSeen[]>
  /** The open issues with the label of requests, the oldest first. */
  readonly requests: (repository: string) => Promise<readonly IssueSeen[]>
  readonly pulls: (repository: string) => Promise<readonly PullSeen[]>
  /** Whether the App took an issue for a goal; in its words why not. Null where it did not answer. */
  readonly followed: (named: PullNamed) => Promise<true | string | null>
  /** What the App said there last, besides what it edits in place; null where it said nothing. */
  readonly answer: (named: PullNamed) => Promise<string | null>
}

/** Of what somebody made there, the newest first: what is older is made again where it is asked for again. */
const OWN_PAGES_MAX = 10
const PULL_PAGES_MAX = 5
const LOOK_MS = 500

export type Parts = { readonly octokit: Octokit; readonly judges: Judges; readonly answerMsMax: number }

export function issuesWith({ octokit, judges, answerMsMax }: Parts): Issues {
  const read = async (named: PullNamed): Promise<IssueSeen | null> => {
    const { data } = await understood(
      octokit.rest.issues.get({ ...placeOf(named), issue_number: named.number }),
      'see that issue',
    )
    return seen(data)
  }
  const answer = async (named: PullNamed): Promise<string | null> => {
    const asked = { ...placeOf(named), issue_number: named.number, per_page: PER_PAGE }
    const comments = await listed('comments', (page) => octokit.rest.issues.listComments({ ...asked, page }))
    const ours = await byOurApp(judges, threadOf(named), comments)
    return ours.findLast(({ body = stickyMarker }) => !body.startsWith(stickyMarker))?.body ?? null
  }
  return {
    read,
    answer,
    make: (repository, wish, once) => made(octokit, repository, wish, once),
    assign: async (named, login) => {
      const asked = { ...placeOf(named), issue_number: named.number, assignees: [login] }
      const given = await octokit.rest.issues.addAssignees(asked).catch(() => null)
      return given?.data.assignees?.some((one) => isNamed(one, login)) === true
    },
    claim: async (named, login) => {
      const place = { ...placeOf(named), issue_number: named.number }
      const before = await read(named)
      if (before === null) throw new Refused('There is no such issue.')
      if (before.assignees.length > 0) return before.assignees.includes(login)
      const asked = octokit.rest.issues.addAssignees({ ...place, assignees: [login] })
      const now = seen((await understood(asked, 'take up that issue')).data)?.assignees ?? []
      if (!now.includes(login))
        throw new Refused(
          'GitHub lets only somebody with write permission take up an issue, or whoever takes part in it.',
        )
      if (now.length === 1) return true
      // Others were as fast: whoever does not see only themselves steps back.
      await understood(octokit.rest.issues.removeAssignees({ ...place, assignees: [login] }), 'leave that issue')
      return false
    },
    below: async (goal) => {
      const asked = { ...placeOf(goal), issue_number: goal.number, per_page: PER_PAGE }
      const tasks = await listed('tasks of that goal', (page) => octokit.rest.issues.listSubIssues({ ...asked, page }))
      const isHere = ({ repository_url }: { readonly repository_url: string }): boolean =>
        repository_url.toLowerCase().endsWith(`/${goal.repository.toLowerCase()}`)
      return tasks.filter(isHere).flatMap((one) => seen(one) ?? [])
    },
    blockedBy: async (named) => {
      const asked = { ...placeOf(named), issue_number: named.number, per_page: PER_PAGE }
      const blockers = await listed('issues that block it', (page) =>
        octokit.rest.issues.listDependenciesBlockedBy({ ...asked, page }),
      )
      const open = blockers.filter(({ state }) => state === 'open')
      return open.map(({ repository_url, number }) => `${repository_url.split('/').slice(-2).join('/')}#${number}`)
    },
    open: (repository) => openIssues(octokit, repository),
    requests: (repository) => openIssues(octokit, repository, requestLabelName),
    pulls: (repository) => openPulls(octokit, repository),
    followed: async (named) => {
      const until = performance.now() + answerMsMax
      for (;;) {
        if ((await read(named))?.is_followed === true) return true
        const refusal = await answer(named)
        if (refusal !== null || performance.now() > until) return refusal
        await delay(LOOK_MS)
      }
    },
  }
}

async function openIssues(octokit: Octokit, repository: string, label?: string): Promise<readonly IssueSeen[]> {
  const wanted = { ...placeOf({ repository }), state: 'open', direction: 'asc', per_page: PER_PAGE } as const
  const marked = label === undefined ? wanted : { ...wanted, labels: label }
  const all = await listed('open issues', (page) => octokit.rest.issues.listForRepo({ ...marked, page }))
  return all.flatMap((one) => seen(one) ?? [])
}

const isNamed = (one: { readonly login: string }, login: string): boolean =>
  one.login.toLowerCase() === login.toLowerCase()

type IssueRead = {
  readonly number: number
  readonly title: string
  readonly body?: string | null
  readonly html_url: string
  readonly state: string
  readonly labels: readonly (string | { readonly name?: string })[]
  readonly assignees?: readonly { readonly login: string }[] | null
  readonly author_association?: string
  readonly pull_request?: unknown
  readonly issue_dependencies_summary?: { readonly blocked_by: number }
}

function seen(issue: IssueRead): IssueSeen | null {
  if (issue.pull_request !== undefined) return null
  const labels = issue.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body ?? '',
    url: issue.html_url,
    open: issue.state === 'open',
    assignees: (issue.assignees ?? []).map(({ login }) => login),
    labels,
    is_goal: labels.some(isGoalLabel),
    is_followed: labels.some((label) => label.startsWith(`${labelPrefix}goal-`)),
    by_member: ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(issue.author_association ?? ''),
    blockers: issue.issue_dependencies_summary?.blocked_by ?? 0,
  }
}

/** What was made at the same moment for the same call is closed again, all but the first. */
async function made(octokit: Octokit, repository: string, wish: IssueWish, once: string): Promise<IssueMade> {
  const place = placeOf({ repository })
  const mark = `<!-- countersign:once ${once} -->`
  const creator = (await octokit.rest.users.getAuthenticated()).data.login
  const alike = async (): Promise<readonly IssueSeen[]> => {
    const own = await allPages(OWN_PAGES_MAX, async (page) => {
      const asked = octokit.rest.issues.listForRepo({ ...place, creator, state: 'all', per_page: PER_PAGE, page })
      return (await understood(asked, 'see its issues')).data
    })
    return own.flatMap((one) => (one.body?.endsWith(mark) === true ? (seen(one) ?? []) : []))
  }
  const first = (all: readonly IssueSeen[]): IssueSeen | undefined =>
    all.toSorted((one, other) => one.number - other.number)[0]
  const before = first(await alike())
  if (before !== undefined) return { issue: before, made_before: true }
  const { title, body, labels } = wish
  const text = body === '' ? mark : `${body}\n\n${mark}`
  const asked = { ...place, title, body: text, labels: [...labels] }
  const issue = seen((await understood(octokit.rest.issues.create(asked), 'open an issue there')).data)
  if (issue === null) throw new Refused('GitHub made no issue.')
  const oldest = first(await alike())
  if (oldest === undefined || oldest.number >= issue.number) return { issue, made_before: false }
  const closing = { ...place, issue_number: issue.number, state: 'closed', state_reason: 'not_planned' } as const
  await understood(octokit.rest.issues.update(closing), 'close an issue that was made twice')
  return { issue: oldest, made_before: true }
}

const query = `query ($owner: String!, $repo: String!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequests(states: [OPEN], first: ${PER_PAGE}, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number
        author { login }
        closingIssuesReferences(first: 20) { nodes { number repository { nameWithOwner } } }
      }
    }
  }
}`
const pullsShape = z.object({
  repository: z.object({
    pullRequests: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(
        z.object({
          number: z.number(),
          author: z.object({ login: z.string() }).nullable(),
          closingIssuesReferences: z.object({
            nodes: z.array(z.object({ number: z.number(), repository: z.object({ nameWithOwner: z.string() }) })),
          }),
        }),
      ),
    }),
  }),
})

/** https://docs.github.com/en/graphql/reference/objects#pullrequest */
async function openPulls(octokit: Octokit, repository: string): Promise<readonly PullSeen[]> {
  const all: PullSeen[] = []
  let after: string | null = null
  for (let page = 1; page <= PULL_PAGES_MAX; page += 1) {
    const asked: Promise<unknown> = octokit.graphql(query, { ...placeOf({ repository }), after })
    const { pageInfo, nodes } = pullsShape.parse(await understood(asked, 'see its pull requests')).repository
      .pullRequests
    for (const { number, author, closingIssuesReferences } of nodes) {
      const own = closingIssuesReferences.nodes.filter(
        (one) => one.repository.nameWithOwner.toLowerCase() === repository.toLowerCase(),
      )
      all.push({ number, author: author?.login ?? '', closes: own.map((one) => one.number) })
    }
    if (!pageInfo.hasNextPage) return all
    after = pageInfo.endCursor
  }
  throw new Refused(`${repository} has more open pull requests than can be looked through: name a goal, or a task.`)
}
