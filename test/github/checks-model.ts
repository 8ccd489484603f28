// What machines leave in a repository: check suites and runs, statuses, workflow runs and their artifacts.
import type { Account, App, Repo } from './model.ts'

export type CheckStatus = 'queued' | 'in_progress' | 'completed' | 'waiting' | 'requested' | 'pending'
export type Conclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'skipped'
  | 'timed_out'
  | 'action_required'
  | 'stale'
export type CheckSuite = {
  readonly id: number
  readonly app: App
  readonly headSha: string
  readonly headBranch: string | null
  status: CheckStatus
  conclusion: Conclusion | null
  readonly createdAt: string
  updatedAt: string
}
export type Annotation = {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly start_column: number | null
  readonly end_column: number | null
  readonly annotation_level: 'notice' | 'warning' | 'failure'
  readonly title: string | null
  readonly message: string
  readonly raw_details: string | null
}
export type CheckAction = { readonly label: string; readonly description: string; readonly identifier: string }
export type CheckRun = {
  readonly id: number
  readonly suite: CheckSuite
  /** The attempt of the workflow run whose job this is; null for what Actions did not run. */
  readonly job: { readonly run: WorkflowRun; readonly attempt: number } | null
  readonly headSha: string
  name: string
  externalId: string
  detailsUrl: string | null
  status: CheckStatus
  conclusion: Conclusion | null
  startedAt: string | null
  completedAt: string | null
  title: string | null
  summary: string | null
  text: string | null
  readonly annotations: Annotation[]
  actions: readonly CheckAction[]
}
export type StatusState = 'error' | 'failure' | 'pending' | 'success'
export type Status = {
  readonly id: number
  readonly sha: string
  readonly state: StatusState
  readonly context: string
  readonly description: string | null
  readonly targetUrl: string | null
  readonly creator: Account
  readonly app: App | null
  readonly createdAt: string
}
export type WorkflowRun = {
  readonly id: number
  readonly number: number
  readonly workflow: number
  readonly name: string
  readonly path: string
  readonly event: string
  readonly headSha: string
  readonly headBranch: string
  readonly headRepo: Repo
  readonly actor: Account
  /** Who pressed the button of the newest attempt. */
  triggeredBy: Account
  readonly suite: CheckSuite
  readonly referenced: readonly ReferencedWorkflow[]
  attempt: number
  /** By attempt: the jobs that it consists of, those taken over from the attempt before included. */
  readonly jobs: Map<number, readonly CheckRun[]>
  status: CheckStatus
  conclusion: Conclusion | null
  readonly createdAt: string
  updatedAt: string
  startedAt: string
  steps: readonly JobStep[]
  /** Environments whose deployment waits for an App. */
  readonly gates: Map<string, DeploymentGate>
}
/** What the App said: every comment, and its word once it gave it. */
export type DeploymentGate = {
  readonly app: number
  state: 'approved' | 'rejected' | null
  readonly comments: string[]
}
export type ReferencedWorkflow = { readonly path: string; readonly sha: string; readonly ref?: string }
export type JobStep = { readonly name: string; readonly conclusion: 'success' | 'failure' | 'skipped' | null }
export type Artifact = {
  readonly id: number
  readonly run: number
  readonly name: string
  readonly zip: Buffer
  readonly digest: string
  readonly createdAt: string
  readonly expiresAt: string
}
