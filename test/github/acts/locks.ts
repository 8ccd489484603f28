// A locked conversation takes no words from anybody but people with write permission, and none from Apps.
// https://docs.github.com/en/communities/moderating-comments-and-conversations/locking-conversations
import type { Account, App, Issue, LockReason, Repo } from '../model.ts'
import { Problem } from '../problem.ts'
import { atLeast, roleOf, type World } from '../world.ts'
import { tellIssue } from './issues.ts'

export function lock(world: World, repo: Repo, issue: Issue, reason: LockReason | null, sender: Account): void {
  issue.lock = { reason }
  issue.updatedAt = world.now()
  tellIssue(world, repo, issue, 'locked', sender)
}

export function unlock(world: World, repo: Repo, issue: Issue, sender: Account): void {
  if (issue.lock === null) return
  issue.lock = null
  issue.updatedAt = world.now()
  tellIssue(world, repo, issue, 'unlocked', sender)
}

type Speaker = { readonly author: Account; readonly app: App | null }

export const mayNotSpeak = (world: World, repo: Repo, issue: Issue, { author }: Speaker): boolean =>
  issue.lock !== null && (author.type === 'Bot' || !atLeast(roleOf(world, repo, author)?.role ?? null, 'write'))

export const lockedOut = (): Problem => new Problem(403, 'Unable to create comment because issue is locked.')
