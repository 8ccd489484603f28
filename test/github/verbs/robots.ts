// What runs by itself: checks of other Apps, statuses, workflow runs and their artifacts.
import { accountNamed, appNamed } from '../acts/accounts.ts'
import {
  checkRunOf,
  createCheckRun,
  noFields,
  requestAction,
  rerequestRun,
  rerequestSuite,
  updateCheckRun,
  type CheckFields,
} from '../acts/checks.ts'
import { approveRun, deleteArtifact, finishRun, rerun, runOf, startRun, uploadArtifact } from '../acts/runs.ts'
import { askToDeploy } from '../acts/deployments.ts'
import { addStatus } from '../acts/statuses.ts'
import type { Conclusion, DeploymentGate, JobStep, ReferencedWorkflow, StatusState } from '../checks-model.ts'
import { commitSha, found, repoOf, type World } from '../world.ts'

export type CheckReport = Partial<Omit<CheckFields, 'name'>> & {
  readonly name: string
  /** A commit or a branch. */
  readonly sha: string
  /** The App that reports, by its slug: `github-actions` when left out. */
  readonly app?: string
  /** The workflow run whose job it is; for Actions the newest one of the commit's first suite when left out. */
  readonly run?: number
}
export type StatusReport = {
  readonly sha: string
  readonly context: string
  readonly state: StatusState
  readonly description?: string
  readonly targetUrl?: string
  readonly by: string
}
export type RunWish = {
  /** A commit or a branch of the head repository. */
  readonly head: string
  readonly branch?: string
  readonly headRepo?: string
  readonly path?: string
  readonly name?: string
  readonly event?: string
  readonly actor?: string
  /** Reusable workflows that it calls. */
  readonly referenced?: readonly ReferencedWorkflow[]
}

export function robotVerbs(world: World) {
  return {
    /** A new check run; it is completed when it has a conclusion. Gives its id. */
    reportCheck: (name: string, { sha, app = 'github-actions', run, ...fields }: CheckReport): number => {
      const repo = repoOf(world, name)
      const given = { ...noFields, ...fields }
      const of = run === undefined ? null : runOf(repo, run)
      return createCheckRun(world, repo, appNamed(world, app), commitSha(repo, sha), given, of).id
    },
    updateCheck: (name: string, id: number, fields: Partial<CheckFields>): void => {
      const repo = repoOf(world, name)
      updateCheckRun(world, repo, checkRunOf(repo, id), { ...noFields, ...fields })
    },
    /** A person presses "Re-run" beside a check run. */
    rerequest: (name: string, id: number, by: string): void => {
      const repo = repoOf(world, name)
      rerequestRun(world, repo, checkRunOf(repo, id), accountNamed(world, by))
    },
    rerequestSuite: (name: string, id: number, by: string): void => {
      const repo = repoOf(world, name)
      rerequestSuite(world, repo, found(repo.suites.get(id)), accountNamed(world, by))
    },
    /** A person presses a button that the check run offers. */
    pressAction: (name: string, id: number, identifier: string, by: string): void => {
      const repo = repoOf(world, name)
      requestAction(world, repo, checkRunOf(repo, id), identifier, accountNamed(world, by))
    },
    reportStatus: (name: string, { sha, context, state, description, targetUrl, by }: StatusReport): number => {
      const repo = repoOf(world, name)
      const creator = accountNamed(world, by)
      const app = [...world.state.apps.values()].find(({ bot }) => bot === creator) ?? null
      const words = { description: description ?? null, targetUrl: targetUrl ?? null }
      return addStatus(world, repo, commitSha(repo, sha), { context, state, creator, app, ...words }).id
    },
    /** A workflow run begins. Gives its id. */
    startRun: (name: string, wish: RunWish): number => {
      const repo = repoOf(world, name)
      const headRepo = wish.headRepo === undefined ? repo : repoOf(world, wish.headRepo)
      const path = wish.path ?? '.github/workflows/ci.yml'
      return startRun(world, repo, {
        path,
        name: wish.name ?? path,
        event: wish.event ?? 'pull_request',
        headSha: commitSha(headRepo, wish.head),
        headBranch: wish.branch ?? wish.head,
        headRepo,
        actor: accountNamed(world, wish.actor ?? repo.owner.login),
        referenced: wish.referenced ?? [],
      }).id
    },
    /**
     * Its jobs are the check runs of Actions on its commit, which `reportCheck` makes; each has these steps. A
     * conclusion of null: that step never ended.
     */
    finishRun: (name: string, id: number, conclusion: Conclusion, steps?: readonly JobStep[]): void => {
      const repo = repoOf(world, name)
      finishRun(world, repo, runOf(repo, id), conclusion, steps)
    },
    /** A job of a run waits to deploy its commit until the App, by its slug, says so. */
    askToDeploy: (name: string, run: number, environment: string, app: string): void => {
      const repo = repoOf(world, name)
      askToDeploy(world, repo, runOf(repo, run), environment, appNamed(world, app))
    },
    deploymentGate: (name: string, run: number, environment: string): DeploymentGate | null =>
      runOf(repoOf(world, name), run).gates.get(environment) ?? null,
    /** A run that waits for approval gets it. */
    approveRun: (name: string, id: number, by: string): void => {
      const repo = repoOf(world, name)
      approveRun(world, repo, runOf(repo, id), accountNamed(world, by))
    },
    rerun: (name: string, id: number, by?: string): void => {
      const repo = repoOf(world, name)
      rerun(world, repo, runOf(repo, id), { jobs: 'all', by: accountNamed(world, by ?? repo.owner.login) })
    },
    /** "Re-run failed jobs": the others keep their attempt, and their artifacts stay. */
    rerunFailed: (name: string, id: number, by?: string): void => {
      const repo = repoOf(world, name)
      rerun(world, repo, runOf(repo, id), { jobs: 'failed', by: accountNamed(world, by ?? repo.owner.login) })
    },
    /** The bytes of a zip, or these in base64. Gives the artifact's id. */
    uploadArtifact: (name: string, run: number, artifact: string, zip: Uint8Array | string): number => {
      const repo = repoOf(world, name)
      const bytes = typeof zip === 'string' ? Buffer.from(zip, 'base64') : Buffer.from(zip)
      return uploadArtifact(world, repo, runOf(repo, run), artifact, bytes).id
    },
    deleteArtifact: (name: string, run: number, artifact: string): void => {
      const repo = repoOf(world, name)
      deleteArtifact(repo, runOf(repo, run), artifact)
    },
  }
}
