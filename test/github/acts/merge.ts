// Merging: the rules of the base branch are enforced, the base moves, and issues that the pull request closes are
// closed. The merge queue is here too: a group is a commit on a branch of its own that checks run on.
import { closingNumbers } from '../closing.ts'
import { commitsBetween, mergeTrees } from '../git/history.ts'
import { commitOf, writeCommit } from '../git/objects.ts'
import type { Account, MergeGroup, Repo } from '../model.ts'
import { outlook, refusals } from '../outlook.ts'
import { Problem } from '../problem.ts'
import { simpleCommit } from '../shapes/commit.ts'
import { atLeast, branchTip, pullOf, roleOf, type PullIssue, type World } from '../world.ts'
import { closeIssue } from './issues.ts'
import { markClosed } from './new-issue.ts'
import { tellPull } from './pulls.ts'
import { moveBranch, signature } from './push.ts'

export type MergeMethod = 'merge' | 'squash' | 'rebase'
export type MergeOptions = {
  readonly method: MergeMethod
  readonly sha: string | null
  readonly title: string | null
  readonly message: string | null
  readonly by: Account
}

export function mergePull(world: World, repo: Repo, one: PullIssue, options: MergeOptions): string {
  const { pull } = one
  refuse(world, repo, one, options)
  const tip = branchTip(repo, pull.baseRef)
  const sha = mergeCommit(world, repo, one, tip, options)
  pull.mergedAt = world.now()
  pull.mergedBy = options.by
  pull.mergeCommit = sha
  markClosed(world, one, options.by)
  tellPull(world, repo, one, 'closed', options.by)
  moveBranch(world, repo, { branch: pull.baseRef, sha, pusher: options.by, kind: 'pr_merge' })
  if (pull.baseRef === repo.defaultBranch) closeLinked(world, repo, one, options.by)
  return sha
}

function refuse(world: World, repo: Repo, one: PullIssue, { sha, by }: MergeOptions): void {
  if (one.pull.mergedAt !== null || one.state === 'closed') throw notMergeable('Pull Request is not mergeable')
  if (sha !== null && sha !== one.pull.headSha) {
    throw new Problem(409, 'Head branch was modified. Review and try the merge again.')
  }
  if (one.pull.draft) throw notMergeable('Pull Request is still a draft')
  if (outlook(world, repo, one).mergeable !== true) throw notMergeable('Pull Request has merge conflicts')
  const protection = repo.protections.get(one.pull.baseRef)
  const bypasses = protection?.enforceAdmins === false && atLeast(roleOf(world, repo, by)?.role ?? null, 'admin')
  const reasons = refusals(world, repo, one)
  if (reasons.length > 0 && !bypasses) throw notMergeable(reasons.join(' '))
}

const notMergeable = (message: string): Problem => new Problem(405, message)

function mergeCommit(world: World, repo: Repo, one: PullIssue, tip: string, options: MergeOptions): string {
  const { headSha } = one.pull
  const tree = mergeTrees(repo.objects, tip, headSha)
  if (tree === null) throw notMergeable('Pull Request has merge conflicts')
  const author = signature(world, options.by)
  const committer = { name: 'GitHub', email: 'noreply@github.com', date: world.now() }
  const write = (parents: readonly string[], message: string) =>
    writeCommit(repo.objects, { tree, parents, author, committer, message })
  const words = (title: string, message: string) =>
    [options.title ?? title, options.message ?? message].filter((line) => line !== '').join('\n\n')
  switch (options.method) {
    case 'merge': {
      const from = `${one.pull.headRepo.owner.login}/${one.pull.headRef}`
      return write([tip, headSha], words(`Merge pull request #${one.number} from ${from}`, one.title))
    }
    case 'squash':
      return write([tip], words(`${one.title} (#${one.number})`, ''))
    case 'rebase': {
      const commits = commitsBetween(repo.objects, tip, headSha)
      const last = commitOf(repo.objects, commits.at(-1) ?? headSha)
      return writeCommit(repo.objects, { ...last, tree, parents: [tip], committer })
    }
  }
}

/** Merges the base into the head, as the button "Update branch" does. */
export function updateBranch(world: World, repo: Repo, one: PullIssue, by: Account): string {
  const { headRepo, headRef, headSha, baseRef } = one.pull
  const tip = branchTip(repo, baseRef)
  const tree = mergeTrees(repo.objects, headSha, tip)
  if (tree === null) throw new Problem(422, 'merge conflict between base and head')
  const committer = { name: 'GitHub', email: 'noreply@github.com', date: world.now() }
  const message = `Merge branch '${baseRef}' into ${headRef}`
  const parents = [headSha, tip]
  const sha = writeCommit(repo.objects, { tree, parents, author: signature(world, by), committer, message })
  moveBranch(world, headRepo, { branch: headRef, sha, pusher: by })
  return sha
}

function closeLinked(world: World, repo: Repo, one: PullIssue, sender: Account): void {
  for (const number of closingNumbers(repo, one)) {
    const issue = repo.issues.get(number)
    if (issue !== undefined && issue.pull === null) closeIssue(world, repo, issue, sender, { closer: one.number })
  }
}

/** Puts pull requests into the queue, each on top of the one before, and asks for checks on the last. */
export function startGroup(world: World, repo: Repo, numbers: readonly number[], sender: Account): MergeGroup {
  const pulls = numbers.map((number) => pullOf(repo, number))
  const baseRef = pulls[0]?.pull.baseRef ?? repo.defaultBranch
  const ahead = repo.groups.findLast((group) => group.baseRef === `refs/heads/${baseRef}`)
  const baseSha = ahead?.headSha ?? branchTip(repo, baseRef)
  const who = { name: 'GitHub', email: 'noreply@github.com', date: world.now() }
  const headSha = pulls.reduce((tip, { number, title, pull }) => {
    const tree = mergeTrees(repo.objects, tip, pull.headSha)
    if (tree === null) throw notMergeable(`Pull Request ${number} has merge conflicts`)
    const message = `Merge pull request #${number} from ${pull.headRef}\n\n${title}`
    return writeCommit(repo.objects, { tree, parents: [tip, pull.headSha], author: who, committer: who, message })
  }, baseSha)
  const headRef = `refs/heads/gh-readonly-queue/${baseRef}/pr-${numbers.at(-1)}-${baseSha}`
  const group: MergeGroup = {
    headSha,
    headRef,
    baseSha,
    baseRef: `refs/heads/${baseRef}`,
    pulls: numbers,
    queuedBy: sender,
  }
  repo.groups.push(group)
  repo.refs.set(headRef, headSha)
  for (const one of pulls) tellPull(world, repo, one, 'enqueued', sender)
  tellGroup(world, repo, group, sender, { action: 'checks_requested' })
  return group
}

/** Merged groups move the base, in the name of whoever queued them; others only disappear. */
export function endGroup(
  world: World,
  repo: Repo,
  group: MergeGroup,
  reason: 'merged' | 'invalidated' | 'dequeued',
  sender: Account,
): void {
  repo.groups.splice(repo.groups.indexOf(group), 1)
  repo.refs.delete(group.headRef)
  tellGroup(world, repo, group, sender, { action: 'destroyed', reason })
  const left = reason === 'merged' ? 'MERGE' : 'MANUAL'
  for (const number of group.pulls) tellPull(world, repo, pullOf(repo, number), 'dequeued', sender, { reason: left })
  if (reason !== 'merged') return
  for (const number of group.pulls) {
    const one = pullOf(repo, number)
    one.pull.mergedAt = world.now()
    one.pull.mergedBy = group.queuedBy
    one.pull.mergeCommit = group.headSha
    markClosed(world, one, sender)
    tellPull(world, repo, one, 'closed', sender)
  }
  const branch = group.baseRef.replace('refs/heads/', '')
  moveBranch(world, repo, { branch, sha: group.headSha, pusher: sender, kind: 'merge_queue_merge' })
}

function tellGroup(world: World, repo: Repo, group: MergeGroup, sender: Account, action: object): void {
  const { headSha, headRef, baseSha, baseRef } = group
  world.emit(
    'merge_group',
    { account: repo.owner, repo, sender },
    {
      ...action,
      merge_group: {
        head_sha: headSha,
        head_ref: headRef,
        base_sha: baseSha,
        base_ref: baseRef,
        head_commit: simpleCommit(repo, headSha),
      },
    },
  )
}
