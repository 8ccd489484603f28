// The world that routes and acts share: the state, the clock, the way to tell webhooks, and the questions that
// everybody asks of the state. A question with no answer throws the 404 that GitHub would give.
import { generateKeyPairSync } from 'node:crypto'
import type { Account, App, Ends, Installation, Issue, Pull, Repo, Role, Team } from './model.ts'
import { notFound } from './problem.ts'
import type { State } from './state.ts'

/** What an event is about decides which installations hear it. */
export type About = {
  readonly account: Account
  readonly repo: Repo | null
  readonly sender: Account
  /** Only this App hears it, as with a check run that is asked for again. */
  readonly only?: App
  /** Heard whether the App subscribed or not, as news of its installation are. */
  readonly installation?: Installation
}
export type World = {
  readonly state: State
  /** Where this GitHub listens, without a slash at the end. */
  url: string
  readonly now: () => string
  readonly nextId: () => number
  readonly emit: (event: string, about: About, payload: object) => void
}

const ranks: readonly Role[] = ['read', 'triage', 'write', 'maintain', 'admin']

export const atLeast = (role: Role | null, least: Role): boolean =>
  role !== null && ranks.indexOf(role) >= ranks.indexOf(least)

export const fullName = (repo: Repo): string => `${repo.owner.login}/${repo.name}`

export function accountOf(world: World, login: string): Account {
  const account = world.state.accounts.get(login.toLowerCase())
  if (account === undefined) throw notFound()
  return account
}

export function repoOf(world: World, name: string): Repo {
  const repo = world.state.repos.get(world.state.names.get(name.toLowerCase()) ?? -1)
  if (repo === undefined) throw notFound()
  return repo
}

export function issueOf(repo: Repo, number: number): Issue {
  const issue = repo.issues.get(number)
  if (issue === undefined) throw notFound()
  return issue
}

export type PullIssue = Issue & { readonly pull: Pull }

export const isPull = (issue: Issue): issue is PullIssue => issue.pull !== null

export function pullOf(repo: Repo, number: number): PullIssue {
  const issue = issueOf(repo, number)
  if (!isPull(issue)) throw notFound()
  return issue
}

export function found<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw notFound()
  return value
}

/** The role that counts, and the name under which it is shown: the two differ for custom roles. */
export function roleOf(
  world: World,
  repo: Repo,
  account: Account,
): { readonly role: Role; readonly name: string } | null {
  const login = account.login.toLowerCase()
  const owns = repo.owner === account || world.state.members.get(repo.owner.login.toLowerCase())?.get(login) === 'admin'
  if (owns) return { role: 'admin', name: 'admin' }
  const teams = teamsOf(world, account).flatMap((team) => team.repos.get(repo.id) ?? [])
  const direct = repo.collaborators.get(login)
  const shared = [...teams, ...baseRoleOf(world, repo, login)]
  const roles = [...(direct === undefined ? [] : [direct]), ...shared.map((role) => ({ role, name: role }))]
  const best = roles.sort((a, b) => ranks.indexOf(b.role) - ranks.indexOf(a.role))[0]
  return best ?? (repo.private ? null : { role: 'read', name: 'read' })
}

/** What membership alone gives. */
function baseRoleOf(world: World, repo: Repo, login: string): readonly Role[] {
  const org = repo.owner.login.toLowerCase()
  const base = world.state.baseRoles.get(org)
  return base !== undefined && world.state.members.get(org)?.has(login) === true ? [base] : []
}

const teamsOf = (world: World, account: Account): readonly Team[] =>
  world.state.teams.filter((team) => team.members.has(account.login.toLowerCase()))

/** Open pull requests whose head is this branch, in this repository and all that it was forked from. */
export const pullsFrom = (world: World, repo: Repo, branch: string): readonly { base: Repo; issue: PullIssue }[] =>
  [...world.state.repos.values()]
    .filter((base) => base.objects === repo.objects)
    .flatMap((base) => pullsOf(base).map((issue) => ({ base, issue })))
    .filter(({ issue }) => issue.state === 'open' && issue.pull.headRepo === repo && issue.pull.headRef === branch)

export const pullsOf = (repo: Repo): readonly PullIssue[] => [...repo.issues.values()].filter(isPull)

export const endsOf = ({ updatedAt, pull: { headSha, baseRef, baseSha } }: PullIssue): Ends => ({
  headSha,
  baseRef,
  baseSha,
  updatedAt,
})

/** The commit that a SHA, the beginning of one, a branch, a tag or `refs/…` names. */
export function resolveRef(repo: Repo, ref: string): string | null {
  const named = ['', 'refs/', 'refs/tags/', 'refs/heads/'].map((prefix) => repo.refs.get(`${prefix}${ref}`))
  const sha = named.find((value) => value !== undefined)
  if (sha !== undefined) return sha
  if (ref === 'HEAD') return repo.refs.get(`refs/heads/${repo.defaultBranch}`) ?? null
  if (repo.objects.commits.has(ref)) return ref
  if (!/^[0-9a-f]{7,39}$/.test(ref)) return null
  const matches = [...repo.objects.commits.keys()].filter((sha) => sha.startsWith(ref))
  return matches.length === 1 ? (matches[0] ?? null) : null
}

export function commitSha(repo: Repo, ref: string): string {
  const sha = resolveRef(repo, ref)
  if (sha === null) throw notFound()
  return sha
}

export function branchTip(repo: Repo, branch: string): string {
  const sha = repo.refs.get(`refs/heads/${branch}`)
  if (sha === undefined) throw notFound()
  return sha
}

/** A key pair of its own for an App. */
export const makeKeyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })

let common: ReturnType<typeof makeKeyPair> | null = null
/** For an App that brings none: to make one takes longer than most tests. */
export const commonKeyPair = (): ReturnType<typeof makeKeyPair> => (common ??= makeKeyPair())
