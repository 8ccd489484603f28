// What this GitHub's GraphQL knows: repositories with their labels, issues and pull requests with their comments, and the
// issues that a pull request closes.
import { closingNumbers, linkedNumbers } from '../closing.ts'
import { parentOf } from '../acts/sub-issues.ts'
import { number, text, texts, type Fields } from '../fields.ts'
import { commitsBetween } from '../git/history.ts'
import { blobOf, commitOf, filesAt } from '../git/objects.ts'
import { pullsAssociated } from '../holding.ts'
import type { Issue, Link, Repo, Review } from '../model.ts'
import { outlook } from '../outlook.ts'
import { nodeId } from '../shapes/account.ts'
import { htmlUrl } from '../shapes/repo.ts'
import { allowNode } from '../wire/router.ts'
import { actor, type Call } from '../wire/call.ts'
import { found, fullName, isPull, issueOf, pullOf, pullsOf, repoOf, type PullIssue, type World } from '../world.ts'
import { checkSuites, rollup } from './checks.ts'
import { connection } from './connection.ts'
import { pullNamed } from './named.ts'
import { commentNode, contentEdit, labelNode, reviewNode } from './nodes.ts'
import { authorsOf, gitActor, person } from './people.ts'
import { happened, timelineOf } from './timeline.ts'

/** `cost`: what the whole question costs in points. */
export function queries(call: Call, cost: number) {
  const { world } = call
  return {
    __typename: 'Query',
    viewer: () => person(actor(call)),
    rateLimit: { __typename: 'RateLimit', cost, limit: 5000, remaining: 4999, used: 1, resetAt: world.now() },
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
    object: (args: Fields) => object(world, repo, text(args, 'expression') ?? text(args, 'oid') ?? ''),
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
    issues: (args: Fields) =>
      connection(
        issuesAsked(repo, args).map((one) => issue(world, repo, one)),
        args,
      ),
    pullRequests: (args: Fields) =>
      connection(
        inStates(pullsOf(repo), texts(args, 'states')).map((one) => pull(world, repo, one)),
        args,
      ),
  }
}

/** Any of the labels will do. */
function issuesAsked(repo: Repo, args: Fields): readonly Issue[] {
  const states = texts(args, 'states')
  const wanted = texts(args, 'labels')?.map((name) => name.toLowerCase())
  return [...repo.issues.values()]
    .filter((one) => !isPull(one) && (states?.includes(one.state.toUpperCase()) ?? true))
    .filter(({ labels }) => wanted === undefined || [...labels].some((name) => wanted.includes(name.toLowerCase())))
    .toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
}

const stateOf = ({ pull: { mergedAt }, state }: PullIssue): string =>
  mergedAt !== null ? 'MERGED' : state === 'open' ? 'OPEN' : 'CLOSED'

const inStates = (pulls: readonly PullIssue[], states: readonly string[] | null): readonly PullIssue[] =>
  states === null ? pulls : pulls.filter((one) => states.includes(stateOf(one)))

/** `<branch or commit>:<path>` names a file, and without a path the commit. */
function object(world: World, repo: Repo, expression: string): object | null {
  const [rev = '', path = ''] = expression.split(/:(.*)/s)
  const commit = repo.refs.get(rev) ?? repo.refs.get(`refs/heads/${rev}`) ?? rev
  if (path === '') return repo.objects.commits.has(commit) ? gitCommit(world, repo, commit) : null
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

function gitCommit(world: World, repo: Repo, sha: string) {
  const { author, committer, message, tree, parents } = commitOf(repo.objects, sha)
  return {
    __typename: 'Commit',
    oid: sha,
    message,
    committedDate: committer.date,
    authoredDate: author.date,
    parents: (args: Fields) =>
      connection(
        parents.map((oid) => ({ __typename: 'Commit', oid })),
        args,
      ),
    authors: (args: Fields) => connection(authorsOf(world, commitOf(repo.objects, sha)), args),
    tree: { __typename: 'Tree', oid: tree },
    associatedPullRequests: (args: Fields) =>
      connection(
        pullsAssociated(repo, sha).map((one) => pull(world, repo, one)),
        args,
      ),
    author: gitActor(world, author),
    committer: gitActor(world, committer),
    checkSuites: (args: Fields) => checkSuites(repo, sha, args),
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
  editor: one.edits.length === 0 ? null : person(found(one.edits.at(-1)).editor),
  lastEditedAt: one.edits.at(-1)?.at ?? null,
  includesCreatedEdit: one.edits.length > 0,
  userContentEdits: (args: Fields) => connection(one.edits.toReversed().map(contentEdit), args),
  locked: one.lock !== null,
  activeLockReason: one.lock?.reason?.toUpperCase().replace(/[ -]/g, '_') ?? null,
  comments: (args: Fields) =>
    connection([...repo.comments.values()].filter(({ issue }) => issue === one.number).map(commentNode), args),
  url: `${htmlUrl(world, repo)}/${isPull(one) ? 'pull' : 'issues'}/${one.number}`,
  labels: (args: Fields) =>
    connection(
      [...one.labels].map((name) => labelNode(found(repo.labels.get(name.toLowerCase())))),
      args,
    ),
})

const submitted = (repo: Repo, { number }: PullIssue): readonly Review[] =>
  [...repo.reviews.values()].filter((one) => one.pull === number && one.state !== 'PENDING')

/** Of all that can be on a timeline, what happened to it and the links that people made by hand. Each end of one has it on its own. */
function timeline(world: World, repo: Repo, one: Issue, links: readonly Link[], args: Fields): object {
  const linked = links.map((link) => ({
    __typename: link.made ? 'ConnectedEvent' : 'DisconnectedEvent',
    id: nodeId(link.made ? 'CE' : 'DE', link.id),
    createdAt: link.at,
    actor: link.by && person(link.by),
    isCrossRepository: false,
    source: (): object => pull(world, repo, found(pullsOf(repo).find((one) => one.pull.links.includes(link)))),
    subject: (): object => issue(world, repo, issueOf(repo, link.issue)),
  }))
  const happenings = happened(repo, one, (number) => pull(world, repo, pullOf(repo, number)))
  return timelineOf([...happenings, ...linked], args)
}

const issue = (world: World, repo: Repo, one: Issue) => ({
  __typename: 'Issue',
  id: nodeId('I', one.id),
  ...common(world, repo, one),
  state: one.state === 'open' ? 'OPEN' : 'CLOSED',
  timelineItems: (args: Fields) => {
    const links = pullsOf(repo).flatMap(({ pull: { links } }) => links)
    return timeline(
      world,
      repo,
      one,
      links.filter((link) => link.issue === one.number),
      args,
    )
  },
  stateReason: one.stateReason?.toUpperCase() ?? null,
  repository: () => repository(world, repo),
  parent: () => {
    const above = parentOf(world, one)
    return above && issue(world, above.repo, above.issue)
  },
})

export const pull = (world: World, repo: Repo, one: PullIssue) => ({
  __typename: 'PullRequest',
  id: nodeId('PR', one.id),
  ...common(world, repo, one),
  state: stateOf(one),
  isDraft: one.pull.draft,
  merged: one.pull.mergedAt !== null,
  headRefName: one.pull.headRef,
  headRefOid: one.pull.headSha,
  baseRefName: one.pull.baseRef,
  baseRefOid: one.pull.baseSha,
  isCrossRepository: one.pull.headRepo !== repo,
  headRepository: () => (world.state.repos.has(one.pull.headRepo.id) ? repository(world, one.pull.headRepo) : null),
  headRepositoryOwner: person(one.pull.headRepo.owner),
  baseRepository: () => repository(world, repo),
  reviews: (args: Fields) => connection(submitted(repo, one).map(reviewNode), args),
  mergeable: () => mergeability(outlook(world, repo, one).mergeable),
  statusCheckRollup: () => rollup(repo, one.pull.headSha),
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
      (args['userLinkedOnly'] === true ? linkedNumbers(repo, one) : closingNumbers(repo, one)).map((number) =>
        issue(world, repo, issueOf(repo, number)),
      ),
      args,
    ),
  timelineItems: (args: Fields) => timeline(world, repo, one, one.pull.links, args),
})
