// What issues and pull requests share when they begin and end.
import type { Account, Issue, Repo } from '../model.ts'
import { bodyProblem, titleProblem } from '../lengths.ts'
import type { World } from '../world.ts'

export type OpenIssue = { readonly title: string; readonly body: string | null; readonly author: Account }

/** Numbers are shared by issues and pull requests. */
export function newIssue(world: World, repo: Repo, { title, body, author }: OpenIssue): Issue {
  const problem = titleProblem('Issue', title) ?? bodyProblem('Issue', body, { blank: true })
  if (problem !== null) throw problem
  return {
    id: world.nextId(),
    number: repo.issues.size + 1,
    author,
    edits: [],
    lock: null,
    title,
    body,
    state: 'open',
    stateReason: null,
    labels: new Set(),
    assignees: new Set(),
    createdAt: world.now(),
    updatedAt: world.now(),
    closedAt: null,
    closedBy: null,
    reactions: [],
    events: [],
    below: [],
    blockedBy: [],
    pull: null,
  }
}

export function markClosed(world: World, issue: Issue, sender: Account): void {
  issue.state = 'closed'
  issue.closedAt = world.now()
  issue.closedBy = sender
  issue.updatedAt = world.now()
}
