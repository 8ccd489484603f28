// Pull requests, their commits and the issues they close, in our words.
import { z } from 'zod'
import type { CommitMade } from '../../core/people/builders.ts'
import type { IssueText, OpenPull, PullFacts } from '../../ports.ts'
import { account, makerOf } from './accounts.ts'
import type { Found } from './show/found.ts'
import type { Access } from './access.ts'
import { allPages, PER_PAGE } from './pages.ts'
import { isRefusedQuery, orMissing } from './status.ts'

const COMMITS_MAX = 250

const commit = z.object({
  sha: z.string(),
  author: account.nullish().catch(null),
  committer: account.nullish().catch(null),
  commit: z.object({ message: z.string(), tree: z.object({ sha: z.string() }).default({ sha: '' }) }),
})

/** A pull request as it is now, without its commits. */
export type PullNow = Omit<PullFacts, 'tree_sha' | 'commits'> & { readonly found: Found }

export async function pullNow({ octokit, place }: Access, pull_number: number): Promise<PullNow> {
  const { data: pull } = await octokit.rest.pulls.get({ ...place, pull_number, request: { fresh: true } })
  const { comments } = counted.parse(pull)
  return {
    title: pull.title,
    body: pull.body ?? '',
    open: pull.state === 'open',
    draft: pull.draft === true,
    head_sha: pull.head.sha,
    base_ref: pull.base.ref,
    base_is_default: pull.base.ref === pull.base.repo.default_branch,
    conflicts: pull.mergeable === false,
    author: makerOf(account.parse(pull.user ?? { login: 'ghost' })),
    found: { comments, labels: pull.labels.map(({ name }) => name) },
  }
}

/** Where the number is missing, there may be any. */
const counted = z.object({ comments: z.number().default(Infinity) })

type Made = CommitMade & { readonly tree_sha: string }

export async function commitsOf({ octokit, place }: Access, pull_number: number): Promise<Made[]> {
  return allPages(Math.ceil(COMMITS_MAX / PER_PAGE), async (page) => {
    const { data } = await octokit.rest.pulls.listCommits({ ...place, pull_number, per_page: PER_PAGE, page })
    return z
      .array(commit)
      .parse(data)
      .map(({ sha, author, committer, commit: { message, tree } }) => ({
        sha,
        tree_sha: tree.sha,
        author: author ? makerOf(author) : null,
        committer: committer ? makerOf(committer) : null,
        message,
      }))
  })
}

export async function openPulls({ octokit, place }: Access): Promise<readonly OpenPull[]> {
  const pulls = await octokit.paginate(octokit.rest.pulls.list, { ...place, state: 'open', per_page: 100 })
  return pulls.map(({ number, head, base, draft, created_at, updated_at }) => ({
    number,
    head_sha: head.sha,
    base_ref: base.ref,
    base_is_default: base.ref === base.repo.default_branch,
    draft: draft === true,
    created_at,
    updated_at,
  }))
}

const closing = z.object({
  repository: z.object({
    pullRequest: z.object({
      closingIssuesReferences: z.object({
        nodes: z.array(z.object({ number: z.number(), repository: z.object({ nameWithOwner: z.string() }) })),
      }),
    }),
  }),
})
export const closingQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: 20) {
        nodes { number repository { nameWithOwner } }
      }
    }
  }
}`
const issueShape = z.object({ title: z.string(), body: z.string().nullish(), user: account.nullish() })

/** GitHub's own list: keywords and links both count. Issues of other repositories are not tasks of this one. */
export async function closedIssues(access: Access, number: number): Promise<readonly IssueText[]> {
  const { octokit, place } = access
  const names = { owner: place.owner, name: place.repo }
  const answer = await orMissing(octokit.graphql(closingQuery, { ...names, number }))
  if (answer === null) return []
  const own = `${place.owner}/${place.repo}`.toLowerCase()
  const { nodes } = closing.parse(answer).repository.pullRequest.closingIssuesReferences
  const numbers = nodes
    .filter(({ repository }) => repository.nameWithOwner.toLowerCase() === own)
    .map(({ number }) => number)
  return Promise.all(numbers.map((issue) => issueText(access, issue)))
}

export async function issueText(access: Access, number: number): Promise<IssueText> {
  const { octokit, place } = access
  const { data } = await octokit.rest.issues.get({ ...place, issue_number: number })
  const { title, body, user } = issueShape.parse(data)
  const text = body ?? ''
  // Who edited a text last matters only where it holds a block that may loosen something.
  const edited_by = text.includes('countersign')
    ? await editorOf(access, number, user?.login ?? null)
    : (user?.login ?? null)
  return { number, title, body: text, edited_by }
}

const editing = z.object({
  repository: z.object({ issue: z.object({ editor: z.object({ login: z.string() }).nullable() }) }),
})
export const editorQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { editor { login } } }
}`

/** Null, which counts as a builder, where GitHub does not tell. */
async function editorOf({ octokit, place }: Access, number: number, author: string | null): Promise<string | null> {
  try {
    const answer = editing.parse(await octokit.graphql(editorQuery, { owner: place.owner, name: place.repo, number }))
    return answer.repository.issue.editor?.login ?? author
  } catch (error) {
    if (isRefusedQuery(error)) return null
    throw error
  }
}
