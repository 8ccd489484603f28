// People, organisations, repositories and Apps, as an administrator of this GitHub sets them up.
import {
  appNamed,
  accountNamed,
  createAccount,
  createApp,
  createOrg,
  createRepo,
  deleteRepo,
  fork,
  renameRepo,
  setMember,
  setPermission,
  setTeam,
  type AccountOptions,
  type AppOptions,
  type TeamOptions,
} from '../acts/accounts.ts'
import {
  changeRepos,
  expireTokens,
  grant,
  install,
  installationFor,
  makeInstallationToken,
  makeUserToken,
  suspend,
  uninstall,
} from '../acts/installations.ts'
import { renameAccount } from '../acts/renames.ts'
import { noProtection } from '../acts/rules.ts'
import type { Permissions, Protection, Role, Ruleset } from '../model.ts'
import { found, fullName, repoOf, type World } from '../world.ts'
import { firstCommit, type FirstCommit } from './push.ts'

export type NewRepo = {
  readonly private?: boolean
  readonly defaultBranch?: string
  /** An empty repository has no commit; otherwise these files make the first one. */
  readonly files?: FirstCommit
  readonly by?: string
}
export type InstallWish = {
  /** Full names; all repositories of the account when left out. */
  readonly repos?: readonly string[]
  readonly app?: string
  readonly permissions?: Permissions
  readonly events?: readonly string[]
  readonly by?: string
}

export function peopleVerbs(world: World, ownSlug: string) {
  const installed = (repo: string, app: string) =>
    found(installationFor(world, appNamed(world, app), repoOf(world, repo)))
  return {
    createUser: (login: string, options: AccountOptions = {}) => createAccount(world, login, options).id,
    /** The old name is free from then on: `createUser` gives it to somebody else. */
    renameAccount: (login: string, to: string) => renameAccount(world, accountNamed(world, login), to),
    createOrg: (login: string, owners: readonly string[] = []) => createOrg(world, login, owners).id,
    setMember: (org: string, login: string, role: 'admin' | 'member' | null) => setMember(world, org, login, role),
    /** What every member may do in every repository of the organisation; null for nothing. */
    setBaseRole: (org: string, role: Role | null): void => {
      if (role === null) world.state.baseRoles.delete(org.toLowerCase())
      else world.state.baseRoles.set(org.toLowerCase(), role)
    },
    /** So many people with this role, named `<role>-1` and so on. */
    addCrowd: (repo: string, count: number, role: Role): void => {
      for (let one = 1; one <= count; one += 1) setPermission(world, repoOf(world, repo), `${role}-${one}`, role)
    },
    setTeam: (org: string, slug: string, options: TeamOptions) => setTeam(world, org, slug, options).id,
    /** With a first commit on the default branch, unless `files` says otherwise. Gives the repository's id. */
    createRepo: (name: string, options: NewRepo = {}): number => {
      const { files = { 'README.md': '# Hello\n' }, by, ...rest } = options
      const repo = createRepo(world, name, rest)
      firstCommit(world, repo, files, by === undefined ? repo.owner : accountNamed(world, by))
      return repo.id
    },
    /** Gives the full name of the fork. */
    fork: (parent: string, login: string) =>
      fullName(fork(world, repoOf(world, parent), accountNamed(world, login).login)),
    deleteRepo: (repo: string, by: string) => deleteRepo(world, repoOf(world, repo), accountNamed(world, by)),
    renameRepo: (repo: string, name: string, by: string) =>
      renameRepo(world, repoOf(world, repo), name, accountNamed(world, by)),
    setPrivate: (repo: string, isPrivate: boolean): void => {
      repoOf(world, repo).private = isPrivate
    },
    /** `roleName` is for a custom role that rests on `role`. Null takes the person's own role away. */
    setPermission: (repo: string, login: string, role: Role | null, roleName?: string) =>
      setPermission(world, repoOf(world, repo), login, role, roleName),
    /** Null takes the protection away. Admins are bound by it unless told otherwise. */
    protect: (repo: string, branch: string, protection: Partial<Protection> | null): void => {
      const { protections } = repoOf(world, repo)
      if (protection === null) protections.delete(branch)
      else protections.set(branch, { ...noProtection, enforceAdmins: true, ...protection })
    },
    /** A ruleset of the same name is replaced. */
    setRuleset: (repo: string, name: string, rules: Partial<Omit<Ruleset, 'id' | 'name'>> | null): void => {
      const { rulesets } = repoOf(world, repo)
      const known = rulesets.findIndex((one) => one.name === name)
      if (known >= 0) rulesets.splice(known, 1)
      if (rules === null) return
      const usual = {
        branches: ['~DEFAULT_BRANCH'],
        enforcement: 'active',
        checks: [],
        strict: false,
        approvals: null,
        bypass: [],
        queue: false,
      } as const
      rulesets.push({ ...usual, ...rules, id: world.nextId(), name })
    },
    setRetention: (repo: string, days: number): void => {
      repoOf(world, repo).retentionDays = days
    },
    createApp: (options: AppOptions) => createApp(world, options).id,
    setWebhookUrl: (url: string | null, app = ownSlug): void => {
      appNamed(world, app).webhookUrl = url
    },
    /** Gives the installation's id. */
    install: (account: string, { repos, app = ownSlug, by = account, ...rest }: InstallWish = {}): number => {
      const sender = accountNamed(world, by)
      const chosen = repos === undefined ? null : repos.map((name) => repoOf(world, name))
      return install(world, appNamed(world, app), accountNamed(world, account), { repos: chosen, sender, ...rest }).id
    },
    uninstall: (id: number): void => {
      const one = found(world.state.installations.get(id))
      uninstall(world, one, one.account)
    },
    grantPermissions: (id: number, permissions: Permissions, by: string): void =>
      grant(world, found(world.state.installations.get(id)), permissions, accountNamed(world, by)),
    changeInstalledRepos: (id: number, added: readonly string[], removed: readonly string[]): void => {
      const one = found(world.state.installations.get(id))
      const named = (names: readonly string[]) => names.map((name) => repoOf(world, name))
      changeRepos(world, one, { added: named(added), removed: named(removed) }, one.account)
    },
    /** Null lets it work again. */
    suspendInstallation: (id: number, by: string | null): void =>
      suspend(world, found(world.state.installations.get(id)), by === null ? null : accountNamed(world, by)),
    /** A token that acts as this person: their own, or one that an App has of them. */
    tokenOf: (login: string, app: string | null = null) =>
      makeUserToken(world, accountNamed(world, login), app === null ? null : appNamed(world, app)),
    /** A token of an App's installation, as `GITHUB_TOKEN` is one of `github-actions`. */
    installationToken: (repo: string, app = ownSlug, permissions: Permissions | null = null): string => {
      return makeInstallationToken(world, installed(repo, app), { permissions, repos: [repoOf(world, repo)] }).text
    },
    /** Every App has to fetch a new token, as after an hour. */
    expireTokens: () => expireTokens(world),
  }
}
