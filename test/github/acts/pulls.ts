// Pull requests are opened, edited, retargeted, made drafts, closed and opened again.
import { commitsBetween } from '../git/history.ts'
import type { Account, Repo, Team } from '../model.ts'
import { invalid, Problem, refused } from '../problem.ts'
import { team as showTeam, user } from '../shapes/account.ts'
import { pullRequest } from '../shapes/pull.ts'
import { branchTip, endsOf, pullsOf, type PullIssue, type World } from '../world.ts'
import { markClosed, newIssue } from './new-issue.ts'

export type OpenPull = {
  readonly title: string
  readonly body: string | null
  readonly headRepo: Repo
  readonly headRef: string
  readonly baseRef: string
  readonly draft: boolean
  readonly author: Account
}

export function openPull(world: World, repo: Repo, options: OpenPull): PullIssue {
  const { title, body, headRepo, headRef, baseRef, draft, author } = options
  const head = headRepo.refs.get(`refs/heads/${headRef}`)
  const base = repo.refs.get(`refs/heads/${baseRef}`)
  if (head === undefined || headRepo.objects !== repo.objects) throw invalid('PullRequest', 'head')
  if (base === undefined) throw invalid('PullRequest', 'base')
  const label = `${headRepo.owner.login}:${headRef}`
  if (commitsBetween(repo.objects, base, head).length === 0) {
    throw invalid('PullRequest', 'base', `No commits between ${baseRef} and ${headRef}`)
  }
  const twin = pullsOf(repo).some(
    ({ state, pull }) =>
      state === 'open' && pull.headRepo === headRepo && pull.headRef === headRef && pull.baseRef === baseRef,
  )
  if (twin) throw invalid('PullRequest', 'base', `A pull request already exists for ${label}.`)
  const pull = {
    headRepo,
    headRef,
    headSha: head,
    baseRef,
    baseSha: base,
    draft,
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
    reviewers: new Set<Account>(),
    teams: new Set<Team>(),
    linked: new Set<number>(),
    links: [],
    lastPusher: author,
    stack: null,
    before: null,
  }
  const issue = newIssue(world, repo, { title, body, author })
  const opened: PullIssue = { ...issue, pull }
  repo.issues.set(opened.number, opened)
  repo.refs.set(`refs/pull/${opened.number}/head`, head)
  tellPull(world, repo, opened, 'opened', author)
  return opened
}

export function tellPull(
  world: World,
  repo: Repo,
  one: PullIssue,
  action: string,
  sender: Account,
  more: object = {},
): void {
  const payload = { action, number: one.number, pull_request: pullRequest(world, repo, one), ...more }
  world.emit('pull_request', { account: repo.owner, repo, sender }, payload)
}

export type PullEdit = { readonly title?: string; readonly body?: string | null; readonly base?: string }

export function editPull(world: World, repo: Repo, one: PullIssue, edit: PullEdit, sender: Account): void {
  const { pull } = one
  const changes = {
    ...(edit.title !== undefined && edit.title !== one.title ? { title: { from: one.title } } : {}),
    ...(edit.body !== undefined && edit.body !== one.body ? { body: { from: one.body ?? '' } } : {}),
    ...(edit.base !== undefined && edit.base !== pull.baseRef
      ? { base: { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } } }
      : {}),
  }
  if (Object.keys(changes).length === 0) return
  if (edit.base !== undefined && edit.base !== pull.baseRef) {
    if (!repo.refs.has(`refs/heads/${edit.base}`)) throw invalid('PullRequest', 'base')
    pull.before = endsOf(one)
    one.events.push({ id: world.nextId(), by: sender, at: world.now(), event: 'base_ref_changed' })
    pull.baseRef = edit.base
    pull.baseSha = branchTip(repo, edit.base)
  }
  one.title = edit.title ?? one.title
  if ('body' in changes) one.edits.push({ editor: sender, at: world.now(), before: one.body ?? '' })
  one.body = edit.body === undefined ? one.body : edit.body
  one.updatedAt = world.now()
  tellPull(world, repo, one, 'edited', sender, { changes })
}

export function setDraft(world: World, repo: Repo, one: PullIssue, draft: boolean, sender: Account): void {
  if (one.pull.draft === draft) return
  one.pull.draft = draft
  one.updatedAt = world.now()
  tellPull(world, repo, one, draft ? 'converted_to_draft' : 'ready_for_review', sender)
}

export function closePull(world: World, repo: Repo, one: PullIssue, sender: Account): void {
  if (one.state === 'closed') return
  markClosed(world, one, sender)
  tellPull(world, repo, one, 'closed', sender)
}

/** A branch that moved while its pull request was closed is what opens again. */
export function reopenPull(world: World, repo: Repo, one: PullIssue, sender: Account): void {
  if (one.state === 'open') return
  if (one.pull.mergedAt !== null) throw new Problem(422, 'Validation Failed', [invalidState])
  const head = one.pull.headRepo.refs.get(`refs/heads/${one.pull.headRef}`)
  if (head === undefined) throw refused(`The branch ${one.pull.headRef} was deleted.`)
  one.state = 'open'
  one.closedAt = null
  one.closedBy = null
  one.pull.headSha = head
  one.updatedAt = world.now()
  repo.refs.set(`refs/pull/${one.number}/head`, head)
  tellPull(world, repo, one, 'reopened', sender)
}

const invalidState = {
  resource: 'PullRequest',
  code: 'custom',
  field: 'state',
  message: 'state cannot be changed. The pull request has already been merged.',
}

export type Reviewers = { readonly people: readonly Account[]; readonly teams: readonly Team[] }

export function requestReview(world: World, repo: Repo, one: PullIssue, wanted: Reviewers, sender: Account): void {
  if (wanted.people.includes(one.author)) {
    throw refused('Review cannot be requested from pull request author.')
  }
  for (const account of wanted.people) {
    one.pull.reviewers.add(account)
    tellPull(world, repo, one, 'review_requested', sender, { requested_reviewer: user(world, account) })
  }
  for (const team of wanted.teams) {
    one.pull.teams.add(team)
    tellPull(world, repo, one, 'review_requested', sender, { requested_team: showTeam(world, team) })
  }
}

export function unrequestReview(world: World, repo: Repo, one: PullIssue, wanted: Reviewers, sender: Account): void {
  for (const account of wanted.people) {
    if (!one.pull.reviewers.delete(account)) continue
    tellPull(world, repo, one, 'review_request_removed', sender, { requested_reviewer: user(world, account) })
  }
  for (const team of wanted.teams) {
    if (!one.pull.teams.delete(team)) continue
    tellPull(world, repo, one, 'review_request_removed', sender, { requested_team: showTeam(world, team) })
  }
}
