// Check suites: one per App and commit. GitHub asks every App that may write checks for one at each push, and reports
// a suite complete when all its runs are.
import type { CheckSuite, Conclusion } from '../checks-model.ts'
import type { Account, App, Repo } from '../model.ts'
import { checkSuite } from '../shapes/check.ts'
import type { World } from '../world.ts'
import { installationFor } from './installations.ts'

/** From mildest to worst: a suite concludes as its worst run. */
const severity: readonly (Conclusion | null)[] = [
  'neutral',
  'skipped',
  'success',
  'cancelled',
  'stale',
  'action_required',
  'timed_out',
  'failure',
]

export function suiteFor(world: World, repo: Repo, app: App, sha: string, branch: string | null = null): CheckSuite {
  const known = [...repo.suites.values()].find((suite) => suite.app === app && suite.headSha === sha)
  return known ?? newSuite(world, repo, app, sha, branch)
}

export function newSuite(world: World, repo: Repo, app: App, sha: string, branch: string | null): CheckSuite {
  const heads = [...repo.refs].find(([ref, tip]) => ref.startsWith('refs/heads/') && tip === sha)?.[0]
  const suite: CheckSuite = {
    id: world.nextId(),
    app,
    headSha: sha,
    headBranch: branch ?? heads?.replace('refs/heads/', '') ?? null,
    status: 'queued',
    conclusion: null,
    createdAt: world.now(),
    updatedAt: world.now(),
  }
  repo.suites.set(suite.id, suite)
  return suite
}

export function requestSuites(world: World, repo: Repo, branch: string, sha: string, sender: Account): void {
  for (const app of world.state.apps.values()) {
    const installation = installationFor(world, app, repo)
    if (installation === null || installation.permissions['checks'] !== 'write') continue
    const suite = suiteFor(world, repo, app, sha, branch)
    tellSuite(world, repo, suite, 'requested', sender)
  }
}

export function tellSuite(
  world: World,
  repo: Repo,
  suite: CheckSuite,
  action: 'requested' | 'rerequested' | 'completed',
  sender: Account,
): void {
  const about = { account: repo.owner, repo, sender, ...(action === 'completed' ? {} : { only: suite.app }) }
  world.emit('check_suite', about, { action, check_suite: checkSuite(world, repo, suite) })
}

/** Brings a suite up to date with its runs, and tells when the last of them ended. */
export function settleSuite(world: World, repo: Repo, suite: CheckSuite, sender: Account): void {
  const runs = (repo.checksBySha.get(suite.headSha) ?? []).filter((run) => run.suite === suite)
  const newest = [...new Map(runs.map((run) => [run.name, run])).values()]
  const done = newest.every((run) => run.status === 'completed')
  suite.updatedAt = world.now()
  suite.status = done ? 'completed' : 'in_progress'
  if (!done) {
    suite.conclusion = null
    return
  }
  const ranked = newest.map((run) => run.conclusion).sort((a, b) => severity.indexOf(b) - severity.indexOf(a))
  suite.conclusion = ranked[0] ?? null
  tellSuite(world, repo, suite, 'completed', sender)
}
