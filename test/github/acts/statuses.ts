// Commit statuses: anyone who may write can set one, under any name.
// https://docs.github.com/en/rest/commits/statuses
import type { Status } from '../checks-model.ts'
import type { Repo } from '../model.ts'
import { invalid, Problem, refused } from '../problem.ts'
import { user } from '../shapes/account.ts'
import { commit as showCommit } from '../shapes/commit.ts'
import { status as showStatus } from '../shapes/check.ts'
import { fullName, type World } from '../world.ts'

const descriptionMax = 140
const perContextMax = 1_000

export type NewStatus = Omit<Status, 'id' | 'sha' | 'createdAt'>

export function addStatus(world: World, repo: Repo, sha: string, wanted: NewStatus): Status {
  if (!repo.objects.commits.has(sha)) throw refused(`No commit found for SHA: ${sha}`)
  if (Array.from(wanted.description ?? '').length > descriptionMax) {
    throw invalid('Status', 'description', `description is too long (maximum is ${descriptionMax} characters)`)
  }
  const before = repo.statuses.get(sha) ?? []
  if (before.filter(({ context }) => context === wanted.context).length >= perContextMax) {
    const message = 'This SHA and context has reached the maximum number of statuses.'
    throw new Problem(422, 'Validation Failed', [message])
  }
  const status: Status = { id: world.nextId(), sha, ...wanted, createdAt: world.now() }
  repo.statuses.set(sha, [...before, status])
  tell(world, repo, status)
  return status
}

function tell(world: World, repo: Repo, status: Status): void {
  const shown = showStatus(world, repo, status)
  const branches = [...repo.refs]
    .filter(([ref, tip]) => ref.startsWith('refs/heads/') && tip === status.sha)
    .map(([ref, sha]) => ({ name: ref.replace('refs/heads/', ''), commit: { sha, url: shown.url }, protected: false }))
  world.emit(
    'status',
    { account: repo.owner, repo, sender: status.creator },
    {
      id: status.id,
      sha: status.sha,
      name: fullName(repo),
      avatar_url: user(world, status.creator).avatar_url,
      target_url: status.targetUrl,
      context: status.context,
      description: status.description,
      state: status.state,
      commit: showCommit(world, repo, status.sha),
      branches,
      created_at: status.createdAt,
      updated_at: status.createdAt,
    },
  )
}
