// Pull requests: lists, files, commits, edits and the merge button.
import { changesBetween } from '../git/changes.ts'
import { commitsBetween, mergeBase } from '../git/history.ts'
import { mergePull, updateBranch } from '../acts/merge.ts'
import {
  closePull,
  editPull,
  openPull,
  reopenPull,
  requestReview,
  unrequestReview,
  type Reviewers,
} from '../acts/pulls.ts'
import { flag, neededText, oneOf, text, texts } from '../fields.ts'
import type { Repo } from '../model.ts'
import { invalid, Problem } from '../problem.ts'
import { commit, diffEntry } from '../shapes/commit.ts'
import { pullInList, pullRequest } from '../shapes/pull.ts'
import { wholeStack } from '../shapes/stack.ts'
import { accountOf, found, pullOf, pullsOf, type PullIssue } from '../world.ts'
import {
  accepted,
  actor,
  created,
  noContent,
  numberParam,
  ok,
  paged,
  raw,
  type Answer,
  type RepoCall,
} from '../wire/call.ts'
import { reads, repoRoute, writes, type Route } from '../wire/router.ts'
import { diffText, isDiff } from './commits.ts'

const filesMax = 3_000
const commitsMax = 250
const diffFilesMax = 300
const diffLinesMax = 20_000
const diffBytesMax = 1_000_000

const pullUnder = (call: RepoCall): PullIssue => pullOf(call.repo, numberParam(call, 'number'))

function pulls(call: RepoCall): Answer {
  const { query, repo, world } = call
  const state = query.get('state') ?? 'open'
  const [head, base] = [query.get('head'), query.get('base')]
  const matching = pullsOf(repo).filter(
    (one) =>
      (state === 'all' || one.state === state) &&
      (base === null || one.pull.baseRef === base) &&
      (head === null || `${one.pull.headRepo.owner.login}:${one.pull.headRef}` === head),
  )
  return paged(call, sorted(call, matching), (one) => pullInList(world, repo, one))
}

function sorted({ query }: RepoCall, pulls: readonly PullIssue[]): readonly PullIssue[] {
  const byUpdate = query.get('sort') === 'updated'
  const rising = [...pulls].sort(
    (a, b) => (byUpdate ? a.updatedAt.localeCompare(b.updatedAt) : 0) || a.number - b.number,
  )
  const falls =
    (query.get('direction') ?? (query.get('sort') === null || query.get('sort') === 'created' ? 'desc' : 'asc')) ===
    'desc'
  return falls ? rising.toReversed() : rising
}

function changes(repo: Repo, { pull }: PullIssue) {
  return changesBetween(repo.objects, mergeBase(repo.objects, pull.baseSha, pull.headSha), pull.headSha)
}

function onePull(call: RepoCall): Answer {
  const one = pullUnder(call)
  if (!isDiff(call)) return ok(pullRequest(call.world, call.repo, one))
  const changed = changes(call.repo, one)
  if (changed.length > diffFilesMax) throw tooLarge('files', diffFilesMax)
  const diff = diffText(changed)
  if (diff.length > diffBytesMax || diff.split('\n').length > diffLinesMax) throw tooLarge('lines', diffLinesMax)
  return raw(diff, 'application/vnd.github.diff; charset=utf-8')
}

const tooLarge = (what: string, max: number): Problem =>
  new Problem(406, `Sorry, the diff exceeded the maximum number of ${what} (${max}).`, [
    { resource: 'PullRequest', field: 'diff', code: 'too_large' },
  ])

function open(call: RepoCall): Answer {
  const { world, repo, body } = call
  const [ownerName, branch] = headOf(neededText(body, 'head'))
  const owner = ownerName === null ? repo.owner : world.state.accounts.get(ownerName.toLowerCase())
  const headRepo = [...world.state.repos.values()].find((one) => one.objects === repo.objects && one.owner === owner)
  if (headRepo === undefined) throw invalid('PullRequest', 'head')
  const one = openPull(world, repo, {
    title: neededText(body, 'title'),
    body: text(body, 'body'),
    headRepo,
    headRef: branch,
    baseRef: neededText(body, 'base'),
    draft: flag(body, 'draft') ?? false,
    author: actor(call),
  })
  return created(pullRequest(world, repo, one))
}

export function headOf(head: string): readonly [string | null, string] {
  const colon = head.indexOf(':')
  return colon < 0 ? [null, head] : [head.slice(0, colon), head.slice(colon + 1)]
}

function edit(call: RepoCall): Answer {
  const { world, repo, body } = call
  const one = pullUnder(call)
  const [title, words, base] = [text(body, 'title'), text(body, 'body'), text(body, 'base')]
  const fields = {
    ...(title === null ? {} : { title }),
    ...(words === null ? {} : { body: words }),
    ...(base === null ? {} : { base }),
  }
  editPull(world, repo, one, fields, actor(call))
  const state = oneOf(body, 'state', ['open', 'closed'])
  if (state === 'closed') closePull(world, repo, one, actor(call))
  if (state === 'open') reopenPull(world, repo, one, actor(call))
  return ok(pullRequest(world, repo, one))
}

function merge(call: RepoCall): Answer {
  const { body } = call
  const sha = mergePull(call.world, call.repo, pullUnder(call), {
    method: oneOf(body, 'merge_method', ['merge', 'squash', 'rebase']) ?? 'merge',
    sha: text(body, 'sha'),
    title: text(body, 'commit_title'),
    message: text(body, 'commit_message'),
    by: actor(call),
  })
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' })
}

function reviewers({ world, repo, body }: RepoCall): Reviewers {
  const people = (texts(body, 'reviewers') ?? []).map((login) => accountOf(world, login))
  const teams = (texts(body, 'team_reviewers') ?? []).map((slug) =>
    found(world.state.teams.find((one) => one.org === repo.owner && one.slug === slug)),
  )
  return { people, teams }
}

function stacks(call: RepoCall): Answer {
  const number = call.query.get('pull_request')
  const wanted = call.repo.stacks.filter(({ pulls }) => number === null || pulls.includes(Number(number)))
  return paged(call, wanted, (one) => wholeStack(call.world, call.repo, one))
}

export const pullRoutes: readonly Route[] = [
  repoRoute('GET', '/stacks', reads('pull_requests'), stacks),
  repoRoute('GET', '/pulls', reads('pull_requests'), pulls),
  repoRoute('POST', '/pulls', { ...writes('pull_requests'), role: 'read' }, open),
  repoRoute('GET', '/pulls/{number}', reads('pull_requests'), onePull),
  repoRoute('PATCH', '/pulls/{number}', writes('pull_requests'), edit),
  repoRoute('GET', '/pulls/{number}/files', reads('pull_requests'), (call) => {
    const one = pullUnder(call)
    const files = changes(call.repo, one).slice(0, filesMax)
    return paged(call, files, (change) => diffEntry(call.world, one.pull.headRepo, one.pull.headSha, change))
  }),
  repoRoute('GET', '/pulls/{number}/commits', reads('pull_requests'), (call) => {
    const { pull } = pullUnder(call)
    const shas = commitsBetween(call.repo.objects, pull.baseSha, pull.headSha).slice(0, commitsMax)
    return paged(call, shas, (sha) => commit(call.world, call.repo, sha))
  }),
  repoRoute('GET', '/pulls/{number}/merge', reads('pull_requests'), (call) => {
    if (pullUnder(call).pull.mergedAt === null) throw new Problem(404, 'Not Found')
    return noContent()
  }),
  repoRoute('PUT', '/pulls/{number}/merge', writes('contents'), merge),
  repoRoute('PUT', '/pulls/{number}/update-branch', writes('pull_requests'), (call) => {
    const one = pullUnder(call)
    const expected = text(call.body, 'expected_head_sha') ?? one.pull.headSha
    if (expected !== one.pull.headSha) throw new Problem(422, "expected_head_sha didn't match current head ref.")
    updateBranch(call.world, call.repo, one, actor(call))
    return accepted({ message: 'Updating pull request branch.', url: pullInList(call.world, call.repo, one).url })
  }),
  repoRoute('GET', '/pulls/{number}/requested_reviewers', reads('pull_requests'), (call) => {
    const shown = pullInList(call.world, call.repo, pullUnder(call))
    return ok({ users: shown.requested_reviewers, teams: shown.requested_teams })
  }),
  repoRoute('POST', '/pulls/{number}/requested_reviewers', writes('pull_requests'), (call) => {
    requestReview(call.world, call.repo, pullUnder(call), reviewers(call), actor(call))
    return created(pullInList(call.world, call.repo, pullUnder(call)))
  }),
  repoRoute('DELETE', '/pulls/{number}/requested_reviewers', writes('pull_requests'), (call) => {
    unrequestReview(call.world, call.repo, pullUnder(call), reviewers(call), actor(call))
    return ok(pullInList(call.world, call.repo, pullUnder(call)))
  }),
]
