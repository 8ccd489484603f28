// Stacks of pull requests as GitHub shows them: in a pull request its own place, elsewhere the whole.
import type { Repo, Stack } from '../model.ts'
import { branchTip, pullOf, type PullIssue, type World } from '../world.ts'
import { nodeId, type Schema } from './account.ts'
import { repoUrl } from './repo.ts'

export function stackOf(repo: Repo, { number, pull: { stack } }: PullIssue): Schema<'pull-request-stack'> {
  if (stack === null) return null
  return {
    base: { ref: stack.baseRef, sha: branchTip(repo, stack.baseRef) },
    size: stack.pulls.length,
    position: stack.pulls.indexOf(number) + 1,
    id: stack.id,
    number: stack.number,
  }
}

export function wholeStack(world: World, repo: Repo, stack: Stack) {
  const pulls = stack.pulls.map((number) => pullOf(repo, number))
  return {
    id: stack.id,
    number: stack.number,
    node_id: nodeId('PRS', stack.id),
    url: `${repoUrl(world, repo)}/stacks/${stack.number}`,
    base: { ref: stack.baseRef },
    open: pulls.some(({ state }) => state === 'open'),
    created_at: stack.createdAt,
    pull_requests: pulls.map(({ number, state, pull }) => ({
      number,
      state,
      draft: pull.draft,
      merged_at: pull.mergedAt,
      head: { ref: pull.headRef, sha: pull.headSha },
    })),
  } satisfies Schema<'pull-request-stack-minimal'>
}
