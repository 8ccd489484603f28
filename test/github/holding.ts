// Which pull requests a commit belongs to: it is their head, lies between their base and their head, or came into the base with them.
import { ancestors } from './git/history.ts'
import { commitOf } from './git/objects.ts'
import type { Repo } from './model.ts'
import { branchTip, pullsOf, type PullIssue } from './world.ts'

export function pullsHolding(repo: Repo, sha: string): readonly PullIssue[] {
  const bases = new Map<string, ReadonlySet<string>>()
  const below = (base: string): ReadonlySet<string> => {
    const known = bases.get(base) ?? ancestors(repo.objects, base)
    bases.set(base, known)
    return known
  }
  const isBetween = (base: string, head: string): boolean => {
    const known = below(base)
    const seen = new Set<string>()
    for (let next = [head]; next.length > 0;) {
      const fresh = next.filter((one) => !known.has(one) && !seen.has(one))
      if (fresh.includes(sha)) return true
      for (const one of fresh) seen.add(one)
      next = fresh.flatMap((one) => commitOf(repo.objects, one).parents)
    }
    return false
  }
  return pullsOf(repo).filter(
    ({ pull }) => [pull.mergeCommit, pull.headSha].includes(sha) || isBetween(pull.baseSha, pull.headSha),
  )
}

/** What is merged already belongs to whoever merged it, and to nobody who is open. */
export function pullsAssociated(repo: Repo, sha: string): readonly PullIssue[] {
  const isMerged = ancestors(repo.objects, branchTip(repo, repo.defaultBranch)).has(sha)
  return pullsHolding(repo, sha).filter(
    ({ state, pull: { mergedAt } }) => mergedAt !== null || (!isMerged && state === 'open'),
  )
}
