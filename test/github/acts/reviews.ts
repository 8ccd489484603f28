// Reviews of pull requests and their line comments. A review binds to the commit that it was made on; nobody approves
// their own pull request; a comment may only stand on a line that the diff shows.
import { changesBetween, type Change } from '../git/changes.ts'
import { mergeBase } from '../git/history.ts'
import type { Account, Repo, Review, ReviewComment, ReviewState } from '../model.ts'
import { bodyProblem } from '../lengths.ts'
import { invalid, Problem, refused } from '../problem.ts'
import { pullInList, review as showReview, reviewComment as showReviewComment } from '../shapes/pull.ts'
import type { PullIssue, World } from '../world.ts'
import { mayNotSpeak } from './locks.ts'

export type ReviewEvent = 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT'
export type LineComment = {
  readonly path: string
  readonly body: string
  readonly line: number | null
  readonly startLine: number | null
  readonly side: 'LEFT' | 'RIGHT'
  readonly subject: 'line' | 'file'
  readonly inReplyTo: number | null
}
export type NewReview = {
  readonly author: Account
  /** Null leaves the review pending. */
  readonly event: ReviewEvent | null
  readonly body: string
  readonly commit: string | null
  readonly comments: readonly LineComment[]
}

const stateAfter = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
} as const satisfies Record<ReviewEvent, ReviewState>

export function addReview(world: World, repo: Repo, one: PullIssue, wanted: NewReview): Review {
  const { author, event, body, comments } = wanted
  const commit = wanted.commit ?? one.pull.headSha
  if (!repo.objects.commits.has(commit)) throw refused('The commit_id is not part of the pull request.')
  checkEvent(one, author, event, body, comments.length)
  const problem = bodyProblem('PullRequestReview', body, { blank: true })
  if (problem !== null) throw problem
  if (mayNotSpeak(world, repo, one, { author, app: null })) throw refused('lock prevents review')
  for (const comment of comments) hunkFor(repo, one, commit, comment)
  const review: Review = {
    id: world.nextId(),
    pull: one.number,
    author,
    body,
    state: 'PENDING',
    commit,
    submittedAt: null,
    editedAt: null,
    minimized: null,
  }
  repo.reviews.set(review.id, review)
  const added = comments.map((comment) => addLineComment(world, repo, one, review, comment))
  if (event !== null) publish(world, repo, one, review, event, added)
  return review
}

export function submitReview(
  world: World,
  repo: Repo,
  one: PullIssue,
  review: Review,
  { event, body }: { readonly event: ReviewEvent; readonly body: string },
): void {
  if (review.state !== 'PENDING') throw refused('Can not submit a review that is not pending.')
  const added = [...repo.reviewComments.values()].filter((comment) => comment.review === review.id)
  checkEvent(one, review.author, event, body, added.length)
  review.body = body
  review.editedAt = world.now()
  publish(world, repo, one, review, event, added)
}

function checkEvent(one: PullIssue, author: Account, event: ReviewEvent | null, body: string, comments: number): void {
  const own = one.author === author
  if (event === 'APPROVE' && own) throw refused('Can not approve your own pull request')
  if (event === 'REQUEST_CHANGES' && own) throw refused('Can not request changes on your own pull request')
  const silent = body.trim() === '' && comments === 0
  if ((event === 'REQUEST_CHANGES' || event === 'COMMENT') && silent) throw invalid('PullRequestReview', 'body')
}

function publish(
  world: World,
  repo: Repo,
  one: PullIssue,
  review: Review,
  event: ReviewEvent,
  comments: readonly ReviewComment[],
): void {
  review.state = stateAfter[event]
  review.submittedAt = world.now()
  one.updatedAt = world.now()
  one.pull.reviewers.delete(review.author)
  for (const team of one.pull.teams)
    if (team.members.has(review.author.login.toLowerCase())) one.pull.teams.delete(team)
  tell(world, repo, one, review, 'submitted', review.author)
  for (const comment of comments) tellComment(world, repo, one, comment, 'created', review.author)
}

export function dismissReview(world: World, repo: Repo, one: PullIssue, review: Review, sender: Account): void {
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
    throw refused('Can not dismiss a commented pull request review')
  }
  const state = review.state === 'APPROVED' ? 'approved' : 'changes_requested'
  one.events.push({
    id: world.nextId(),
    by: sender,
    at: world.now(),
    event: 'review_dismissed',
    review: review.id,
    state,
  })
  one.updatedAt = world.now()
  review.state = 'DISMISSED'
  tell(world, repo, one, review, 'dismissed', sender)
}

export function editReview(
  world: World,
  repo: Repo,
  one: PullIssue,
  review: Review,
  { body, sender }: { readonly body: string; readonly sender: Account },
): void {
  const from = review.body
  review.body = body
  review.editedAt = world.now()
  tell(world, repo, one, review, 'edited', sender, { changes: { body: { from } } })
}

/** A comment outside a review is a review of its own. */
export function commentOnLine(
  world: World,
  repo: Repo,
  one: PullIssue,
  {
    author,
    commit,
    comment,
  }: { readonly author: Account; readonly commit: string | null; readonly comment: LineComment },
): ReviewComment {
  const review = addReview(world, repo, one, { author, event: 'COMMENT', body: '', commit, comments: [comment] })
  const added = [...repo.reviewComments.values()].find(({ review: id }) => id === review.id)
  if (added === undefined) throw new Error(`The review ${review.id} has lost its comment`)
  return added
}

function addLineComment(world: World, repo: Repo, one: PullIssue, review: Review, said: LineComment): ReviewComment {
  const comment: ReviewComment = {
    id: world.nextId(),
    pull: one.number,
    review: review.id,
    author: review.author,
    path: said.path,
    line: said.line,
    startLine: said.startLine,
    side: said.side,
    subject: said.subject,
    commit: review.commit,
    hunk: hunkFor(repo, one, review.commit, said),
    inReplyTo: said.inReplyTo,
    body: said.body,
    createdAt: world.now(),
    updatedAt: world.now(),
    reactions: [],
  }
  repo.reviewComments.set(comment.id, comment)
  return comment
}

function hunkFor(repo: Repo, one: PullIssue, commit: string, said: LineComment): string {
  const parting = mergeBase(repo.objects, one.pull.baseSha, commit)
  const change = changesBetween(repo.objects, parting, commit).find(({ path }) => path === said.path)
  if (change === undefined) throw outside('path')
  if (said.subject === 'file') return ''
  if (said.line === null) throw outside('line')
  const hunk = hunkWith(change, said.line, said.side)
  if (hunk === null) throw outside('line')
  return hunk
}

const outside = (field: string): Problem =>
  new Problem(422, 'Validation Failed', [
    { resource: 'PullRequestReviewComment', code: 'invalid', field: `pull_request_review_thread.${field}` },
    { resource: 'PullRequestReviewComment', code: 'missing_field', field: 'pull_request_review_thread.diff_hunk' },
  ])

function hunkWith(change: Change, line: number, side: 'LEFT' | 'RIGHT'): string | null {
  const hunks = (change.patch ?? '').split(/^(?=@@ )/m)
  const shown = hunks.find((hunk) => {
    const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(hunk)
    const [start, count] = side === 'LEFT' ? [range?.[1], range?.[2]] : [range?.[3], range?.[4]]
    const from = Number(start)
    return line >= from && line < from + Number(count ?? 1)
  })
  return shown?.trimEnd() ?? null
}

export function tellComment(
  world: World,
  repo: Repo,
  one: PullIssue,
  comment: ReviewComment,
  action: 'created' | 'edited' | 'deleted',
  sender: Account,
): void {
  const shown = { comment: showReviewComment(world, repo, comment), pull_request: pullInList(world, repo, one) }
  world.emit('pull_request_review_comment', { account: repo.owner, repo, sender }, { action, ...shown })
}

function tell(
  world: World,
  repo: Repo,
  one: PullIssue,
  review: Review,
  action: 'submitted' | 'dismissed' | 'edited',
  sender: Account,
  more: object = {},
): void {
  // Webhooks spell the state in lower case, the REST interface in upper case.
  const shown = { ...showReview(world, repo, review), state: review.state.toLowerCase() }
  const payload = { action, review: shown, pull_request: pullInList(world, repo, one), ...more }
  world.emit('pull_request_review', { account: repo.owner, repo, sender }, payload)
}
