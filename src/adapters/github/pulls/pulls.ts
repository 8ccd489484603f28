// Pull requests, their commits and the issues they close, in our words.
import { z } from 'zod'
import type { CommitMade } from '../../../core/people/builders.ts'
import type { Maker } from '../../../core/people/people.ts'
import type { IssueText } from '../../../core/issue-boards.ts'
import type { BaseNow, OpenPull, PullFacts, PullNow, PullState } from '../../../ports.ts'
import { account, actor, actorFields, makerOf, makerOfActor } from '../people/accounts.ts'
import type { Found } from '../show/found.ts'
import type { Access } from '../access.ts'
import { closedNumbers, namedIn, neverLinked } from '../issues/closed-issues.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { isRefusedQuery, orGone, statusOf } from '../status.ts'
import { isGraphqlAway } from '../traffic/graphql-away.ts'

/** GitHub names no more. https://docs.github.com/en/rest/pulls/pulls#list-commits-on-a-pull-request */
export const COMMITS_MAX = 250

const commit = z.object({
  sha: z.string(),
  author: account.nullish().catch(null),
  committer: account.nullish().catch(null),
  parents: z.array(z.object({ sha: z.string() })).default([]),
  commit: z.object({ message: z.string(), tree: z.object({ sha: z.string() }).default({ sha: '' }) }),
})

/** A pull request of a stack is judged by the base of the stack, as GitHub holds it against that branch's rules. */
const based = z.object({
  base: z.object({ ref: z.string(), repo: z.object({ default_branch: z.string() }) }),
  stack: z.object({ base: z.object({ ref: z.string() }) }).nullish(),
})

export function baseOf(pull: unknown): BaseNow {
  const { base, stack } = based.parse(pull)
  const base_ref = stack?.base.ref ?? base.ref
  return { base_ref, base_is_default: base_ref === base.repo.default_branch, merges_into: base.ref }
}

const headed = z.object({ head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }) })

/** Null where it lies in another repository. */
function headBranch({ place }: Access, pull: unknown): string | null {
  const { head } = headed.parse(pull)
  return head.repo?.full_name.toLowerCase() === `${place.owner}/${place.repo}`.toLowerCase() ? head.ref : null
}

/** Read now, so that it is not older than the question. */
export async function nowOf(access: Access, pull_number: number): Promise<PullNow | null> {
  const state = await stateOf(access, pull_number)
  return state.kind === 'open' ? state.now : null
}

export async function stateOf({ octokit, place }: Access, pull_number: number): Promise<PullState> {
  const { data } = await octokit.rest.pulls.get({ ...place, pull_number, request: { fresh: true } })
  if (data.merged) return { kind: 'merged', by: makerOf(account.parse(data.merged_by ?? { login: 'ghost' })) }
  const now = { head_sha: data.head.sha, updated_at: data.updated_at, ...baseOf(data) }
  if (data.state !== 'open') return { kind: 'closed', now }
  return { kind: data.draft ? 'draft' : 'open', now }
}

/** A pull request as it is now, without its commits. */
export type PullRead = Omit<PullFacts, 'tree_sha' | 'commits' | 'commits_complete'> & { readonly found: Found }

export async function pullNow(access: Access, pull_number: number): Promise<PullRead> {
  const { octokit, place } = access
  const { data: pull } = await octokit.rest.pulls.get({ ...place, pull_number, request: { fresh: true } })
  const { comments } = counted.parse(pull)
  return {
    number: pull_number,
    title: pull.title,
    body: pull.body ?? '',
    open: pull.state === 'open',
    draft: pull.draft === true,
    head_sha: pull.head.sha,
    ...baseOf(pull),
    conflicts: pull.mergeable === false,
    author: makerOf(account.parse(pull.user ?? { login: 'ghost' })),
    // REST does not tell who edited the text of a pull request, so an edit is nobody's who could be trusted.
    editor: null,
    head_branch: headBranch(access, pull),
    found: { comments, labels: pull.labels.map(({ name }) => name) },
  }
}

/** Where the number is missing, there may be any. */
const counted = z.object({ comments: z.number().default(Infinity) })

export type Made = Omit<CommitMade, 'merges_base'> & { readonly tree_sha: string; readonly parents: readonly string[] }

export async function commitsOf({ octokit, place }: Access, pull_number: number): Promise<Made[]> {
  return allPages(Math.ceil(COMMITS_MAX / PER_PAGE), async (page) => {
    const { data } = await octokit.rest.pulls.listCommits({ ...place, pull_number, per_page: PER_PAGE, page })
    return z
      .array(commit)
      .parse(data)
      .map(({ sha, author, committer, parents, commit: { message, tree } }) => ({
        sha,
        tree_sha: tree.sha,
        parents: parents.map((parent) => parent.sha),
        author: author ? makerOf(author) : null,
        committer: committer ? makerOf(committer) : null,
        found: [],
        message,
      }))
  })
}

export async function openPulls({ octokit, place }: Access): Promise<readonly OpenPull[]> {
  const pulls = await octokit.paginate(octokit.rest.pulls.list, { ...place, state: 'open', per_page: 100 })
  return pulls.map((pull) => ({
    number: pull.number,
    head_sha: pull.head.sha,
    ...baseOf(pull),
    draft: pull.draft === true,
    created_at: pull.created_at,
    updated_at: pull.updated_at,
  }))
}

const issueShape = z.object({
  title: z.string(),
  body: z.string().nullish(),
  state: z.string().default('open'),
  user: account.nullish(),
})

/** Where GitHub does not tell which they are, those that its text names count too, and the list is not complete. */
export async function closedIssues(
  access: Access,
  { number, body }: { readonly number: number; readonly body: string },
): Promise<{ readonly issues: readonly IssueText[]; readonly complete: boolean }> {
  const { numbers, complete } = await closedNumbers(access, number).catch(async (error: unknown) => {
    const isThere = statusOf(error) !== 404
    if (isThere && !isGraphqlAway(error)) throw error
    // Which they are only GraphQL tells; that there are none, REST too.
    const isNone = namedIn(body).length === 0 && (await neverLinked(access, number))
    if (isThere && !isNone) throw error
    return { numbers: [], complete: isNone }
  })
  const all = new Set([...numbers, ...(complete ? [] : namedIn(body))])
  const asked = [...all].slice(0, ISSUES_MAX)
  const texts = new Map(await Promise.all(asked.map(async (issue) => [issue, await issueText(access, issue)] as const)))
  // What GitHub lists and does not show may ask for more; what only a text names need not be there.
  const isShown = numbers.every((issue) => texts.get(issue) !== null)
  return {
    issues: [...texts.values()].flatMap((text) => text ?? []),
    complete: complete && isShown && all.size <= ISSUES_MAX,
  }
}

const ISSUES_MAX = 100

export async function issueText(access: Access, number: number): Promise<IssueText | null> {
  const { octokit, place } = access
  const answer = await orGone(octokit.rest.issues.get({ ...place, issue_number: number }))
  if (answer === null) return null
  const { title, body, state, user } = issueShape.parse(answer.data)
  const by = await editorOf(access, number, user ? makerOf(user) : null)
  const open = state === 'open'
  const written = { edited_by: by?.login ?? null, edited_by_id: by?.id ?? null }
  // REST tells neither who linked it by hand nor who edited the text that names it.
  return { number, title, body: body ?? '', ...written, linked_by: null, open }
}

const editing = z.object({ repository: z.object({ issue: z.object({ editor: actor }) }) })
export const editorQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { editor ${actorFields} } }
}`

/** Null, which counts as a builder, where GitHub does not tell. */
async function editorOf({ octokit, place }: Access, number: number, author: Maker | null): Promise<Maker | null> {
  try {
    const answer = editing.safeParse(
      await octokit.graphql(editorQuery, { owner: place.owner, name: place.repo, number }),
    )
    if (!answer.success) return null
    const { editor } = answer.data.repository.issue
    return editor === null ? author : makerOfActor(editor)
  } catch (error) {
    if (isRefusedQuery(error) || statusOf(error) === 404) return null
    throw error
  }
}
