// Comments on issues and pull requests. One that is edited tells what it said before.
import type { Account, App, Comment, Repo } from '../model.ts'
import { bodyProblem } from '../lengths.ts'
import { comment as showComment, issue as showIssue } from '../shapes/issue.ts'
import { found, issueOf, type World } from '../world.ts'
import { lockedOut, mayNotSpeak } from './locks.ts'

export type Said = { readonly body: string; readonly author: Account; readonly app: App | null }

export function addComment(world: World, repo: Repo, number: number, { body, author, app }: Said): Comment {
  const issue = issueOf(repo, number)
  checkBody(body)
  if (mayNotSpeak(world, repo, issue, { author, app })) throw lockedOut()
  const comment: Comment = {
    id: world.nextId(),
    issue: number,
    author,
    app,
    body,
    createdAt: world.now(),
    updatedAt: world.now(),
    reactions: [],
  }
  repo.comments.set(comment.id, comment)
  issue.updatedAt = world.now()
  tell(world, repo, comment, 'created', author)
  return comment
}

export function editComment(world: World, repo: Repo, comment: Comment, body: string, sender: Account): void {
  checkBody(body)
  const from = comment.body
  comment.body = body
  comment.updatedAt = world.now()
  if (from !== body) tell(world, repo, comment, 'edited', sender, { changes: { body: { from } } })
}

export function deleteComment(world: World, repo: Repo, comment: Comment, sender: Account): void {
  tell(world, repo, comment, 'deleted', sender)
  repo.comments.delete(comment.id)
}

export const commentOf = (repo: Repo, id: number): Comment => found(repo.comments.get(id))

function checkBody(body: string): void {
  const problem = bodyProblem('IssueComment', body, { blank: false })
  if (problem !== null) throw problem
}

function tell(world: World, repo: Repo, comment: Comment, action: string, sender: Account, more: object = {}): void {
  const issue = showIssue(world, repo, issueOf(repo, comment.issue))
  const payload = { action, issue, comment: showComment(world, repo, comment), ...more }
  world.emit('issue_comment', { account: repo.owner, repo, sender }, payload)
}
