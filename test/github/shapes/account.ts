// Accounts, teams and Apps as GitHub shows them.
import type { components } from 'github-api-types'
import type { Account, App, Installation, Team } from '../model.ts'
import type { World } from '../world.ts'

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export const nodeId = (kind: string, id: number): string => `${kind}_${id}`

export function user(world: World, account: Account) {
  const { login, id, type } = account
  const url = `${world.url}/users/${encodeURIComponent(login)}`
  return {
    login,
    id,
    node_id: nodeId(type === 'Organization' ? 'O' : type === 'Bot' ? 'BOT' : 'U', id),
    avatar_url: `${world.url}/avatars/${id}`,
    gravatar_id: '',
    url,
    html_url: `${world.url}/${type === 'Bot' ? `apps/${login.replace(/\[bot\]$/, '')}` : login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  } satisfies Schema<'simple-user'>
}

export const userOrNull = (world: World, account: Account | null) => (account === null ? null : user(world, account))

export const fullUser = (world: World, account: Account) => ({
  ...user(world, account),
  name: account.name,
  company: null,
  blog: null,
  location: null,
  email: account.type === 'Bot' ? null : account.email,
  hireable: null,
  bio: null,
  public_repos: 0,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: account.createdAt,
  updated_at: account.createdAt,
})

export const organization = (world: World, account: Account) => ({
  login: account.login,
  id: account.id,
  node_id: nodeId('O', account.id),
  url: `${world.url}/orgs/${account.login}`,
  repos_url: `${world.url}/orgs/${account.login}/repos`,
  events_url: `${world.url}/orgs/${account.login}/events`,
  hooks_url: `${world.url}/orgs/${account.login}/hooks`,
  issues_url: `${world.url}/orgs/${account.login}/issues`,
  members_url: `${world.url}/orgs/${account.login}/members{/member}`,
  public_members_url: `${world.url}/orgs/${account.login}/public_members{/member}`,
  avatar_url: `${world.url}/avatars/${account.id}`,
  description: null,
})

export function team(world: World, one: Team) {
  const url = `${world.url}/organizations/${one.org.id}/team/${one.id}`
  return {
    id: one.id,
    node_id: nodeId('T', one.id),
    url,
    members_url: `${url}/members{/member}`,
    name: one.name,
    description: null,
    permission: 'pull',
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    html_url: `${world.url}/orgs/${one.org.login}/teams/${one.slug}`,
    repositories_url: `${url}/repos`,
    slug: one.slug,
    type: 'organization' as const,
    organization_id: one.org.id,
    parent: null,
  } satisfies Schema<'team'>
}

/** As GitHub shows one that is asked for by its name. */
export function wholeTeam(world: World, one: Team) {
  const { org } = one
  const [created_at, updated_at] = [org.createdAt, org.createdAt]
  return {
    ...team(world, one),
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    created_at,
    updated_at,
    members_count: one.members.size,
    repos_count: one.repos.size,
    organization: {
      ...organization(world, org),
      html_url: `${world.url}/${org.login}`,
      has_organization_projects: true,
      has_repository_projects: true,
      public_repos: 0,
      public_gists: 0,
      followers: 0,
      following: 0,
      type: 'Organization',
      created_at,
      updated_at,
      archived_at: null,
    },
  } satisfies Schema<'team-full'>
}

export const app = (world: World, one: App) =>
  ({
    id: one.id,
    client_id: one.clientId,
    slug: one.slug,
    node_id: nodeId('A', one.id),
    owner: user(world, one.owner),
    name: one.name,
    description: null,
    external_url: `${world.url}/apps/${one.slug}`,
    html_url: `${world.url}/apps/${one.slug}`,
    created_at: one.createdAt,
    updated_at: one.createdAt,
    permissions: { ...one.permissions },
    events: [...one.events],
  }) satisfies Schema<'integration'>

export const installation = (world: World, one: Installation) => ({
  id: one.id,
  client_id: one.app.clientId,
  account: user(world, one.account),
  repository_selection: one.repos === null ? ('all' as const) : ('selected' as const),
  access_tokens_url: `${world.url}/app/installations/${one.id}/access_tokens`,
  repositories_url: `${world.url}/installation/repositories`,
  html_url: `${world.url}/settings/installations/${one.id}`,
  app_id: one.app.id,
  app_slug: one.app.slug,
  target_id: one.account.id,
  target_type: one.account.type,
  permissions: { ...one.permissions },
  events: [...one.events],
  created_at: one.createdAt,
  updated_at: one.createdAt,
  single_file_name: null,
  has_multiple_single_files: false,
  single_file_paths: [],
  suspended_by: userOrNull(world, one.suspended?.by ?? null),
  suspended_at: one.suspended?.at ?? null,
})
