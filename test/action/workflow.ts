// What Actions does on GitHub, on this machine: a workflow run on the GitHub of the tests, a checkout of the pull request as
// a runner makes it, the bundled Action on it, its artifact through the real client, and the end of the run.
import type { GitHub } from '../github/github.ts'
import { artifactServer } from './artifact-server.ts'
import { originOf, removeScratch } from './origin.ts'
import { runAction, type Run } from './stage.ts'

const path = '.github/workflows/countersign.yml'

/** What its job that runs the Action is called. */
export const actionJob = 'checks'
/** The workflow that a repository has to have for this. */
export const workflowFiles = {
  [path]: `on: [pull_request, merge_group]
permissions: { contents: read }
jobs:
  ${actionJob}:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: countersign/countersign@v0
`,
}

export type Pushed = {
  readonly number: number
  readonly sha: string
  readonly branch: string
  /** What the pull request says of itself. */
  readonly body?: string
}
export type Workflow = Awaited<ReturnType<typeof workflowOf>>

export async function workflowOf(github: GitHub, name: string, more: Readonly<Record<string, 'read'>> = {}) {
  const [org = ''] = name.split('/')
  github.install(org, { app: 'github-actions', permissions: { contents: 'read', metadata: 'read', ...more } })
  const token = github.installationToken(name, 'github-actions')
  /** A checkout of it as a runner makes one, and the Action there as a step of a run. */
  async function prepare({ number, sha, branch, body }: Pushed, run: number) {
    const base = github.tip(name, 'main')
    const origin = await originOf(github, name, [base, sha])
    const mergeSha = origin.merge(base, sha, number)
    const pullPayload = {
      action: 'synchronize',
      number,
      pull_request: {
        number,
        title: 'A change',
        body: body ?? null,
        head: { sha, ref: branch, repo: { full_name: name } },
        base: { sha: base, ref: 'main', repo: { full_name: name } },
      },
      repository: { full_name: name },
    }
    const env = {
      GITHUB_REPOSITORY: name,
      GITHUB_RUN_ID: String(run),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_WORKFLOW_REF: `${name}/${path}@refs/pull/${number}/merge`,
    }
    return async (inputs: Readonly<Record<string, string>> = {}): Promise<Run> => {
      const artifacts = await artifactServer()
      const workspace = origin.checkout(mergeSha, 1)
      const ready = { github, artifacts, serverUrl: origin.server.url, workspace, mergeSha, number, token, pullPayload }
      const ran = await runAction(ready, { env, inputs })
      for (const { name: artifact, zip } of artifacts.uploads) github.uploadArtifact(name, run, artifact, zip)
      await artifacts.close()
      return ran
    }
  }
  return {
    /** From the push to the end of the run. */
    run: async (pushed: Pushed, inputs: Readonly<Record<string, string>> = {}): Promise<Run> => {
      const run = github.startRun(name, { head: pushed.sha, branch: pushed.branch, path })
      const ran = await (await prepare(pushed, run))(inputs)
      github.finishRun(name, run, ran.code === 0 ? 'success' : 'failure')
      return ran
    },
    /** The same with a job for tier 1, and then one for each of these checks. */
    runJobs: async (pushed: Pushed, checks: readonly string[]): Promise<readonly Run[]> => {
      const { sha, branch } = pushed
      const run = github.startRun(name, { head: sha, branch, path })
      const act = await prepare(pushed, run)
      const all: Run[] = []
      for (const job of ['tier1', ...checks]) {
        const id = github.reportCheck(name, { name: job, sha, run, status: 'in_progress' })
        const ran = await act(job === 'tier1' ? {} : { check: job })
        github.updateCheck(name, id, { conclusion: ran.code === 0 ? 'success' : 'failure' })
        all.push(ran)
      }
      github.finishRun(name, run, all.every(({ code }) => code === 0) ? 'success' : 'failure')
      return all
    },
    close: removeScratch,
  }
}
