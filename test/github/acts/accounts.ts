// People, robots, organisations, teams and repositories come to be, and who may do what in them.
import { createHash } from 'node:crypto'
import type { Account, App, Permissions, Repo, Role, Team } from '../model.ts'
import { invalid, refused } from '../problem.ts'
import { makeRepo } from '../state.ts'
import { accountOf, fullName, repoOf, type World } from '../world.ts'

export type AccountOptions = {
  readonly type?: Account['type']
  readonly name?: string
  readonly email?: string
  readonly graphqlLogin?: string
}

export function createAccount(world: World, login: string, options: AccountOptions = {}): Account {
  const known = world.state.accounts.get(login.toLowerCase())
  if (known !== undefined) throw refused(`${login} is taken.`)
  const id = world.nextId()
  const type = options.type ?? (login.endsWith('[bot]') ? 'Bot' : 'User')
  const email = options.email ?? (type === 'Bot' ? `${id}+${login}@users.noreply.github.com` : `${login}@example.com`)
  // A bot's login lacks the suffix in GraphQL that it has over REST.
  const graphqlLogin = options.graphqlLogin ?? login.replace(/\[bot\]$/, '')
  const name = options.name ?? null
  const account: Account = { id, login, graphqlLogin, type, name, email, createdAt: world.now() }
  world.state.accounts.set(login.toLowerCase(), account)
  return account
}

/** Someone who was not introduced before is a new person. */
export const accountNamed = (world: World, login: string): Account =>
  world.state.accounts.get(login.toLowerCase()) ?? createAccount(world, login)

export function createOrg(world: World, login: string, owners: readonly string[] = []): Account {
  const org = createAccount(world, login, { type: 'Organization' })
  world.state.members.set(login.toLowerCase(), new Map(owners.map((owner) => [owner.toLowerCase(), 'admin'])))
  for (const owner of owners) accountNamed(world, owner)
  return org
}

export function setMember(world: World, org: string, login: string, role: 'admin' | 'member' | null): void {
  const members = world.state.members.get(accountOf(world, org).login.toLowerCase())
  if (members === undefined) throw refused(`${org} is not an organisation.`)
  accountNamed(world, login)
  if (role === null) members.delete(login.toLowerCase())
  else members.set(login.toLowerCase(), role)
}

export type TeamOptions = { readonly members?: readonly string[]; readonly repos?: Readonly<Record<string, Role>> }

/** Makes the team, or gives it new members and rights. */
export function setTeam(world: World, org: string, slug: string, options: TeamOptions): Team {
  const owner = accountOf(world, org)
  const known = world.state.teams.find((one) => one.org === owner && one.slug === slug)
  const team: Team = known ?? {
    id: world.nextId(),
    org: owner,
    slug,
    name: slug,
    members: new Map(),
    repos: new Map(),
  }
  if (known === undefined) world.state.teams.push(team)
  if (options.members !== undefined) team.members.clear()
  for (const login of options.members ?? []) {
    const account = accountNamed(world, login)
    team.members.set(account.login.toLowerCase(), 'member')
    const members = world.state.members.get(owner.login.toLowerCase())
    if (members?.has(account.login.toLowerCase()) === false) members.set(account.login.toLowerCase(), 'member')
  }
  for (const [name, role] of Object.entries(options.repos ?? {})) team.repos.set(repoOf(world, name).id, role)
  return team
}

export type RepoOptions = { readonly private?: boolean; readonly defaultBranch?: string; readonly parent?: Repo }

/** An empty repository; its first push makes the default branch. */
export function createRepo(world: World, name: string, options: RepoOptions = {}): Repo {
  const [login = '', short = ''] = name.split('/')
  const taken = world.state.repos.get(world.state.names.get(name.toLowerCase()) ?? -1)
  if (taken !== undefined && fullName(taken).toLowerCase() === name.toLowerCase()) {
    throw invalid('Repository', 'name', 'name already exists on this account')
  }
  const repo = makeRepo({
    id: world.nextId(),
    owner: accountNamed(world, login),
    name: short,
    private: options.private ?? false,
    defaultBranch: options.defaultBranch ?? options.parent?.defaultBranch ?? 'main',
    parent: options.parent ?? null,
    createdAt: world.now(),
  })
  world.state.repos.set(repo.id, repo)
  world.state.names.set(name.toLowerCase(), repo.id)
  return repo
}

export function fork(world: World, parent: Repo, login: string): Repo {
  const repo = createRepo(world, `${login}/${parent.name}`, { parent, private: parent.private })
  for (const [ref, sha] of parent.refs) if (ref.startsWith('refs/heads/')) repo.refs.set(ref, sha)
  return repo
}

/** The old name goes on leading to the repository until somebody else takes it. */
export function renameRepo(world: World, repo: Repo, name: string, sender: Account): void {
  const from = repo.name
  repo.name = name
  world.state.names.set(fullName(repo).toLowerCase(), repo.id)
  const changes = { repository: { name: { from } } }
  world.emit('repository', { account: repo.owner, repo, sender }, { action: 'renamed', changes })
}

/** Pull requests from it stay, with no head repository. */
export function deleteRepo(world: World, repo: Repo, sender: Account): void {
  world.emit('repository', { account: repo.owner, repo, sender }, { action: 'deleted' })
  world.state.repos.delete(repo.id)
}

export function setPermission(world: World, repo: Repo, login: string, role: Role | null, name?: string): void {
  const account = accountNamed(world, login)
  const had = repo.collaborators.has(account.login.toLowerCase())
  if (role === null) repo.collaborators.delete(account.login.toLowerCase())
  else repo.collaborators.set(account.login.toLowerCase(), { role, name: name ?? role })
  if (had === (role !== null)) return
  const action = role === null ? 'removed' : 'added'
  const member = { login: account.login, id: account.id, type: account.type }
  world.emit('member', { account: repo.owner, repo, sender: repo.owner }, { action, member })
}

export type AppOptions = {
  readonly id?: number
  readonly slug: string
  readonly name?: string
  readonly owner?: string
  readonly publicKey?: string | null
  readonly webhookSecret?: string
  readonly webhookUrl?: string | null
  readonly permissions?: Permissions
  readonly events?: readonly string[]
}

export function createApp(world: World, options: AppOptions): App {
  const id = options.id ?? world.nextId()
  const app: App = {
    id,
    slug: options.slug,
    name: options.name ?? options.slug,
    owner: accountNamed(world, options.owner ?? 'app-owner'),
    bot: accountNamed(world, `${options.slug}[bot]`),
    clientId: `Iv23li${createHash('sha1').update(options.slug).digest('hex').slice(0, 14)}`,
    publicKey: options.publicKey ?? null,
    webhookSecret: options.webhookSecret ?? '',
    webhookUrl: options.webhookUrl ?? null,
    permissions: { metadata: 'read', ...options.permissions },
    events: options.events ?? [],
    createdAt: world.now(),
  }
  world.state.apps.set(app.id, app)
  return app
}

/** An App by its slug; one that was not introduced before is a third party's, without webhooks. */
export const appNamed = (world: World, slug: string): App =>
  [...world.state.apps.values()].find((app) => app.slug === slug) ??
  createApp(world, { slug, permissions: { checks: 'write' } })
