// Commits are pushed and branches move; open pull requests follow their branch, and close with it. Every way of changing a branch, the
// merge button included, goes through `moveBranch`, so that the same events are told each time.
import { descends, commitsBetween } from '../git/history.ts'
import { emptyTree, filesAt, writeBlob, writeCommit, writeTree, type Mode, type Signature } from '../git/objects.ts'
import type { Account, Repo } from '../model.ts'
import { refused } from '../problem.ts'
import { pushedCommit } from '../shapes/commit.ts'
import { htmlUrl } from '../shapes/repo.ts'
import { endsOf, pullsFrom, type World } from '../world.ts'
import { requestSuites } from './check-suites.ts'
import { closePull, tellPull } from './pulls.ts'

/** Null deletes the file. A submodule's text is the commit that it points to. */
export type FileContent = string | null | { readonly text?: string; readonly base64?: string; readonly mode?: Mode }
export type FileChanges = Readonly<Record<string, FileContent>>

const noCommit = '0'.repeat(40)

export type CommitOptions = {
  readonly files: FileChanges
  readonly message: string
  readonly author: Signature
  readonly committer?: Signature
  readonly parents: readonly string[]
}

export function commitFiles(repo: Repo, { files, message, author, committer, parents }: CommitOptions): string {
  const store = repo.objects
  const [parent] = parents
  const tree = new Map(parent === undefined ? [] : filesAt(store, parent))
  for (const [path, content] of Object.entries(files)) {
    if (content === null) tree.delete(path)
    else tree.set(path, entryOf(repo, content))
  }
  const sha = tree.size === 0 ? emptyTree : writeTree(store, tree)
  return writeCommit(store, { tree: sha, parents, author, committer: committer ?? author, message })
}

function entryOf(repo: Repo, content: Exclude<FileContent, null>) {
  if (typeof content === 'string')
    return { mode: '100644' as const, sha: writeBlob(repo.objects, Buffer.from(content)) }
  const { text = '', base64, mode = '100644' } = content
  if (mode === '160000') return { mode, sha: text }
  const bytes = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')
  return { mode, sha: writeBlob(repo.objects, bytes) }
}

export const signature = (world: World, account: Account): Signature => ({
  name: account.name ?? account.login,
  email: account.email,
  date: world.now(),
})

export type Move = {
  readonly branch: string
  /** Null deletes the branch. */
  readonly sha: string | null
  readonly pusher: Account
  readonly force?: boolean
  /** What moved it, where that was no push. */
  readonly kind?: 'pr_merge' | 'merge_queue_merge'
}

export function moveBranch(world: World, repo: Repo, { branch, sha, pusher, force = false, kind: by }: Move): void {
  const ref = `refs/heads/${branch}`
  const before = repo.refs.get(ref) ?? null
  if (before === sha) return
  const forced = before !== null && sha !== null && !descends(repo.objects, sha, before)
  if (forced && !force) throw refused('Update is not a fast forward')
  if (sha === null) repo.refs.delete(ref)
  else repo.refs.set(ref, sha)
  repo.pushedAt = world.now()
  const pushed = before === null ? 'branch_creation' : forced ? 'force_push' : 'push'
  const kind = sha === null ? 'branch_deletion' : (by ?? pushed)
  const from = before ?? noCommit
  repo.activities.push({
    id: world.nextId(),
    ref,
    before: from,
    after: sha ?? noCommit,
    kind,
    actor: pusher,
    at: world.now(),
  })
  tellPush(world, repo, { ref, before, after: sha, forced, pusher })
  if (sha === null) {
    for (const { base, issue } of pullsFrom(world, repo, branch)) closePull(world, base, issue, pusher)
    return
  }
  requestSuites(world, repo, branch, sha, pusher)
  synchronize(world, repo, branch, sha, pusher)
}

type Told = {
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
  readonly forced: boolean
  readonly pusher: Account
}

function tellPush(world: World, repo: Repo, { ref, before, after, forced, pusher }: Told): void {
  const about = { account: repo.owner, repo, sender: pusher }
  const name = ref.replace('refs/heads/', '')
  const base = { ref: name, ref_type: 'branch', pusher_type: 'user' }
  const described = { master_branch: repo.defaultBranch, description: null }
  if (before === null) world.emit('create', about, { ...base, ...described })
  const fresh = after === null ? [] : before === null ? [after] : commitsBetween(repo.objects, before, after)
  const commits = fresh.map((sha) => pushedCommit(world, repo, sha))
  world.emit('push', about, {
    ref,
    before: before ?? noCommit,
    after: after ?? noCommit,
    created: before === null,
    deleted: after === null,
    forced,
    base_ref: null,
    compare: `${htmlUrl(world, repo)}/compare/${before ?? noCommit}...${after ?? noCommit}`,
    commits,
    head_commit: after === null ? null : pushedCommit(world, repo, after),
    pusher: { name: pusher.login, email: pusher.email },
  })
  if (after === null) world.emit('delete', about, base)
}

function synchronize(world: World, repo: Repo, branch: string, sha: string, pusher: Account): void {
  for (const { base, issue } of pullsFrom(world, repo, branch)) {
    const { pull } = issue
    const before = pull.headSha
    pull.before = endsOf(issue)
    pull.headSha = sha
    pull.baseSha = base.refs.get(`refs/heads/${pull.baseRef}`) ?? pull.baseSha
    pull.lastPusher = pusher
    issue.updatedAt = world.now()
    base.refs.set(`refs/pull/${issue.number}/head`, sha)
    if (base.protections.get(pull.baseRef)?.dismissStale === true) dismissStale(base, issue.number)
    tellPull(world, base, issue, 'synchronize', pusher, { before, after: sha })
  }
}

function dismissStale(repo: Repo, number: number): void {
  for (const review of repo.reviews.values()) {
    if (review.pull === number && review.state === 'APPROVED') review.state = 'DISMISSED'
  }
}
