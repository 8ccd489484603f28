// Commits and branches, as people and robots make them on their own machines and push them.
import { accountNamed } from '../acts/accounts.ts'
import { commitFiles, moveBranch, signature, type FileChanges } from '../acts/push.ts'
import { fileAt } from '../git/objects.ts'
import type { Account, Repo } from '../model.ts'
import { branchTip, commitSha, repoOf, type World } from '../world.ts'

export type FirstCommit = FileChanges | null
export type Push = {
  readonly files?: FileChanges
  readonly message?: string
  /** A login, or a name and an e-mail address that may belong to nobody. */
  readonly author?: string | { readonly name: string; readonly email: string }
  readonly committer?: string | { readonly name: string; readonly email: string }
  /** The login that pushes; the author when left out. */
  readonly pusher?: string
  /** A branch or a commit to start from, or null for nothing; else the branch itself, or the default branch. */
  readonly from?: string | null
  readonly force?: boolean
  /** Further parents, for a merge. */
  readonly merges?: readonly string[]
}

export function pushVerbs(world: World) {
  const person = (who: NonNullable<Push['author']>) =>
    typeof who === 'string' ? signature(world, accountNamed(world, who)) : { ...who, date: world.now() }
  return {
    /** Makes one commit and moves the branch to it. Gives the commit's SHA. */
    push: (name: string, branch: string, wanted: Push): string => {
      const repo = repoOf(world, name)
      const {
        files = {},
        message = `Change ${branch}`,
        author = repo.owner.login,
        committer,
        pusher,
        merges = [],
      } = wanted
      const here = repo.refs.has(`refs/heads/${branch}`) ? branch : repo.defaultBranch
      const start = wanted.from === undefined ? here : wanted.from
      const sha = commitFiles(repo, {
        files,
        message,
        author: person(author),
        ...(committer === undefined ? {} : { committer: person(committer) }),
        parents: [...(start === null ? [] : [commitSha(repo, start)]), ...merges.map((one) => commitSha(repo, one))],
      })
      const by = pusher ?? (typeof author === 'string' ? author : repo.owner.login)
      moveBranch(world, repo, {
        branch,
        sha,
        pusher: accountNamed(world, by),
        force: wanted.force ?? wanted.from !== undefined,
      })
      return sha
    },
    /** Points a branch at a commit that is already there. */
    moveBranch: (name: string, branch: string, to: string, by: string) => {
      const repo = repoOf(world, name)
      moveBranch(world, repo, { branch, sha: commitSha(repo, to), pusher: accountNamed(world, by), force: true })
    },
    deleteBranch: (name: string, branch: string, by: string) => {
      moveBranch(world, repoOf(world, name), { branch, sha: null, pusher: accountNamed(world, by) })
    },
    tip: (name: string, branch: string) => branchTip(repoOf(world, name), branch),
    /** A file's text at a branch or commit, or null where there is none. */
    fileAt: (name: string, ref: string, path: string) => {
      const repo = repoOf(world, name)
      return fileAt(repo.objects, commitSha(repo, ref), path)
    },
  }
}

export function firstCommit(world: World, repo: Repo, files: FirstCommit, by: Account): void {
  if (files === null) return
  const sha = commitFiles(repo, { files, message: 'Begin', author: signature(world, by), parents: [] })
  moveBranch(world, repo, { branch: repo.defaultBranch, sha, pusher: by })
}
