// Commits as people look at them, comparisons, and the files at a commit.
import { posix } from 'node:path'
import { changesBetween, type Change } from '../git/changes.ts'
import { ancestors, commitsBetween, mergeBase } from '../git/history.ts'
import { blobOf, commitOf, filesAt, type Files, type ObjectStore, type TreeEntry } from '../git/objects.ts'
import { commitFiles, moveBranch, signature } from '../acts/push.ts'
import { neededText, text } from '../fields.ts'
import { pullsHolding } from '../holding.ts'
import type { Repo } from '../model.ts'
import { notFound, Problem } from '../problem.ts'
import { accountByEmail, commit, commitWithFiles, diffEntry, gitCommit, wrapped } from '../shapes/commit.ts'
import { pullInList } from '../shapes/pull.ts'
import { htmlUrl, repoUrl } from '../shapes/repo.ts'
import { branchTip, commitSha, found, resolveRef } from '../world.ts'
import { actor, ok, paged, pageOf, param, raw, type Answer, type RepoCall } from '../wire/call.ts'
import { reads, repoRoute, writes, type Route } from '../wire/router.ts'

const filesPerPage = 300
const commitsPerComparison = 250
const encodedBytesMax = 1024 * 1024
const contentBytesMax = 100 * 1024 * 1024

function commits(call: RepoCall): Answer {
  const { world, repo } = call
  const start = call.query.get('sha') ?? repo.defaultBranch
  const path = call.query.get('path')
  const all = [...ancestors(repo.objects, commitSha(repo, start))]
  const touching = path === null ? all : all.filter((sha) => touches(repo, sha, path))
  // A login, or the address that a commit bears.
  const author = call.query.get('author')?.toLowerCase() ?? null
  const isBy = (sha: string): boolean => {
    const { email } = commitOf(repo.objects, sha).author
    return email.toLowerCase() === author || accountByEmail(world, email)?.login.toLowerCase() === author
  }
  const made = author === null ? touching : touching.filter(isBy)
  return paged(call, made, (sha) => commit(world, repo, sha))
}

function touches(repo: Repo, sha: string, path: string): boolean {
  const parent = commitOf(repo.objects, sha).parents[0] ?? null
  return changesBetween(repo.objects, parent, sha).some((one) => one.path === path || one.path.startsWith(`${path}/`))
}

function oneCommit(call: RepoCall): Answer {
  const { world, repo } = call
  const ref = param(call, 'ref')
  const sha = resolveRef(repo, ref)
  if (sha === null) throw new Problem(422, `No commit found for SHA: ${ref}`)
  if (/vnd\.github\.(v3\.)?sha/.test(call.accept)) return raw(sha, 'application/vnd.github.sha')
  if (isDiff(call)) {
    const parent = commitOf(repo.objects, sha).parents[0] ?? null
    return raw(diffText(changesBetween(repo.objects, parent, sha)), 'application/vnd.github.diff; charset=utf-8')
  }
  const shown = commitWithFiles(world, repo, sha)
  return ok({ ...shown, files: shown.files.slice(0, filesPerPage) })
}

export const isDiff = (call: RepoCall): boolean => /vnd\.github\.(v3\.)?diff/.test(call.accept)

/** Pull requests that hold the commit: the open ones, and the merged one that brought it. */
function pullsWith(call: RepoCall): Answer {
  const { world, repo } = call
  const sha = commitSha(repo, param(call, 'ref'))
  return paged(call, pullsHolding(repo, sha), (one) => pullInList(world, repo, one))
}

function compare(call: RepoCall): Answer {
  const { world, repo } = call
  const { objects } = repo
  const [baseName = '', headName = ''] = param(call, 'basehead').split('...')
  const [base, head] = [side(call, baseName), side(call, headName)]
  const parting = mergeBase(objects, base, head)
  if (parting === null) throw notFound()
  const changes = changesBetween(objects, parting, head)
  if (isDiff(call)) return raw(diffText(changes), 'application/vnd.github.diff; charset=utf-8')
  const [ahead, behind] = [commitsBetween(objects, base, head), commitsBetween(objects, head, base)]
  const status =
    ahead.length === 0 ? (behind.length === 0 ? 'identical' : 'behind') : behind.length === 0 ? 'ahead' : 'diverged'
  const html = `${htmlUrl(world, repo)}/compare/${baseName}...${headName}`
  const isPaged = call.query.has('page') || call.query.has('per_page')
  const { from, to } = isPaged ? pageOf(call, ahead.length) : { from: 0, to: commitsPerComparison }
  // A page of commits beyond the first has no files.
  const listed = from === 0 ? changes.slice(0, filesPerPage) : []
  return ok({
    url: `${repoUrl(world, repo)}/compare/${baseName}...${headName}`,
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: commit(world, repo, base),
    merge_base_commit: commit(world, repo, parting),
    status,
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: ahead.slice(from, to).map((sha) => commit(world, repo, sha)),
    files: listed.map((change) => diffEntry(world, repo, head, change)),
  })
}

/** `owner:branch` names a branch of another repository of the same network. */
function side(call: RepoCall, name: string): string {
  const [owner = '', branch = ''] = name.split(':')
  if (branch === '') return commitSha(call.repo, name)
  const other = [...call.world.state.repos.values()].find(
    (one) => one.objects === call.repo.objects && one.owner.login.toLowerCase() === owner.toLowerCase(),
  )
  return commitSha(found(other), branch)
}

export function diffText(changes: readonly Change[]): string {
  return changes
    .map(({ path, previousPath, status, patch }) => {
      const from = previousPath ?? path
      const kind =
        status === 'added' ? ['new file mode 100644'] : status === 'removed' ? ['deleted file mode 100644'] : []
      const moved = previousPath === null ? [] : [`rename from ${from}`, `rename to ${path}`]
      const head = [`diff --git a/${from} b/${path}`, ...kind, ...moved]
      if (patch === null) return head.join('\n')
      const names = [
        status === 'added' ? '--- /dev/null' : `--- a/${from}`,
        status === 'removed' ? '+++ /dev/null' : `+++ b/${path}`,
      ]
      return [...head, ...names, patch].join('\n')
    })
    .concat('')
    .join('\n')
}

function contents(call: RepoCall): Answer {
  const { repo } = call
  const path = (call.params['path'] ?? '').replace(/^\/+|\/+$/g, '')
  const sha = commitSha(repo, call.query.get('ref') ?? repo.defaultBranch)
  const files = filesAt(repo.objects, sha)
  const entry = files.get(path)
  if (entry !== undefined) return file(call, path, (followed(repo.objects, files, path) ?? entry).sha)
  const prefix = path === '' ? '' : `${path}/`
  const inside = [...files.keys()].filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
  if (inside.length === 0) throw notFound()
  const names = [...new Set(inside.map((one) => one.split('/')[0] ?? ''))]
  return ok(
    names.map((name) => {
      const here = files.get(`${prefix}${name}`)
      const size = here === undefined ? 0 : (repo.objects.blobs.get(here.sha)?.length ?? 0)
      const shown = item(call, `${prefix}${name}`, here?.sha ?? '')
      if (here === undefined) return { ...shown, type: 'dir', size, download_url: null }
      return { ...shown, type: here.mode === '120000' ? 'symlink' : 'file', size }
    }),
  )
}

/** A link is answered with the file that it leads to, where there is one. */
function followed(store: ObjectStore, files: Files, path: string): TreeEntry | undefined {
  const entry = files.get(path)
  if (entry?.mode !== '120000') return entry
  const target = blobOf(store, entry.sha).toString('utf8')
  return files.get(posix.normalize(posix.join(posix.dirname(path), target)))
}

function file(call: RepoCall, path: string, sha: string): Answer {
  const content = found(call.repo.objects.blobs.get(sha))
  if (/vnd\.github\.(v3\.)?raw/.test(call.accept)) return raw(content, 'application/vnd.github.raw; charset=utf-8')
  if (content.length > contentBytesMax) throw new Problem(403, 'This API returns blobs up to 100 MB in size.')
  const shown = { ...item(call, path, sha), type: 'file', size: content.length }
  // https://docs.github.com/en/rest/repos/contents#get-repository-content
  return ok(
    content.length > encodedBytesMax
      ? { ...shown, encoding: 'none', content: '' }
      : { ...shown, encoding: 'base64', content: wrapped(content) },
  )
}

function item(call: RepoCall, path: string, sha: string) {
  const url = `${repoUrl(call.world, call.repo)}/contents/${path}`
  const git = `${repoUrl(call.world, call.repo)}/git/blobs/${sha}`
  const html = `${htmlUrl(call.world, call.repo)}/blob/${call.repo.defaultBranch}/${path}`
  const links = { self: url, git, html }
  return {
    name: path.split('/').at(-1),
    path,
    sha,
    url,
    git_url: git,
    html_url: html,
    download_url: `${htmlUrl(call.world, call.repo)}/raw/${call.repo.defaultBranch}/${path}`,
    _links: links,
  }
}

function writeFile(call: RepoCall, content: string | null): Answer {
  const { world, repo, body } = call
  const path = param(call, 'path')
  const branch = text(body, 'branch') ?? repo.defaultBranch
  const tip = repo.refs.get(`refs/heads/${branch}`) ?? null
  const known = tip === null ? undefined : filesAt(repo.objects, tip).get(path)
  const seen = text(body, 'sha')
  if (known !== undefined && seen === null) throw new Problem(422, 'Invalid request.\n\n"sha" wasn\'t supplied.')
  if (seen !== null && known?.sha !== seen) throw new Problem(409, `${path} does not match ${seen}`)
  const sha = commitFiles(repo, {
    files: { [path]: content === null ? null : { base64: content } },
    message: neededText(body, 'message'),
    author: signature(world, actor(call)),
    parents: tip === null ? [] : [tip],
  })
  moveBranch(world, repo, { branch, sha, pusher: actor(call) })
  const entry = filesAt(repo.objects, branchTip(repo, branch)).get(path)
  const shown = entry === undefined ? null : { ...item(call, path, entry.sha), type: 'file' }
  const status = known === undefined ? 201 : 200
  return { status, body: { content: shown, commit: gitCommit(world, repo, sha) } }
}

export const commitRoutes: readonly Route[] = [
  repoRoute('GET', '/commits', reads('contents'), commits),
  repoRoute('GET', '/commits/{ref+}/pulls', reads('pull_requests'), pullsWith),
  repoRoute('GET', '/compare/{basehead+}', reads('contents'), compare),
  repoRoute('GET', '/contents/?', reads('contents'), contents),
  repoRoute('GET', '/contents/{path+}', reads('contents'), contents),
  repoRoute('PUT', '/contents/{path+}', writes('contents'), (call) =>
    writeFile(call, neededText(call.body, 'content')),
  ),
  repoRoute('DELETE', '/contents/{path+}', writes('contents'), (call) => writeFile(call, null)),
]

/** Comes after every other route under a commit, since a branch's name may hold slashes. */
export const lastCommitRoutes: readonly Route[] = [repoRoute('GET', '/commits/{ref+}', reads('contents'), oneCommit)]
