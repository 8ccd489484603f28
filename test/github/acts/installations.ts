// Apps are installed, and tokens are made. Tokens live on the wall clock: clients compare `expires_at` with their own.
import { randomBytes } from 'node:crypto'
import type { Account, App, Installation, Permissions, Repo, Token } from '../model.ts'
import { Problem, refused } from '../problem.ts'
import { installation as showInstallation, nodeId } from '../shapes/account.ts'
import { fullName, type World } from '../world.ts'

export type InstallOptions = {
  readonly repos: readonly Repo[] | null
  readonly permissions?: Permissions
  readonly events?: readonly string[]
  readonly sender: Account
}

const tokenLifeMs = 3_600_000

export function install(world: World, app: App, account: Account, options: InstallOptions): Installation {
  const installation: Installation = {
    id: world.nextId(),
    app,
    account,
    permissions: options.permissions === undefined ? app.permissions : { metadata: 'read', ...options.permissions },
    events: options.events ?? app.events,
    repos: options.repos === null ? null : new Set(options.repos.map(({ id }) => id)),
    createdAt: world.now(),
    suspended: null,
  }
  world.state.installations.set(installation.id, installation)
  tell(world, installation, 'created', options.sender)
  return installation
}

export function uninstall(world: World, installation: Installation, sender: Account): void {
  tell(world, installation, 'deleted', sender)
  world.state.installations.delete(installation.id)
  for (const [text, token] of world.state.tokens) {
    if (token.installation === installation) world.state.tokens.delete(text)
  }
}

/**
 * It is listed as before, but makes no token, takes none that it made, and hears nothing.
 * https://docs.github.com/en/apps/maintaining-github-apps/suspending-a-github-app-installation
 */
export function suspend(world: World, installation: Installation, by: Account | null): void {
  installation.suspended = by === null ? null : { at: world.now(), by }
  tell(world, installation, by === null ? 'unsuspend' : 'suspend', by ?? installation.account)
}

/**
 * What an owner grants later; tokens that were made before do what they could do.
 * https://docs.github.com/en/apps/using-github-apps/approving-updated-permissions-for-a-github-app
 */
export function grant(world: World, installation: Installation, permissions: Permissions, by: Account): void {
  installation.permissions = { ...installation.permissions, ...permissions }
  tell(world, installation, 'new_permissions_accepted', by)
}

export function changeRepos(
  world: World,
  installation: Installation,
  { added, removed }: { readonly added: readonly Repo[]; readonly removed: readonly Repo[] },
  sender: Account,
): void {
  const { repos, account } = installation
  if (repos === null) throw refused('The App is installed on all repositories of the account.')
  for (const repo of added) repos.add(repo.id)
  for (const repo of removed) repos.delete(repo.id)
  const payload = { repository_selection: 'selected', requester: null }
  const about = { account, repo: null, sender, installation }
  if (added.length > 0) {
    const lists = { repositories_added: added.map(brief), repositories_removed: [] }
    world.emit('installation_repositories', about, { action: 'added', ...payload, ...lists })
  }
  if (removed.length > 0) {
    const lists = { repositories_added: [], repositories_removed: removed.map(brief) }
    world.emit('installation_repositories', about, { action: 'removed', ...payload, ...lists })
  }
}

const brief = (repo: Repo) => ({
  id: repo.id,
  node_id: nodeId('R', repo.id),
  name: repo.name,
  full_name: fullName(repo),
  private: repo.private,
})

type InstallationAction = 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted'

function tell(world: World, installation: Installation, action: InstallationAction, sender: Account): void {
  const about = { account: installation.account, repo: null, sender, installation }
  const repositories = reposOf(world, installation).map(brief)
  const shown = showInstallation(world, installation)
  world.emit('installation', about, { action, installation: shown, repositories, requester: null })
}

export const reposOf = (world: World, { account, repos }: Installation): readonly Repo[] =>
  [...world.state.repos.values()].filter((repo) => repo.owner === account && (repos === null || repos.has(repo.id)))

export const installationFor = (world: World, app: App, repo: Repo): Installation | null =>
  [...world.state.installations.values()].find((one) => one.app === app && reaches(one, repo)) ?? null

export const reaches = ({ account, repos }: Installation, repo: Repo): boolean =>
  repo.owner === account && (repos === null || repos.has(repo.id))

export type Narrowing = { readonly permissions: Permissions | null; readonly repos: readonly Repo[] | null }

/** A token of an installation, narrowed at will but never widened. */
export function makeInstallationToken(world: World, installation: Installation, narrowing: Narrowing) {
  const { account, permissions } = installation
  if (installation.suspended !== null) throw wasSuspended()
  const wider = Object.entries(narrowing.permissions ?? {}).filter(([name, level]) => !covers(permissions, name, level))
  if (wider.length > 0) {
    throw new Problem(422, 'The permissions requested are not granted to this installation.')
  }
  const outside = (narrowing.repos ?? []).some((repo) => !reaches(installation, repo))
  if (outside) {
    const message =
      'There is at least one repository that does not exist or is not accessible to the parent installation.'
    throw new Problem(422, message)
  }
  const token: Token = {
    account: installation.app.bot,
    installation,
    app: installation.app,
    permissions: narrowing.permissions === null ? permissions : { metadata: 'read', ...narrowing.permissions },
    repos: narrowing.repos === null ? installation.repos : new Set(narrowing.repos.map(({ id }) => id)),
    expiresAt: new Date(Date.now() + tokenLifeMs).toISOString(),
  }
  return { text: remember(world, 'ghs_', token), token, account }
}

const levels = ['read', 'write', 'admin']

export const covers = (permissions: Permissions, name: string, level: string): boolean =>
  levels.indexOf(permissions[name] ?? '') >= levels.indexOf(level)

export const wasSuspended = (): Problem => new Problem(403, 'This installation has been suspended')

/**
 * A person's own token, which may do what the person may; or one that an App has of a person, which may do what both may.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-with-a-github-app-on-behalf-of-a-user
 */
export const makeUserToken = (world: World, account: Account, app: App | null): string =>
  remember(world, app === null ? 'ghp_' : 'ghu_', {
    account,
    installation: null,
    app,
    permissions: null,
    repos: null,
    expiresAt: null,
  })

/** From now on every token of an App is refused, as an hour after it was made. */
export function expireTokens(world: World): void {
  for (const [text, token] of world.state.tokens) {
    if (token.installation !== null) world.state.tokens.set(text, { ...token, expiresAt: new Date(0).toISOString() })
  }
}

function remember(world: World, prefix: string, token: Token): string {
  const text = `${prefix}${randomBytes(18).toString('hex')}`
  world.state.tokens.set(text, token)
  return text
}
