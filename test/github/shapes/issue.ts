// Issues, their labels, comments and reactions as GitHub shows them. A pull request shows as an issue too.
import type { Comment, Issue, Label, Reaction, Repo, Account } from '../model.ts'
import { roleOf, type World } from '../world.ts'
import { app, nodeId, user, userOrNull, type Schema } from './account.ts'
import { htmlUrl, repoUrl } from './repo.ts'

export const reactionKinds = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const

export const label = (world: World, repo: Repo, one: Label) =>
  ({
    id: one.id,
    node_id: nodeId('LA', one.id),
    url: `${repoUrl(world, repo)}/labels/${encodeURIComponent(one.name)}`,
    name: one.name,
    color: one.color,
    default: false,
    description: one.description,
  }) satisfies Schema<'label'>

export const labelsOf = (world: World, repo: Repo, issue: Issue) =>
  [...issue.labels].flatMap((name) => {
    const one = repo.labels.get(name.toLowerCase())
    return one === undefined ? [] : [label(world, repo, one)]
  })

export function association(world: World, repo: Repo, account: Account): Schema<'author-association'> {
  if (repo.owner === account) return 'OWNER'
  const login = account.login.toLowerCase()
  if (world.state.members.get(repo.owner.login.toLowerCase())?.has(login) === true) return 'MEMBER'
  const role = roleOf(world, repo, account)
  return repo.collaborators.has(login) && role !== null ? 'COLLABORATOR' : 'NONE'
}

export function reactions(url: string, given: readonly Reaction[]) {
  const count = (kind: (typeof reactionKinds)[number]) => given.filter(({ content }) => content === kind).length
  return {
    url: `${url}/reactions`,
    total_count: given.length,
    '+1': count('+1'),
    '-1': count('-1'),
    laugh: count('laugh'),
    confused: count('confused'),
    heart: count('heart'),
    hooray: count('hooray'),
    rocket: count('rocket'),
    eyes: count('eyes'),
  } satisfies Schema<'reaction-rollup'>
}

export function reaction(world: World, one: Reaction) {
  return {
    id: one.id,
    node_id: nodeId('REA', one.id),
    user: user(world, one.user),
    content: one.content,
    created_at: one.createdAt,
  }
}

export function issue(world: World, repo: Repo, one: Issue) {
  const url = `${repoUrl(world, repo)}/issues/${one.number}`
  const html = `${htmlUrl(world, repo)}/${one.pull === null ? 'issues' : 'pull'}/${one.number}`
  const assignees = [...one.assignees].map((account) => user(world, account))
  const pull = `${repoUrl(world, repo)}/pulls/${one.number}`
  return {
    id: one.id,
    node_id: nodeId(one.pull === null ? 'I' : 'PR', one.id),
    url,
    repository_url: repoUrl(world, repo),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: html,
    number: one.number,
    title: one.title,
    body: one.body,
    user: user(world, one.author),
    labels: labelsOf(world, repo, one),
    state: one.state,
    state_reason: one.stateReason,
    locked: one.lock !== null,
    active_lock_reason: one.lock?.reason ?? null,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: commentsOf(repo, one.number).length,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    closed_at: one.closedAt,
    closed_by: userOrNull(world, one.closedBy),
    author_association: association(world, repo, one.author),
    performed_via_github_app: null,
    reactions: reactions(url, one.reactions),
    ...(one.pull === null
      ? { issue_dependencies_summary: dependenciesOf(world, one), sub_issues_summary: belowOf(one) }
      : {
          draft: one.pull.draft,
          pull_request: {
            url: pull,
            html_url: html,
            diff_url: `${html}.diff`,
            patch_url: `${html}.patch`,
            merged_at: one.pull.mergedAt,
          },
        }),
  } satisfies Schema<'issue'>
}

function belowOf({ below }: Issue): Schema<'sub-issues-summary'> {
  const completed = below.filter(({ issue }) => issue.state === 'closed').length
  return { total: below.length, completed, percent_completed: Math.floor((100 * completed) / (below.length || 1)) }
}

/** `total_*` counts those that are closed, too. */
function dependenciesOf({ state: { repos } }: World, one: Issue): Schema<'issue-dependencies-summary'> {
  const blocking = [...repos.values()].flatMap(({ issues }) =>
    [...issues.values()].filter(({ blockedBy }) => blockedBy.some(({ issue: blocker }) => blocker === one)),
  )
  const isOpen = ({ state }: Issue): boolean => state === 'open'
  const blockers = one.blockedBy.map(({ issue: blocker }) => blocker)
  return {
    blocked_by: blockers.filter(isOpen).length,
    total_blocked_by: blockers.length,
    blocking: blocking.filter(isOpen).length,
    total_blocking: blocking.length,
  }
}

export const commentsOf = (repo: Repo, number: number): readonly Comment[] =>
  [...repo.comments.values()].filter((one) => one.issue === number)

export function comment(world: World, repo: Repo, one: Comment) {
  const kind = repo.issues.get(one.issue)?.pull === null ? 'issues' : 'pull'
  const url = `${repoUrl(world, repo)}/issues/comments/${one.id}`
  return {
    id: one.id,
    node_id: nodeId('IC', one.id),
    url,
    html_url: `${htmlUrl(world, repo)}/${kind}/${one.issue}#issuecomment-${one.id}`,
    issue_url: `${repoUrl(world, repo)}/issues/${one.issue}`,
    user: user(world, one.author),
    body: one.body,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    author_association: association(world, repo, one.author),
    performed_via_github_app: one.app === null ? null : app(world, one.app),
    reactions: reactions(url, one.reactions),
  } satisfies Schema<'issue-comment'>
}
