// What this GitHub keeps: accounts, repositories and everything in them, Apps and their installations. Plain mutable
// records in maps; only the files in acts/ change them. Times are ISO texts from the clock of the world.
import type { Artifact, CheckRun, CheckSuite, Status, WorkflowRun } from './checks-model.ts'
import type { ObjectStore } from './git/objects.ts'

export type Role = 'read' | 'triage' | 'write' | 'maintain' | 'admin'
export type Account = {
  readonly id: number
  /** Changes when the account is renamed, and may then be taken by another. */
  login: string
  /** Where GraphQL spells it otherwise than REST does. */
  readonly graphqlLogin: string
  readonly type: 'User' | 'Bot' | 'Organization'
  readonly name: string | null
  readonly email: string
  readonly createdAt: string
}
export type Team = {
  readonly id: number
  readonly org: Account
  readonly slug: string
  readonly name: string
  readonly members: Map<string, 'member' | 'maintainer'>
  readonly repos: Map<number, Role>
}
export type Permissions = Readonly<Record<string, string>>
export type App = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly owner: Account
  readonly bot: Account
  readonly clientId: string
  readonly publicKey: string | null
  readonly webhookSecret: string
  webhookUrl: string | null
  readonly permissions: Permissions
  readonly events: readonly string[]
  readonly createdAt: string
}
export type Installation = {
  readonly id: number
  readonly app: App
  readonly account: Account
  permissions: Permissions
  readonly events: readonly string[]
  /** Null for all repositories of the account. */
  readonly repos: Set<number> | null
  readonly createdAt: string
  suspended: { readonly at: string; readonly by: Account } | null
}
export type Token = {
  readonly account: Account
  readonly installation: Installation | null
  /** The App that acts for the person whose token it is. */
  readonly app: App | null
  /** Null for a person's token, which may do what the person may. */
  readonly permissions: Permissions | null
  readonly repos: ReadonlySet<number> | null
  /** On the wall clock, which is what clients compare it with. Null for a token that lasts. */
  readonly expiresAt: string | null
}
export type Label = {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly description: string | null
}
export type Reaction = {
  readonly id: number
  readonly user: Account
  readonly content: string
  readonly createdAt: string
}
/** Pull requests on top of each other, from the bottom to the top. All answer to the rules for the base of the lowest. */
export type Stack = {
  readonly id: number
  readonly number: number
  readonly baseRef: string
  readonly pulls: readonly number[]
  readonly createdAt: string
}
/** Where the ends of a pull request were, and since when. */
export type Ends = {
  readonly headSha: string
  readonly baseRef: string
  readonly baseSha: string
  readonly updatedAt: string
}
export type Pull = {
  readonly headRepo: Repo
  readonly headRef: string
  headSha: string
  baseRef: string
  baseSha: string
  draft: boolean
  mergedAt: string | null
  mergedBy: Account | null
  mergeCommit: string | null
  readonly reviewers: Set<Account>
  readonly teams: Set<Team>
  /** Issues linked by hand, not by a closing word. */
  readonly linked: Set<number>
  /** Who linked and unlinked which issue, oldest first. */
  readonly links: Link[]
  /** The last person who pushed to the head, whose approval may not count. */
  lastPusher: Account
  stack: Stack | null
  /** Before the last push or the last retarget, which a stale read still shows. */
  before: Ends | null
}
export type Link = {
  readonly id: number
  readonly issue: number
  readonly by: Account | null
  readonly at: string
  readonly made: boolean
}
export type Edit = { readonly editor: Account; readonly at: string; readonly before: string }
export type LockReason = 'off-topic' | 'too heated' | 'resolved' | 'spam'
/** What became of an issue, as far as anybody asks for it. */
export type IssueEvent = { readonly id: number; readonly by: Account; readonly at: string } & (
  | { readonly event: 'base_ref_changed' }
  | { readonly event: 'labeled' | 'unlabeled'; readonly label: string }
  /** `closer`: the number of the pull request that closed it with its merge; null where somebody did. */
  | { readonly event: 'closed'; readonly closer: number | null }
  | { readonly event: 'reopened' }
  | { readonly event: 'renamed'; readonly from: string; readonly to: string }
  | { readonly event: 'review_dismissed'; readonly review: number; readonly state: 'approved' | 'changes_requested' }
)
export type Issue = {
  readonly id: number
  readonly number: number
  readonly author: Account
  /** What became of the body, oldest first. */
  readonly edits: Edit[]
  lock: { readonly reason: LockReason | null } | null
  title: string
  body: string | null
  state: 'open' | 'closed'
  stateReason: 'completed' | 'not_planned' | 'reopened' | null
  readonly labels: Set<string>
  readonly assignees: Set<Account>
  readonly createdAt: string
  updatedAt: string
  closedAt: string | null
  closedBy: Account | null
  readonly reactions: Reaction[]
  readonly events: IssueEvent[]
  /** Its sub-issues, in their order. */
  readonly below: { readonly repo: Repo; readonly issue: Issue }[]
  /** What it waits for. */
  readonly blockedBy: { readonly repo: Repo; readonly issue: Issue }[]
  readonly pull: Pull | null
}
export type Comment = {
  readonly id: number
  readonly issue: number
  readonly author: Account
  readonly app: App | null
  body: string
  readonly createdAt: string
  updatedAt: string
  readonly reactions: Reaction[]
}
export type ReviewComment = {
  readonly id: number
  readonly pull: number
  readonly review: number
  readonly author: Account
  readonly path: string
  readonly line: number | null
  readonly startLine: number | null
  readonly side: 'LEFT' | 'RIGHT'
  readonly subject: 'line' | 'file'
  readonly commit: string
  readonly hunk: string
  readonly inReplyTo: number | null
  body: string
  readonly createdAt: string
  updatedAt: string
  readonly reactions: Reaction[]
}
export type ReviewState = 'PENDING' | 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'
export type Review = {
  readonly id: number
  readonly pull: number
  readonly author: Account
  body: string
  state: ReviewState
  commit: string
  submittedAt: string | null
  editedAt: string | null
  /** Why it was folded away. */
  minimized: string | null
}
export type RequiredCheck = { readonly context: string; readonly appId: number | null }
export type Protection = {
  readonly checks: readonly RequiredCheck[]
  readonly strict: boolean
  readonly enforceAdmins: boolean
  /** Null where no review is asked for. */
  readonly approvals: number | null
  readonly dismissStale: boolean
  readonly lastPushApproval: boolean
  readonly codeOwners: boolean
}
export type Ruleset = {
  readonly id: number
  readonly name: string
  /** Branch names, or `~DEFAULT_BRANCH`, or `~ALL`. */
  readonly branches: readonly string[]
  readonly enforcement: 'active' | 'evaluate' | 'disabled'
  readonly checks: readonly RequiredCheck[]
  readonly strict: boolean
  readonly approvals: number | null
  /** Who need not keep to it; shown to those alone who may change it. */
  readonly bypass: readonly Bypass[]
  /** Pull requests merge through a queue. */
  readonly queue: boolean
}
export type Bypass = {
  readonly actorId: number | null
  readonly actorType: 'Integration' | 'OrganizationAdmin' | 'RepositoryRole' | 'Team' | 'DeployKey' | 'User'
  readonly mode: 'always' | 'pull_request' | 'exempt'
}
export type MergeGroup = {
  readonly headSha: string
  readonly headRef: string
  readonly baseSha: string
  readonly baseRef: string
  readonly pulls: readonly number[]
  readonly queuedBy: Account
}
export type ActivityKind =
  | 'push'
  | 'force_push'
  | 'branch_creation'
  | 'branch_deletion'
  | 'pr_merge'
  | 'merge_queue_merge'
/** A branch that moved, with who moved it: what a commit itself does not tell. */
export type Activity = {
  readonly id: number
  readonly ref: string
  readonly before: string
  readonly after: string
  readonly kind: ActivityKind
  readonly actor: Account
  readonly at: string
}
export type Repo = {
  readonly id: number
  readonly owner: Account
  name: string
  private: boolean
  readonly defaultBranch: string
  readonly parent: Repo | null
  readonly createdAt: string
  pushedAt: string
  /** Shared with the repositories it was forked from, as on GitHub. */
  readonly objects: ObjectStore
  readonly refs: Map<string, string>
  readonly collaborators: Map<string, { readonly role: Role; readonly name: string }>
  readonly labels: Map<string, Label>
  readonly issues: Map<number, Issue>
  readonly comments: Map<number, Comment>
  readonly reviews: Map<number, Review>
  readonly reviewComments: Map<number, ReviewComment>
  readonly suites: Map<number, CheckSuite>
  readonly checkRuns: Map<number, CheckRun>
  readonly checksBySha: Map<string, CheckRun[]>
  readonly statuses: Map<string, Status[]>
  readonly protections: Map<string, Protection>
  readonly rulesets: Ruleset[]
  /** How long artifacts are kept. */
  retentionDays: number
  readonly groups: MergeGroup[]
  readonly workflows: Map<string, number>
  readonly workflowRuns: Map<number, WorkflowRun>
  readonly artifacts: Map<number, Artifact>
  readonly activities: Activity[]
  readonly stacks: Stack[]
}
