// Issues wait for issues, also across repositories. https://docs.github.com/en/rest/issues/issue-dependencies
import type { Account } from '../model.ts'
import { Problem } from '../problem.ts'
import { issue as showIssue } from '../shapes/issue.ts'
import { repository as showRepo } from '../shapes/repo.ts'
import { isPull, type World } from '../world.ts'
import type { Placed } from './sub-issues.ts'

/** GitHub allows no more. */
const BLOCKED_BY_MAX = 50

export function addBlocker(world: World, blocked: Placed, blocking: Placed, sender: Account): void {
  if (isPull(blocking.issue) || isPull(blocked.issue)) throw new Problem(422, 'Only issues have dependencies')
  if (blocking.issue === blocked.issue) throw new Problem(422, 'An issue cannot block itself')
  if (blocked.issue.blockedBy.some(({ issue }) => issue === blocking.issue))
    throw new Problem(422, 'The dependency already exists')
  if (blocked.issue.blockedBy.length >= BLOCKED_BY_MAX) throw new Problem(422, 'An issue has at most 50 dependencies')
  blocked.issue.blockedBy.push(blocking)
  tell(world, blocked, blocking, 'added', sender)
}

export function removeBlocker(world: World, blocked: Placed, blocking: Placed, sender: Account): void {
  const index = blocked.issue.blockedBy.findIndex(({ issue }) => issue === blocking.issue)
  if (index < 0) throw new Problem(404, 'Not Found')
  blocked.issue.blockedBy.splice(index, 1)
  tell(world, blocked, blocking, 'removed', sender)
}

/** Each repository is told of its own side. */
function tell(world: World, blocked: Placed, blocking: Placed, what: 'added' | 'removed', sender: Account): void {
  const payload = {
    blocked_issue_id: blocked.issue.id,
    blocked_issue: showIssue(world, blocked.repo, blocked.issue),
    blocking_issue_id: blocking.issue.id,
    blocking_issue: showIssue(world, blocking.repo, blocking.issue),
  }
  const to = (side: Placed) => ({ account: side.repo.owner, repo: side.repo, sender })
  world.emit('issue_dependencies', to(blocked), {
    action: `blocked_by_${what}`,
    ...payload,
    blocking_issue_repo: showRepo(world, blocking.repo),
  })
  world.emit('issue_dependencies', to(blocking), {
    action: `blocking_${what}`,
    ...payload,
    blocked_issue_repo: showRepo(world, blocked.repo),
  })
}
