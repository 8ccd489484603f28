// Pull requests, reviews and review comments as GitHub shows them. What a merge would do is computed when asked, from
// the branches as they are.
import { changesBetween } from '../git/changes.ts'
import { commitsBetween, mergeBase } from '../git/history.ts'
import type { Repo, Review, ReviewComment } from '../model.ts'
import { outlook } from '../outlook.ts'
import { pullsOf, type PullIssue, type World } from '../world.ts'
import { nodeId, team, user, userOrNull, type Schema } from './account.ts'
import { totals } from './commit.ts'
import { association, commentsOf, labelsOf, reactions } from './issue.ts'
import { htmlUrl, repository, repoUrl } from './repo.ts'
import { stackOf } from './stack.ts'

function side(world: World, repo: Repo, ref: string, sha: string) {
  const owner = user(world, repo.owner)
  // The repository is null once it was deleted, as forks often are.
  const shown = world.state.repos.has(repo.id) ? repository(world, repo) : null
  return { label: `${repo.owner.login}:${ref}`, ref, sha, user: owner, repo: shown }
}

/** The form of lists, without the counts and the outlook of a merge. */
export function pullInList(world: World, repo: Repo, one: PullIssue) {
  const { pull } = one
  const url = `${repoUrl(world, repo)}/pulls/${one.number}`
  const issueUrl = `${repoUrl(world, repo)}/issues/${one.number}`
  const html = `${htmlUrl(world, repo)}/pull/${one.number}`
  const statuses = `${repoUrl(world, repo)}/statuses/${pull.headSha}`
  const assignees = [...one.assignees].map((account) => user(world, account))
  return {
    url,
    id: one.id,
    node_id: nodeId('PR', one.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issueUrl,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repoUrl(world, repo)}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statuses,
    number: one.number,
    state: one.state,
    locked: one.lock !== null,
    title: one.title,
    user: user(world, one.author),
    body: one.body,
    labels: labelsOf(world, repo, one),
    milestone: null,
    active_lock_reason: one.lock?.reason ?? null,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    closed_at: one.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit ?? outlook(world, repo, one).testMerge,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: [...pull.reviewers].map((account) => user(world, account)),
    requested_teams: [...pull.teams].map((one) => team(world, one)),
    head: side(world, pull.headRepo, pull.headRef, pull.headSha),
    base: side(world, repo, pull.baseRef, pull.baseSha),
    draft: pull.draft,
    auto_merge: null,
    stack: stackOf(repo, one),
    author_association: association(world, repo, one.author),
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issueUrl },
      comments: { href: `${issueUrl}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${repoUrl(world, repo)}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
  }
}

export function pullRequest(world: World, repo: Repo, one: PullIssue) {
  const { pull } = one
  const parting = mergeBase(repo.objects, pull.baseSha, pull.headSha)
  const changes = changesBetween(repo.objects, parting, pull.headSha)
  const [additions, deletions] = totals(changes)
  const { mergeable, state } = outlook(world, repo, one)
  return {
    ...pullInList(world, repo, one),
    merged: pull.mergedAt !== null,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: state,
    merged_by: userOrNull(world, pull.mergedBy),
    comments: commentsOf(repo, one.number).length,
    review_comments: [...repo.reviewComments.values()].filter((comment) => comment.pull === one.number).length,
    maintainer_can_modify: pull.headRepo !== repo,
    commits: commitsBetween(repo.objects, pull.baseSha, pull.headSha).length,
    additions,
    deletions,
    changed_files: changes.length,
  } satisfies Omit<Schema<'pull-request'>, 'head' | 'base'>
}

/** How check runs and workflow runs name their pull requests: those of this repository, never those of a fork. */
export const pullsAt = (world: World, repo: Repo, sha: string, branch: string | null = null) =>
  pullsOf(repo)
    .filter(({ state, pull }) => state === 'open' && pull.headRepo === repo)
    .filter(({ pull }) => pull.headSha === sha || (branch !== null && pull.headRef === branch))
    .map((one) => minimalPull(world, repo, one))

function minimalPull(world: World, repo: Repo, { id, number, pull }: PullIssue) {
  const of = (one: Repo) => ({ id: one.id, url: repoUrl(world, one), name: one.name })
  return {
    url: `${repoUrl(world, repo)}/pulls/${number}`,
    id,
    number,
    head: { ref: pull.headRef, sha: pull.headSha, repo: of(pull.headRepo) },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo: of(repo) },
  } satisfies Schema<'pull-request-minimal'>
}

export function review(world: World, repo: Repo, one: Review) {
  const html = `${htmlUrl(world, repo)}/pull/${one.pull}#pullrequestreview-${one.id}`
  const pull = `${repoUrl(world, repo)}/pulls/${one.pull}`
  return {
    id: one.id,
    node_id: nodeId('PRR', one.id),
    user: user(world, one.author),
    body: one.body,
    state: one.state,
    html_url: html,
    pull_request_url: pull,
    author_association: association(world, repo, one.author),
    _links: { html: { href: html }, pull_request: { href: pull } },
    ...(one.submittedAt === null ? {} : { submitted_at: one.submittedAt }),
    commit_id: one.commit,
  } satisfies Schema<'pull-request-review'>
}

export function reviewComment(world: World, repo: Repo, one: ReviewComment) {
  const url = `${repoUrl(world, repo)}/pulls/comments/${one.id}`
  const html = `${htmlUrl(world, repo)}/pull/${one.pull}#discussion_r${one.id}`
  const pull = `${repoUrl(world, repo)}/pulls/${one.pull}`
  return {
    url,
    id: one.id,
    node_id: nodeId('PRRC', one.id),
    pull_request_review_id: one.review,
    diff_hunk: one.hunk,
    path: one.path,
    position: one.line === null ? null : 1,
    original_position: 1,
    commit_id: one.commit,
    original_commit_id: one.commit,
    ...(one.inReplyTo === null ? {} : { in_reply_to_id: one.inReplyTo }),
    user: user(world, one.author),
    body: one.body,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    html_url: html,
    pull_request_url: pull,
    author_association: association(world, repo, one.author),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    reactions: reactions(url, one.reactions),
    side: one.side,
    start_side: one.startLine === null ? null : one.side,
    start_line: one.startLine,
    original_start_line: one.startLine,
    ...(one.line === null ? {} : { line: one.line, original_line: one.line }),
    subject_type: one.subject,
  } satisfies Schema<'review-comment'>
}
