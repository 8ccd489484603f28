// Issues and what hangs on them: comments, reactions, labels and assignees. A pull request is an issue here.
import { addComment, commentOf, deleteComment, editComment } from '../acts/comments.ts'
import {
  addLabel,
  assign,
  closeIssue,
  createLabel,
  deleteLabel,
  editIssue,
  openIssue,
  react,
  removeLabel,
  reopenIssue,
  setLabels,
  unassign,
} from '../acts/issues.ts'
import { lock, lockedOut, mayNotSpeak, unlock } from '../acts/locks.ts'
import { closePull, reopenPull } from '../acts/pulls.ts'
import { isFields, list, neededText, oneOf, text, texts, type Fields } from '../fields.ts'
import type { Account, Comment, Issue } from '../model.ts'
import { missing, mustHaveRights, Problem } from '../problem.ts'
import {
  comment as showComment,
  commentsOf,
  issue as showIssue,
  label as showLabel,
  labelsOf,
  reaction,
  reactionKinds,
} from '../shapes/issue.ts'
import { accountOf, atLeast, found, isPull, issueOf, roleOf } from '../world.ts'
import {
  actingApp,
  actingThrough,
  actor,
  created,
  noContent,
  numberParam,
  ok,
  paged,
  param,
  type Answer,
  type RepoCall,
} from '../wire/call.ts'
import { reads, repoRoute, writes, type Route } from '../wire/router.ts'
import { issueEvents } from './issue-events.ts'

const readable = reads('issues', 'pull_requests')
const anyone = { ...writes('issues', 'pull_requests'), role: 'read' } as const
const triage = { ...writes('issues', 'pull_requests'), role: 'triage' } as const

const issueUnder = (call: RepoCall): Issue => issueOf(call.repo, numberParam(call, 'number'))
const commentUnder = (call: RepoCall): Comment => commentOf(call.repo, numberParam(call, 'id'))

function issues(call: RepoCall): Answer {
  const { query, repo, world } = call
  const state = query.get('state') ?? 'open'
  const labels = (query.get('labels') ?? '').split(',').filter((name) => name !== '')
  const since = query.get('since') ?? ''
  const creator = query.get('creator')
  const matching = [...repo.issues.values()].filter(
    (one) =>
      (state === 'all' || one.state === state) &&
      labels.every((name) => one.labels.has(name)) &&
      (creator === null || one.author.login === creator) &&
      one.updatedAt >= since,
  )
  return paged(call, query.get('direction') === 'asc' ? matching : matching.toReversed(), (one) =>
    showIssue(world, repo, one),
  )
}

function create(call: RepoCall): Answer {
  const { world, repo, body } = call
  const fields = { title: neededText(body, 'title'), body: text(body, 'body'), author: actor(call) }
  const one = openIssue(world, repo, fields)
  for (const name of labelNames(body) ?? []) addLabel(world, repo, one, name, actor(call))
  assign(world, repo, one, people(call), actor(call))
  return created(showIssue(world, repo, one))
}

function edit(call: RepoCall): Answer {
  const { world, repo, body } = call
  const one = issueUnder(call)
  const role = roleOf(world, repo, actor(call))?.role ?? null
  const mine = one.author === actor(call) || actingApp(call) !== null
  if (!mine && !atLeast(role, 'triage')) throw mustHaveRights()
  const [title, words] = [text(body, 'title'), text(body, 'body')]
  editIssue(
    world,
    repo,
    one,
    { ...(title === null ? {} : { title }), ...(words === null ? {} : { body: words }) },
    actor(call),
  )
  const names = labelNames(body)
  if (names !== null) setLabels(world, repo, one, names, actor(call))
  changeState(call, one)
  return ok(showIssue(world, repo, one))
}

function changeState(call: RepoCall, one: Issue): void {
  const { world, repo, body } = call
  const reason = oneOf(body, 'state_reason', ['completed', 'not_planned', 'reopened'])
  switch (oneOf(body, 'state', ['open', 'closed'])) {
    case 'closed':
      if (isPull(one)) closePull(world, repo, one, actor(call))
      else closeIssue(world, repo, one, actor(call), { reason: reason ?? 'completed' })
      return
    case 'open':
      if (isPull(one)) reopenPull(world, repo, one, actor(call))
      else reopenIssue(world, repo, one, actor(call))
      return
    case null:
  }
}

/** Labels come as names, as objects with names, or under `labels`. */
function labelNames(body: Fields): readonly string[] | null {
  return list(body, 'labels')?.flatMap((item) => (isFields(item) ? neededText(item, 'name') : String(item))) ?? null
}

function people(call: RepoCall): readonly Account[] {
  return (texts(call.body, 'assignees') ?? []).map((login) => accountOf(call.world, login))
}

const shownLabels = (call: RepoCall): unknown => labelsOf(call.world, call.repo, issueUnder(call))

function unlabel(call: RepoCall): Answer {
  const one = issueUnder(call)
  const name = param(call, 'name')
  if (![...one.labels].some((label) => label.toLowerCase() === name.toLowerCase())) {
    throw new Problem(404, 'Label does not exist')
  }
  removeLabel(call.world, call.repo, one, name, actor(call))
  return ok(shownLabels(call))
}

/** One's own words are one's own to change; those of others need the right to write. */
function mayChange(call: RepoCall, one: Comment): void {
  const role = roleOf(call.world, call.repo, actor(call))?.role ?? null
  if (one.author !== actor(call) && actingApp(call) === null && !atLeast(role, 'write')) throw mustHaveRights()
}

function reactTo(call: RepoCall, issue: Issue, given: Comment['reactions']): Answer {
  if (mayNotSpeak(call.world, call.repo, issue, { author: actor(call), app: null })) throw lockedOut()
  const content = oneOf(call.body, 'content', reactionKinds)
  if (content === null) throw missing('content')
  const outcome = react(call.world, given, actor(call), content)
  return { status: outcome.created ? 201 : 200, body: reaction(call.world, outcome.reaction) }
}

function unreact(call: RepoCall, given: Comment['reactions']): Answer {
  const index = given.findIndex(({ id }) => id === numberParam(call, 'reaction'))
  if (index < 0) throw new Problem(404, 'Not Found')
  given.splice(index, 1)
  return noContent()
}

const commentRoutes: readonly Route[] = [
  repoRoute('GET', '/issues/comments', readable, (call) =>
    paged(call, [...call.repo.comments.values()], (one) => showComment(call.world, call.repo, one)),
  ),
  repoRoute('GET', '/issues/comments/{id}', readable, (call) =>
    ok(showComment(call.world, call.repo, commentUnder(call))),
  ),
  repoRoute('PATCH', '/issues/comments/{id}', anyone, (call) => {
    const one = commentUnder(call)
    mayChange(call, one)
    editComment(call.world, call.repo, one, neededText(call.body, 'body'), actor(call))
    return ok(showComment(call.world, call.repo, one))
  }),
  repoRoute('DELETE', '/issues/comments/{id}', anyone, (call) => {
    const one = commentUnder(call)
    mayChange(call, one)
    deleteComment(call.world, call.repo, one, actor(call))
    return noContent()
  }),
  repoRoute('GET', '/issues/comments/{id}/reactions', readable, (call) =>
    paged(call, commentUnder(call).reactions, (one) => reaction(call.world, one)),
  ),
  repoRoute('POST', '/issues/comments/{id}/reactions', anyone, (call) => {
    const one = commentUnder(call)
    return reactTo(call, issueOf(call.repo, one.issue), one.reactions)
  }),
  repoRoute('DELETE', '/issues/comments/{id}/reactions/{reaction}', anyone, (call) =>
    unreact(call, commentUnder(call).reactions),
  ),
  repoRoute('GET', '/issues/{number}/comments', readable, (call) => {
    const since = call.query.get('since') ?? ''
    const all = commentsOf(call.repo, issueUnder(call).number).filter(({ updatedAt }) => updatedAt >= since)
    return paged(call, all, (one) => showComment(call.world, call.repo, one))
  }),
  repoRoute('POST', '/issues/{number}/comments', anyone, (call) => {
    const said = { body: neededText(call.body, 'body'), author: actor(call), app: actingThrough(call) }
    const one = addComment(call.world, call.repo, issueUnder(call).number, said)
    return created(showComment(call.world, call.repo, one))
  }),
]

const labelRoutes: readonly Route[] = [
  repoRoute('GET', '/labels', readable, (call) =>
    paged(call, [...call.repo.labels.values()], (one) => showLabel(call.world, call.repo, one)),
  ),
  repoRoute('POST', '/labels', writes('issues', 'pull_requests'), (call) => {
    const [name, color] = [neededText(call.body, 'name'), text(call.body, 'color')]
    const fields = { name, description: text(call.body, 'description'), ...(color === null ? {} : { color }) }
    return created(showLabel(call.world, call.repo, createLabel(call.world, call.repo, fields)))
  }),
  repoRoute('GET', '/labels/{name}', readable, (call) =>
    ok(showLabel(call.world, call.repo, found(call.repo.labels.get(param(call, 'name').toLowerCase())))),
  ),
  repoRoute('DELETE', '/labels/{name}', writes('issues', 'pull_requests'), (call) => {
    deleteLabel(call.repo, param(call, 'name'))
    return noContent()
  }),
  repoRoute('GET', '/issues/{number}/labels', readable, (call) => ok(shownLabels(call))),
  repoRoute('POST', '/issues/{number}/labels', triage, (call) => {
    for (const name of labelNames(call.body) ?? []) addLabel(call.world, call.repo, issueUnder(call), name, actor(call))
    return ok(shownLabels(call))
  }),
  repoRoute('PUT', '/issues/{number}/labels', triage, (call) => {
    setLabels(call.world, call.repo, issueUnder(call), labelNames(call.body) ?? [], actor(call))
    return ok(shownLabels(call))
  }),
  repoRoute('DELETE', '/issues/{number}/labels', triage, (call) => {
    setLabels(call.world, call.repo, issueUnder(call), [], actor(call))
    return noContent()
  }),
  repoRoute('DELETE', '/issues/{number}/labels/{name}', triage, unlabel),
]

export const issueRoutes: readonly Route[] = [
  ...commentRoutes,
  ...labelRoutes,
  repoRoute('GET', '/issues', readable, issues),
  repoRoute('POST', '/issues', { ...writes('issues'), role: 'read' }, create),
  repoRoute('GET', '/issues/{number}', readable, (call) => ok(showIssue(call.world, call.repo, issueUnder(call)))),
  repoRoute('PATCH', '/issues/{number}', anyone, edit),
  repoRoute('GET', '/issues/{number}/events', readable, issueEvents),
  repoRoute('POST', '/issues/{number}/assignees', triage, (call) => {
    assign(call.world, call.repo, issueUnder(call), people(call), actor(call))
    return created(showIssue(call.world, call.repo, issueUnder(call)))
  }),
  repoRoute('DELETE', '/issues/{number}/assignees', triage, (call) => {
    unassign(call.world, call.repo, issueUnder(call), people(call), actor(call))
    return ok(showIssue(call.world, call.repo, issueUnder(call)))
  }),
  repoRoute('POST', '/issues/{number}/reactions', anyone, (call) =>
    reactTo(call, issueUnder(call), issueUnder(call).reactions),
  ),
  repoRoute('PUT', '/issues/{number}/lock', writes('issues', 'pull_requests'), (call) => {
    const reason = oneOf(call.body, 'lock_reason', ['off-topic', 'too heated', 'resolved', 'spam'])
    lock(call.world, call.repo, issueUnder(call), reason, actor(call))
    return noContent()
  }),
  repoRoute('DELETE', '/issues/{number}/lock', writes('issues', 'pull_requests'), (call) => {
    unlock(call.world, call.repo, issueUnder(call), actor(call))
    return noContent()
  }),
]
