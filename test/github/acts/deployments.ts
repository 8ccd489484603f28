// Deployments that wait for an App: a job that names an environment which the App protects waits until the App says yes or no.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads#deployment_protection_rule
import type { DeploymentGate, WorkflowRun } from '../checks-model.ts'
import type { App, Repo } from '../model.ts'
import { Problem, refused } from '../problem.ts'
import { fullName, type World } from '../world.ts'

export function askToDeploy(world: World, repo: Repo, run: WorkflowRun, environment: string, app: App): void {
  run.gates.set(environment, { app: app.id, state: null, comments: [] })
  const payload = {
    action: 'requested',
    environment,
    event: run.event,
    sha: run.headSha,
    ref: `refs/heads/${run.headBranch}`,
    deployment_callback_url: `${world.url}/repos/${fullName(repo)}/actions/runs/${run.id}/deployment_protection_rule`,
    pull_requests: [],
  }
  world.emit('deployment_protection_rule', { account: repo.owner, repo, sender: run.triggeredBy }, payload)
}

type Word = { readonly environment: string; readonly state: DeploymentGate['state']; readonly comment: string }

/** A word that was given cannot be changed. */
export function answerGate(run: WorkflowRun, app: App | null, { environment, state, comment }: Word): void {
  const gate = run.gates.get(environment)
  if (gate === undefined || gate.app !== app?.id) throw new Problem(404, 'Not Found')
  if (gate.state !== null) throw refused('The deployment is not waiting for this rule')
  if (state === null && comment === '') throw refused('A comment or a state is needed')
  if (comment !== '') gate.comments.push(comment)
  gate.state = state
}
