// Commits, trees of changes and branches as GitHub shows them. A commit's author is a person only where the e-mail
// address belongs to an account; otherwise it is null, and nobody can say who wrote it.
import { type Change, changesBetween } from '../git/changes.ts'
import { commitOf, type Signature } from '../git/objects.ts'
import type { Account, Repo } from '../model.ts'
import { fullName, type World } from '../world.ts'
import { nodeId, userOrNull, type Schema } from './account.ts'
import { htmlUrl, repoUrl } from './repo.ts'

const unsigned = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null }

export function accountByEmail(world: World, email: string): Account | null {
  const [, id, login] = /^(?:(\d+)\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? []
  const all = [...world.state.accounts.values()]
  // With a number it is whoever has that number, whatever the login was; the old form is whoever has the login now.
  if (id !== undefined) return all.find((account) => account.id === Number(id)) ?? null
  const byLogin = login === undefined ? undefined : world.state.accounts.get(login.toLowerCase())
  return byLogin ?? all.find((account) => account.email === email) ?? null
}

export function gitCommit(world: World, repo: Repo, sha: string) {
  const { author, committer, message, tree, parents } = commitOf(repo.objects, sha)
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${repoUrl(world, repo)}/git/commits/${sha}`,
    html_url: `${htmlUrl(world, repo)}/commit/${sha}`,
    author: { ...author },
    committer: { ...committer },
    tree: { sha: tree, url: `${repoUrl(world, repo)}/git/trees/${tree}` },
    message,
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${repoUrl(world, repo)}/git/commits/${parent}`,
      html_url: `${htmlUrl(world, repo)}/commit/${parent}`,
    })),
    verification: unsigned,
  } satisfies Schema<'git-commit'>
}

export function commit(world: World, repo: Repo, sha: string) {
  const { author, committer, message, tree, parents } = commitOf(repo.objects, sha)
  const url = `${repoUrl(world, repo)}/commits/${sha}`
  return {
    sha,
    node_id: `C_${sha}`,
    commit: {
      author: { ...author },
      committer: { ...committer },
      message,
      tree: { sha: tree, url: `${repoUrl(world, repo)}/git/trees/${tree}` },
      url: `${repoUrl(world, repo)}/git/commits/${sha}`,
      comment_count: 0,
      verification: unsigned,
    },
    url,
    html_url: `${htmlUrl(world, repo)}/commit/${sha}`,
    comments_url: `${url}/comments`,
    author: userOrNull(world, accountByEmail(world, author.email)),
    committer: userOrNull(world, accountByEmail(world, committer.email)),
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${repoUrl(world, repo)}/commits/${parent}`,
      html_url: `${htmlUrl(world, repo)}/commit/${parent}`,
    })),
  } satisfies Schema<'commit'>
}

export function commitWithFiles(world: World, repo: Repo, sha: string) {
  const parent = commitOf(repo.objects, sha).parents[0] ?? null
  const changes = changesBetween(repo.objects, parent, sha)
  const [additions, deletions] = totals(changes)
  return {
    ...commit(world, repo, sha),
    stats: { additions, deletions, total: additions + deletions },
    files: changes.map((change) => diffEntry(world, repo, sha, change)),
  } satisfies Schema<'commit'>
}

export const totals = (changes: readonly Change[]): readonly [number, number] => [
  changes.reduce((sum, { additions }) => sum + additions, 0),
  changes.reduce((sum, { deletions }) => sum + deletions, 0),
]

export function diffEntry(world: World, repo: Repo, sha: string, change: Change) {
  const path = encodeURIComponent(change.path)
  return {
    sha: change.sha,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${htmlUrl(world, repo)}/blob/${sha}/${path}`,
    raw_url: `${htmlUrl(world, repo)}/raw/${sha}/${path}`,
    contents_url: `${repoUrl(world, repo)}/contents/${path}?ref=${sha}`,
    ...(change.patch === null ? {} : { patch: change.patch }),
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
  } satisfies Schema<'diff-entry'>
}

/** The short form that stands in check suites, runs and pushes. */
export function simpleCommit(repo: Repo, sha: string) {
  const { author, committer, message, tree } = commitOf(repo.objects, sha)
  const person = ({ name, email }: Signature) => ({ name, email })
  return {
    id: sha,
    tree_id: tree,
    message,
    timestamp: committer.date,
    author: person(author),
    committer: person(committer),
  } satisfies Schema<'simple-commit'>
}

/** The form that stands in a push, which names accounts and touched files. */
export function pushedCommit(world: World, repo: Repo, sha: string) {
  const parent = commitOf(repo.objects, sha).parents[0] ?? null
  const changes = changesBetween(repo.objects, parent, sha)
  const simple = simpleCommit(repo, sha)
  const named = (person: { readonly name: string; readonly email: string }) => {
    const account = accountByEmail(world, person.email)
    return account === null ? person : { ...person, username: account.login }
  }
  const paths = (...statuses: Change['status'][]) =>
    changes.filter(({ status }) => statuses.includes(status)).map(({ path }) => path)
  return {
    ...simple,
    distinct: true,
    url: `${htmlUrl(world, repo)}/commit/${sha}`,
    author: named(simple.author),
    committer: named(simple.committer),
    added: paths('added', 'renamed'),
    removed: [...paths('removed'), ...changes.flatMap(({ previousPath }) => previousPath ?? [])],
    modified: paths('modified'),
  }
}

export const gitRef = (world: World, repo: Repo, ref: string, sha: string) =>
  ({
    ref,
    node_id: `REF_${fullName(repo)}_${ref}`,
    url: `${repoUrl(world, repo)}/git/${ref}`,
    object: { type: 'commit', sha, url: `${repoUrl(world, repo)}/git/commits/${sha}` },
  }) satisfies Schema<'git-ref'>

export const treeNode = (world: World, repo: Repo, path: string, mode: string, sha: string) => ({
  path,
  mode,
  type: mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob',
  sha,
  ...(mode === '160000'
    ? {}
    : {
        ...(mode === '040000' ? {} : { size: repo.objects.blobs.get(sha)?.length ?? 0 }),
        url: `${repoUrl(world, repo)}/git/${mode === '040000' ? 'trees' : 'blobs'}/${sha}`,
      }),
})

export const blob = (world: World, repo: Repo, sha: string, content: Buffer) =>
  ({
    sha,
    node_id: nodeId('B', content.length),
    size: content.length,
    url: `${repoUrl(world, repo)}/git/blobs/${sha}`,
    content: wrapped(content),
    encoding: 'base64',
  }) satisfies Schema<'blob'>

/** Base64 in lines of sixty characters, as GitHub sends it. */
export const wrapped = (content: Buffer): string => content.toString('base64').replace(/.{1,60}/g, '$&\n')
