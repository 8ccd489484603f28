// An empty GitHub and an empty repository.
import { makeObjectStore } from './git/objects.ts'
import type { Account, App, Installation, Repo, Role, Team, Token } from './model.ts'

export type State = {
  readonly accounts: Map<string, Account>
  readonly members: Map<string, Map<string, 'admin' | 'member'>>
  /** What every member of an organisation may do in its repositories. */
  readonly baseRoles: Map<string, Role>
  readonly teams: Team[]
  readonly repos: Map<number, Repo>
  /** Present and former full names in lower case, to the repository's id. */
  readonly names: Map<string, number>
  readonly apps: Map<number, App>
  readonly installations: Map<number, Installation>
  readonly tokens: Map<string, Token>
}

export const makeState = (): State => ({
  accounts: new Map(),
  members: new Map(),
  baseRoles: new Map(),
  teams: [],
  repos: new Map(),
  names: new Map(),
  apps: new Map(),
  installations: new Map(),
  tokens: new Map(),
})

type Fields = 'id' | 'owner' | 'name' | 'private' | 'defaultBranch' | 'parent' | 'createdAt'

export const makeRepo = (fields: Pick<Repo, Fields>): Repo => ({
  ...fields,
  pushedAt: fields.createdAt,
  objects: fields.parent?.objects ?? makeObjectStore(),
  refs: new Map(),
  collaborators: new Map(),
  labels: new Map(),
  issues: new Map(),
  comments: new Map(),
  reviews: new Map(),
  reviewComments: new Map(),
  suites: new Map(),
  checkRuns: new Map(),
  checksBySha: new Map(),
  statuses: new Map(),
  protections: new Map(),
  rulesets: [],
  retentionDays: 90,
  groups: [],
  workflows: new Map(),
  workflowRuns: new Map(),
  artifacts: new Map(),
  activities: [],
  stacks: [],
})
