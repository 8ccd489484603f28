// What a GraphQL id stands for, if whoever asks may read or change it. What they may not see is not there.
import type { Comment, Label, Repo, Review } from '../model.ts'
import { notFound } from '../problem.ts'
import { nodeId } from '../shapes/account.ts'
import { allowNode } from '../wire/router.ts'
import type { Call } from '../wire/call.ts'
import { isPull, type PullIssue } from '../world.ts'

export function repoNamed(call: Call, id: string | null, permission?: 'checks'): Repo {
  const repo = reposOf(call).find((one) => nodeId('R', one.id) === id)
  if (repo === undefined) throw notFound()
  allowNode(call, repo, 'write', permission)
  return repo
}

/** The number of a check run. */
export const runNamed = (id: string | null): number => Number(/^CR_(\d+)$/.exec(id ?? '')?.[1])

export function pullNamed(call: Call, id: string | null, level: 'read' | 'write' = 'write'): [Repo, PullIssue] {
  const key = Number(/^PR_(\d+)$/.exec(id ?? '')?.[1])
  for (const repo of reposOf(call)) {
    for (const one of repo.issues.values()) {
      if (one.id !== key || !isPull(one)) continue
      allowNode(call, repo, level)
      return [repo, one]
    }
  }
  throw notFound()
}

export function commentNamed(call: Call, id: string | null): [Repo, Comment] {
  const key = Number(/^IC_(\d+)$/.exec(id ?? '')?.[1])
  for (const repo of reposOf(call)) {
    const one = repo.comments.get(key)
    if (one === undefined) continue
    allowNode(call, repo, 'write')
    return [repo, one]
  }
  throw notFound()
}

export function reviewNamed(call: Call, id: string | null): Review {
  const key = Number(/^PRR_(\d+)$/.exec(id ?? '')?.[1])
  for (const repo of reposOf(call)) {
    const one = repo.reviews.get(key)
    if (one === undefined) continue
    allowNode(call, repo, 'write')
    return one
  }
  throw notFound()
}

export function labelNamed(repo: Repo, id: string): Label {
  const label = [...repo.labels.values()].find((one) => nodeId('LA', one.id) === id)
  if (label === undefined) throw notFound()
  return label
}

const reposOf = ({ world }: Call): Repo[] => [...world.state.repos.values()]
