// Issues have issues below them, one parent each, also across repositories.
// https://docs.github.com/en/rest/issues/sub-issues
import type { Account, Issue, Repo } from '../model.ts'
import { Problem } from '../problem.ts'
import { issue as showIssue } from '../shapes/issue.ts'
import { isPull, type World } from '../world.ts'

export type Placed = { readonly repo: Repo; readonly issue: Issue }

/** GitHub allows no more. */
const BELOW_MAX = 100

export function addSubIssue(world: World, parent: Placed, below: Placed, sender: Account): void {
  if (isPull(below.issue)) throw new Problem(422, 'Sub-issue must be an issue')
  if (below.issue === parent.issue) throw new Problem(422, 'An issue cannot be its own sub-issue')
  if (parentOf(world, below.issue) !== null) throw new Problem(422, 'Sub-issue may only have one parent')
  if (parent.issue.below.length >= BELOW_MAX) throw new Problem(422, 'Parent cannot have more than 100 sub-issues')
  parent.issue.below.push(below)
  tell(world, parent, below, 'added', sender)
}

export function removeSubIssue(world: World, parent: Placed, below: Placed, sender: Account): void {
  const index = parent.issue.below.findIndex(({ issue }) => issue === below.issue)
  if (index < 0) throw new Problem(404, 'Not Found')
  parent.issue.below.splice(index, 1)
  tell(world, parent, below, 'removed', sender)
}

/** Each repository is told of its own side. */
function tell(world: World, parent: Placed, below: Placed, what: 'added' | 'removed', sender: Account): void {
  const payload = {
    sub_issue_id: below.issue.id,
    sub_issue: showIssue(world, below.repo, below.issue),
    parent_issue_id: parent.issue.id,
    parent_issue: showIssue(world, parent.repo, parent.issue),
  }
  const to = (side: Placed) => ({ account: side.repo.owner, repo: side.repo, sender })
  world.emit('sub_issues', to(parent), { action: `sub_issue_${what}`, ...payload })
  world.emit('sub_issues', to(below), { action: `parent_issue_${what}`, ...payload })
}

const everything = (world: World): readonly Placed[] =>
  [...world.state.repos.values()].flatMap((repo) => [...repo.issues.values()].map((issue) => ({ repo, issue })))

export const parentOf = (world: World, below: Issue): Placed | null =>
  everything(world).find(({ issue }) => issue.below.some((one) => one.issue === below)) ?? null

export function issueWithId(world: World, id: number): Placed {
  const one = everything(world).find(({ issue }) => issue.id === id)
  if (one === undefined) throw new Problem(404, 'Not Found')
  return one
}
