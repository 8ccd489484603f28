// What this GitHub's GraphQL knows: repositories with their labels, issues and pull requests with their comments, and the
// issues that a pull request closes.
import { closingNumbers } from '../closing.ts'
import { number, text, type Fields } from '../fields.ts'
import { commitsBetween } from '../git/history.ts'
import { blobOf, commitOf, filesAt, type Signature } from '../git/objects.ts'
import type { Account, Comment, Issue, Label, Repo } from '../model.ts'
import { outlook } from '../outlook.ts'
import { nodeId } from '../shapes/account.ts'
import { accountByEmail } from '../shapes/commit.ts'
import { htmlUrl } from '../shapes/repo.ts'
import { allowNode } from '../wire/router.ts'
import { actor, type Call } from '../wire/call.ts'
import { found, fullName, isPull, issueOf, pullOf, pullsOf, repoOf, type PullIssue, type World } from '../world.ts'
import { pullNamed } from './named.ts'

export function queries(call: Call) {
  const { world } = call
  return {
    __typename: 'Query',
    viewer: () => person(actor(call)),
    rateLimit: { __typename: 'RateLimit', cost: 1, limit: 5000, remaining: 4999, used: 1, resetAt: world.now() },
    repository: (args: Fields) => {
      const repo = repoOf(world, `${text(args, 'owner')}/${text(args, 'name')}`)
      allowNode(call, repo, 'read')
      return repository(world, repo)
    },
    node: (args: Fields) => {
      const [repo, one] = pullNamed(call, text(args, 'id'), 'read')
      return pull(world, repo, one)
    },
  }
}

/** A bot's login lacks the suffix here that it has over REST. */
const person = (account: Account) => ({
  __typename: account.type,
  id: nodeId('U', account.id),
  login: account.type === 'Bot' ? account.login.replace(/\[bot\]$/, '') : account.login,
})

function repository(world: World, repo: Repo) {
  return {
    __typename: 'Repository',
    id: nodeId('R', repo.id),
    databaseId: repo.id,
    name: repo.name,
    nameWithOwner: fullName(repo),
    isPrivate: repo.private,
    isFork: repo.parent !== null,
    url: htmlUrl(world, repo),
    owner: person(repo.owner),
    defaultBranchRef: {
      __typename: 'Ref',
      name: repo.defaultBranch,
      target: { __typename: 'Commit', oid: repo.refs.get(`refs/heads/${repo.defaultBranch}`) ?? null },
    },
    object: (args: Fields) => object(repo, text(args, 'expression') ?? text(args, 'oid') ?? ''),
    pullRequest: (args: Fields) => pull(world, repo, pullOf(repo, number(args, 'number') ?? 0)),
    issue: (args: Fields) => issue(world, repo, issueOf(repo, number(args, 'number') ?? 0)),
    issueOrPullRequest: (args: Fields) => {
      const one = issueOf(repo, number(args, 'number') ?? 0)
      return isPull(one) ? pull(world, repo, one) : issue(world, repo, one)
    },
    labels: (args: Fields) => {
      const asked = (text(args, 'query') ?? '').toLowerCase()
      const labels = [...repo.labels.values()].filter(({ name }) => name.toLowerCase().includes(asked))
      return connection(labels.map(labelNode), args)
    },
    pullRequests: (args: Fields) =>
      connection(
        pullsOf(repo).map((one) => pull(world, repo, one)),
        args,
      ),
  }
}

/** `<branch or commit>:<path>` names a file. */
function object(repo: Repo, expression: string): object | null {
  const [rev = '', path = ''] = expression.split(/:(.*)/s)
  const commit = repo.refs.get(rev) ?? repo.refs.get(`refs/heads/${rev}`) ?? rev
  const entry = repo.objects.commits.has(commit) ? filesAt(repo.objects, commit).get(path) : undefined
  if (entry === undefined) return null
  const content = blobOf(repo.objects, entry.sha)
  const isBinary = content.includes(0)
  return {
    __typename: 'Blob',
    oid: entry.sha,
    byteSize: content.length,
    isBinary,
    isTruncated: false,
    text: isBinary ? null : content.toString('utf8'),
  }
}

/** Only an account of a person is a user: what a bot committed has none. */
function gitActor(world: World, { email, name }: Signature) {
  const account = accountByEmail(world, email)
  return { __typename: 'GitActor', email, name, user: account?.type === 'User' ? person(account) : null }
}

function gitCommit(world: World, repo: Repo, sha: string) {
  const { author, committer, message, tree } = commitOf(repo.objects, sha)
  return {
    __typename: 'Commit',
    oid: sha,
    message,
    tree: { __typename: 'Tree', oid: tree },
    author: gitActor(world, author),
    committer: gitActor(world, committer),
  }
}

const mergeability = (mergeable: boolean | null): string =>
  mergeable === null ? 'UNKNOWN' : mergeable ? 'MERGEABLE' : 'CONFLICTING'

const common = (world: World, repo: Repo, one: Issue) => ({
  databaseId: one.id,
  number: one.number,
  title: one.title,
  body: one.body ?? '',
  createdAt: one.createdAt,
  updatedAt: one.updatedAt,
  closed: one.state === 'closed',
  author: person(one.author),
  editor: one.editor && person(one.editor),
  comments: (args: Fields) =>
    connection([...repo.comments.values()].filter(({ issue }) => issue === one.number).map(commentNode), args),
  url: `${htmlUrl(world, repo)}/${isPull(one) ? 'pull' : 'issues'}/${one.number}`,
  labels: (args: Fields) =>
    connection(
      [...one.labels].map((name) => labelNode(found(repo.labels.get(name.toLowerCase())))),
      args,
    ),
})

export const labelNode = ({ id, name, color, description }: Label) => ({
  __typename: 'Label',
  id: nodeId('LA', id),
  name,
  color,
  description,
})

export const commentNode = ({ id, body, author }: Comment) => ({
  __typename: 'IssueComment',
  id: nodeId('IC', id),
  fullDatabaseId: String(id),
  body,
  author: person(author),
})

const issue = (world: World, repo: Repo, one: Issue) => ({
  __typename: 'Issue',
  id: nodeId('I', one.id),
  ...common(world, repo, one),
  state: one.state === 'open' ? 'OPEN' : 'CLOSED',
  repository: () => repository(world, repo),
})

export const pull = (world: World, repo: Repo, one: PullIssue) => ({
  __typename: 'PullRequest',
  id: nodeId('PR', one.id),
  ...common(world, repo, one),
  state: one.pull.mergedAt !== null ? 'MERGED' : one.state === 'open' ? 'OPEN' : 'CLOSED',
  isDraft: one.pull.draft,
  merged: one.pull.mergedAt !== null,
  headRefName: one.pull.headRef,
  headRefOid: one.pull.headSha,
  baseRefName: one.pull.baseRef,
  baseRefOid: one.pull.baseSha,
  mergeable: mergeability(outlook(world, repo, one).mergeable),
  commits: (args: Fields) =>
    connection(
      commitsBetween(repo.objects, one.pull.baseSha, one.pull.headSha).map((sha) => ({
        __typename: 'PullRequestCommit',
        commit: gitCommit(world, repo, sha),
      })),
      args,
    ),
  repository: () => repository(world, repo),
  closingIssuesReferences: (args: Fields) =>
    connection(
      closingNumbers(repo, one).map((number) => issue(world, repo, issueOf(repo, number))),
      args,
    ),
})

/** Pages by position: a cursor is the number of items before the next one. */
function connection(items: readonly object[], args: Fields) {
  const from = Number(text(args, 'after') ?? 0)
  const to = from + (number(args, 'first') ?? 100)
  const nodes = items.slice(from, to)
  const endCursor = nodes.length === 0 ? null : `${from + nodes.length}`
  return {
    __typename: 'Connection',
    totalCount: items.length,
    nodes,
    edges: nodes.map((node, index) => ({ __typename: 'Edge', cursor: `${from + index + 1}`, node })),
    pageInfo: {
      __typename: 'PageInfo',
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0,
      endCursor,
      startCursor: null,
    },
  }
}
