// Repositories as GitHub shows them: with all their links, and with what the viewer may do where that is known.
import type { Repo, Role } from '../model.ts'
import { atLeast, fullName, type World } from '../world.ts'
import { nodeId, user, type Schema } from './account.ts'

export const repoUrl = (world: World, repo: Repo): string => `${world.url}/repos/${fullName(repo)}`
export const htmlUrl = (world: World, repo: Repo): string => `${world.url}/${fullName(repo)}`

export const rights = (role: Role | null) => ({
  admin: atLeast(role, 'admin'),
  maintain: atLeast(role, 'maintain'),
  push: atLeast(role, 'write'),
  triage: atLeast(role, 'triage'),
  pull: atLeast(role, 'read'),
})

const links = (base: string) => ({
  assignees_url: `${base}/assignees{/user}`,
  blobs_url: `${base}/git/blobs{/sha}`,
  branches_url: `${base}/branches{/branch}`,
  collaborators_url: `${base}/collaborators{/collaborator}`,
  comments_url: `${base}/comments{/number}`,
  commits_url: `${base}/commits{/sha}`,
  compare_url: `${base}/compare/{base}...{head}`,
  contents_url: `${base}/contents/{+path}`,
  contributors_url: `${base}/contributors`,
  deployments_url: `${base}/deployments`,
  downloads_url: `${base}/downloads`,
  events_url: `${base}/events`,
  forks_url: `${base}/forks`,
  git_commits_url: `${base}/git/commits{/sha}`,
  git_refs_url: `${base}/git/refs{/sha}`,
  git_tags_url: `${base}/git/tags{/sha}`,
  issue_comment_url: `${base}/issues/comments{/number}`,
  issue_events_url: `${base}/issues/events{/number}`,
  issues_url: `${base}/issues{/number}`,
  keys_url: `${base}/keys{/key_id}`,
  labels_url: `${base}/labels{/name}`,
  languages_url: `${base}/languages`,
  merges_url: `${base}/merges`,
  milestones_url: `${base}/milestones{/number}`,
  notifications_url: `${base}/notifications{?since,all,participating}`,
  pulls_url: `${base}/pulls{/number}`,
  releases_url: `${base}/releases{/id}`,
  stargazers_url: `${base}/stargazers`,
  statuses_url: `${base}/statuses/{sha}`,
  subscribers_url: `${base}/subscribers`,
  subscription_url: `${base}/subscription`,
  tags_url: `${base}/tags`,
  teams_url: `${base}/teams`,
  trees_url: `${base}/git/trees{/sha}`,
  archive_url: `${base}/{archive_format}{/ref}`,
  hooks_url: `${base}/hooks`,
})

export function repository(world: World, repo: Repo) {
  const html = htmlUrl(world, repo)
  const open = [...repo.issues.values()].filter((issue) => issue.state === 'open').length
  const forks = [...world.state.repos.values()].filter((one) => one.parent === repo).length
  return {
    id: repo.id,
    node_id: nodeId('R', repo.id),
    name: repo.name,
    full_name: fullName(repo),
    owner: user(world, repo.owner),
    private: repo.private,
    visibility: repo.private ? 'private' : 'public',
    html_url: html,
    url: repoUrl(world, repo),
    description: null,
    fork: repo.parent !== null,
    ...links(repoUrl(world, repo)),
    git_url: `${html.replace(/^http/, 'git')}.git`,
    ssh_url: `git@localhost:${fullName(repo)}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    default_branch: repo.defaultBranch,
    size: repo.objects.blobs.size,
    archived: false,
    disabled: false,
    is_template: false,
    topics: [],
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    allow_forking: true,
    web_commit_signoff_required: false,
    open_issues_count: open,
    open_issues: open,
    forks_count: forks,
    forks,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    created_at: repo.createdAt,
    updated_at: repo.pushedAt,
    pushed_at: repo.pushedAt,
  } satisfies Schema<'repository'>
}

export const fullRepository = (world: World, repo: Repo, role: Role | null) => ({
  ...repository(world, repo),
  permissions: rights(role),
  allow_rebase_merge: true,
  allow_squash_merge: true,
  allow_merge_commit: true,
  allow_auto_merge: false,
  delete_branch_on_merge: false,
  allow_update_branch: false,
  subscribers_count: 0,
  network_count: 0,
  ...(repo.owner.type === 'Organization' ? { organization: user(world, repo.owner) } : {}),
  ...(repo.parent === null
    ? {}
    : { parent: repository(world, repo.parent), source: repository(world, rootOf(repo.parent)) }),
})

const rootOf = (repo: Repo): Repo => (repo.parent === null ? repo : rootOf(repo.parent))
