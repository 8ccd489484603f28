// Reviews and the comments on lines.
import {
  addReview,
  commentOnLine,
  dismissReview,
  editReview,
  submitReview,
  tellComment,
  type LineComment,
} from '../acts/reviews.ts'
import { react } from '../acts/issues.ts'
import { neededText, number, oneOf, records, text, type Fields } from '../fields.ts'
import type { Repo, Review, ReviewComment } from '../model.ts'
import { missing, notFound, Problem } from '../problem.ts'
import { reaction, reactionKinds } from '../shapes/issue.ts'
import { review as showReview, reviewComment as showComment } from '../shapes/pull.ts'
import { found, pullOf, type PullIssue } from '../world.ts'
import { actor, created, noContent, numberParam, ok, paged, type Answer, type RepoCall } from '../wire/call.ts'
import { reads, repoRoute, writes, type Route } from '../wire/router.ts'

const events = ['APPROVE', 'REQUEST_CHANGES', 'COMMENT'] as const
const anyone = { ...writes('pull_requests'), role: 'read' } as const

const pullUnder = (call: RepoCall): PullIssue => pullOf(call.repo, numberParam(call, 'number'))

function reviewUnder(call: RepoCall): Review {
  const review = call.repo.reviews.get(numberParam(call, 'id'))
  if (review === undefined || review.pull !== numberParam(call, 'number')) throw notFound()
  return review
}

const commentUnder = (call: RepoCall): ReviewComment => found(call.repo.reviewComments.get(numberParam(call, 'id')))

function lineComment(fields: Fields): LineComment {
  return {
    path: neededText(fields, 'path'),
    body: neededText(fields, 'body'),
    line: number(fields, 'line'),
    startLine: number(fields, 'start_line'),
    side: oneOf(fields, 'side', ['LEFT', 'RIGHT']) ?? 'RIGHT',
    subject: oneOf(fields, 'subject_type', ['line', 'file']) ?? 'line',
    inReplyTo: number(fields, 'in_reply_to'),
  }
}

function create(call: RepoCall): Answer {
  const { world, repo, body } = call
  const review = addReview(world, repo, pullUnder(call), {
    author: actor(call),
    event: oneOf(body, 'event', events),
    body: text(body, 'body') ?? '',
    commit: text(body, 'commit_id'),
    comments: (records(body, 'comments') ?? []).map(lineComment),
  })
  return ok(showReview(world, repo, review))
}

function submit(call: RepoCall): Answer {
  const review = reviewUnder(call)
  const event = oneOf(call.body, 'event', events)
  if (event === null) throw missing('event')
  submitReview(call.world, call.repo, pullUnder(call), review, { event, body: text(call.body, 'body') ?? review.body })
  return ok(showReview(call.world, call.repo, review))
}

function edit(call: RepoCall): Answer {
  const review = reviewUnder(call)
  const body = neededText(call.body, 'body')
  editReview(call.world, call.repo, pullUnder(call), review, { body, sender: actor(call) })
  return ok(showReview(call.world, call.repo, review))
}

function discard(call: RepoCall): Answer {
  const review = reviewUnder(call)
  if (review.state !== 'PENDING') throw new Problem(422, 'Can not delete a non-pending pull request review')
  call.repo.reviews.delete(review.id)
  for (const comment of commentsOf(call.repo, review)) call.repo.reviewComments.delete(comment.id)
  return ok(showReview(call.world, call.repo, review))
}

const commentsOf = (repo: Repo, review: Review): readonly ReviewComment[] =>
  [...repo.reviewComments.values()].filter((comment) => comment.review === review.id)

function comment(call: RepoCall): Answer {
  const { world, repo, body } = call
  const replied = number(body, 'in_reply_to')
  const said =
    replied === null ? lineComment(body) : reply(found(repo.reviewComments.get(replied)), neededText(body, 'body'))
  const wanted = { author: actor(call), commit: text(body, 'commit_id'), comment: said }
  return created(showComment(world, repo, commentOnLine(world, repo, pullUnder(call), wanted)))
}

const reply = (to: ReviewComment, body: string): LineComment => ({
  path: to.path,
  body,
  line: to.line,
  startLine: to.startLine,
  side: to.side,
  subject: to.subject,
  inReplyTo: to.inReplyTo ?? to.id,
})

const bySomeone = (call: RepoCall, review: Review): boolean =>
  review.state !== 'PENDING' || (call.viewer.kind === 'token' && call.viewer.token.account === review.author)

export const reviewRoutes: readonly Route[] = [
  repoRoute('GET', '/pulls/{number}/reviews', reads('pull_requests'), (call) => {
    const one = pullUnder(call)
    const visible = [...call.repo.reviews.values()].filter(({ pull }) => pull === one.number)
    return paged(
      call,
      visible.filter((review) => bySomeone(call, review)),
      (review) => showReview(call.world, call.repo, review),
    )
  }),
  repoRoute('POST', '/pulls/{number}/reviews', anyone, create),
  repoRoute('GET', '/pulls/{number}/reviews/{id}', reads('pull_requests'), (call) =>
    ok(showReview(call.world, call.repo, reviewUnder(call))),
  ),
  repoRoute('PUT', '/pulls/{number}/reviews/{id}', anyone, edit),
  repoRoute('DELETE', '/pulls/{number}/reviews/{id}', anyone, discard),
  repoRoute('POST', '/pulls/{number}/reviews/{id}/events', anyone, submit),
  repoRoute('PUT', '/pulls/{number}/reviews/{id}/dismissals', writes('pull_requests'), (call) => {
    neededText(call.body, 'message')
    dismissReview(call.world, call.repo, pullUnder(call), reviewUnder(call), actor(call))
    return ok(showReview(call.world, call.repo, reviewUnder(call)))
  }),
  repoRoute('GET', '/pulls/{number}/reviews/{id}/comments', reads('pull_requests'), (call) =>
    paged(call, commentsOf(call.repo, reviewUnder(call)), (one) => showComment(call.world, call.repo, one)),
  ),
  repoRoute('GET', '/pulls/{number}/comments', reads('pull_requests'), (call) => {
    const one = pullUnder(call)
    const all = [...call.repo.reviewComments.values()].filter(({ pull }) => pull === one.number)
    return paged(call, all, (comment) => showComment(call.world, call.repo, comment))
  }),
  repoRoute('POST', '/pulls/{number}/comments', anyone, comment),
  repoRoute('POST', '/pulls/{number}/comments/{id}/replies', anyone, (call) => {
    const said = reply(commentUnder(call), neededText(call.body, 'body'))
    const wanted = { author: actor(call), commit: null, comment: said }
    return created(showComment(call.world, call.repo, commentOnLine(call.world, call.repo, pullUnder(call), wanted)))
  }),
  repoRoute('GET', '/pulls/comments/{id}', reads('pull_requests'), (call) =>
    ok(showComment(call.world, call.repo, commentUnder(call))),
  ),
  repoRoute('PATCH', '/pulls/comments/{id}', anyone, (call) => {
    const one = commentUnder(call)
    one.body = neededText(call.body, 'body')
    one.updatedAt = call.world.now()
    tellComment(call.world, call.repo, pullOf(call.repo, one.pull), one, 'edited', actor(call))
    return ok(showComment(call.world, call.repo, one))
  }),
  repoRoute('DELETE', '/pulls/comments/{id}', anyone, (call) => {
    const one = commentUnder(call)
    tellComment(call.world, call.repo, pullOf(call.repo, one.pull), one, 'deleted', actor(call))
    call.repo.reviewComments.delete(one.id)
    return noContent()
  }),
  repoRoute('POST', '/pulls/comments/{id}/reactions', anyone, (call) => {
    const content = oneOf(call.body, 'content', reactionKinds)
    if (content === null) throw missing('content')
    const given = react(call.world, commentUnder(call).reactions, actor(call), content)
    return { status: given.created ? 201 : 200, body: reaction(call.world, given.reaction) }
  }),
]
