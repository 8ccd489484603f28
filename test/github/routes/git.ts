// Git's own objects and references: what was written is read back under its SHA-1.
import { gzipSync } from 'node:zlib'
import {
  commitOf,
  filesOf,
  writeBlob,
  writeCommit,
  writeTree,
  type Mode,
  type Signature,
  type TreeEntry,
} from '../git/objects.ts'
import { moveBranch, signature } from '../acts/push.ts'
import { flag, neededText, record, records, text, texts, type Fields } from '../fields.ts'
import { Problem, refused } from '../problem.ts'
import { blob, gitCommit, gitRef, treeNode } from '../shapes/commit.ts'
import { repoUrl } from '../shapes/repo.ts'
import { archiveOf } from '../git/tar.ts'
import { commitSha, found, fullName, repoOf } from '../world.ts'
import {
  actor,
  created,
  noContent,
  ok,
  paged,
  param,
  raw,
  redirect,
  type Answer,
  type Call,
  type RepoCall,
} from '../wire/call.ts'
import { reads, repoRoute, route, writes, type Route } from '../wire/router.ts'

const treeEntriesMax = 100_000

function tree(call: RepoCall): Answer {
  const { world, repo } = call
  const { objects } = repo
  const named = param(call, 'sha')
  const sha = objects.trees.has(named) ? named : commitOf(objects, commitSha(repo, named)).tree
  const entries = found(objects.trees.get(sha))
  const nodes = call.query.has('recursive') ? deep(call, sha, '') : [...entries]
  const shown = nodes
    .slice(0, treeEntriesMax)
    .map(([path, entry]) => treeNode(world, repo, path, entry.mode, entry.sha))
  return ok({
    sha,
    url: `${repoUrl(world, repo)}/git/trees/${sha}`,
    tree: shown,
    truncated: nodes.length > treeEntriesMax,
  })
}

function deep(call: RepoCall, sha: string, prefix: string): readonly (readonly [string, TreeEntry])[] {
  return [...(call.repo.objects.trees.get(sha) ?? [])].flatMap(([name, entry]) => {
    const node = [`${prefix}${name}`, entry] as const
    return entry.mode === '040000' ? [node, ...deep(call, entry.sha, `${prefix}${name}/`)] : [node]
  })
}

function readBlob(call: RepoCall): Answer {
  const sha = param(call, 'sha')
  const content = found(call.repo.objects.blobs.get(sha))
  if (/application\/vnd\.github\.(v3\.)?raw/.test(call.accept)) return raw(content, 'application/vnd.github.raw')
  return ok(blob(call.world, call.repo, sha, content))
}

function newBlob(call: RepoCall): Answer {
  const content = neededText(call.body, 'content')
  const encoding = text(call.body, 'encoding') === 'base64' ? 'base64' : 'utf8'
  const sha = writeBlob(call.repo.objects, Buffer.from(content, encoding))
  return created({ sha, url: `${repoUrl(call.world, call.repo)}/git/blobs/${sha}` })
}

const modes: readonly Mode[] = ['100644', '100755', '120000', '160000', '040000']

function newTree(call: RepoCall): Answer {
  const { world, repo, body } = call
  const base = text(body, 'base_tree')
  const from =
    base === null ? null : repo.objects.trees.has(base) ? base : commitOf(repo.objects, commitSha(repo, base)).tree
  const files = new Map<string, TreeEntry>(from === null ? [] : filesOf(repo.objects, from))
  for (const item of records(body, 'tree') ?? []) place(call, files, item)
  const sha = writeTree(repo.objects, files)
  const nodes = [...(repo.objects.trees.get(sha) ?? [])]
  const shown = nodes.map(([path, entry]) => treeNode(world, repo, path, entry.mode, entry.sha))
  return created({ sha, url: `${repoUrl(world, repo)}/git/trees/${sha}`, tree: shown, truncated: false })
}

function place(call: RepoCall, files: Map<string, TreeEntry>, item: Fields): void {
  const path = neededText(item, 'path')
  const mode = modes.find((one) => one === text(item, 'mode')) ?? '100644'
  const content = text(item, 'content')
  const sha = content === null ? text(item, 'sha') : writeBlob(call.repo.objects, Buffer.from(content))
  if (sha === null) files.delete(path)
  else if (mode !== '040000') files.set(path, { mode, sha })
  else for (const [inside, entry] of filesOf(call.repo.objects, sha)) files.set(`${path}/${inside}`, entry)
}

function newCommit(call: RepoCall): Answer {
  const { world, repo, body } = call
  const parents = texts(body, 'parents') ?? []
  const tree = neededText(body, 'tree')
  if (!repo.objects.trees.has(tree)) throw refused('Tree SHA does not exist')
  if (parents.some((parent) => !repo.objects.commits.has(parent))) throw refused('Parent SHA does not exist')
  const author = person(call, 'author')
  const committer = record(body, 'committer') === null ? author : person(call, 'committer')
  const message = neededText(body, 'message')
  return created(gitCommit(world, repo, writeCommit(repo.objects, { tree, parents, author, committer, message })))
}

function person(call: RepoCall, name: string): Signature {
  const own = signature(call.world, actor(call))
  const given = record(call.body, name)
  if (given === null) return own
  return {
    name: text(given, 'name') ?? own.name,
    email: text(given, 'email') ?? own.email,
    date: text(given, 'date') ?? own.date,
  }
}

const branchOf = (ref: string): string => ref.replace(/^(refs\/)?heads\//, '')

function newRef(call: RepoCall): Answer {
  const { world, repo, body } = call
  const [ref, sha] = [neededText(body, 'ref'), neededText(body, 'sha')]
  if (!ref.startsWith('refs/') || ref.split('/').length < 3)
    throw new Problem(422, 'Reference name must start with refs')
  if (repo.refs.has(ref)) throw new Problem(422, 'Reference already exists')
  if (!repo.objects.commits.has(sha)) throw new Problem(422, 'Object does not exist')
  if (ref.startsWith('refs/heads/')) moveBranch(world, repo, { branch: branchOf(ref), sha, pusher: actor(call) })
  else repo.refs.set(ref, sha)
  return created(gitRef(world, repo, ref, sha))
}

function changeRef(call: RepoCall): Answer {
  const { world, repo, body } = call
  const ref = `refs/${param(call, 'ref')}`
  if (!repo.refs.has(ref)) throw new Problem(422, 'Reference does not exist')
  const sha = neededText(body, 'sha')
  if (!repo.objects.commits.has(sha)) throw new Problem(422, 'Object does not exist')
  const force = flag(body, 'force') ?? false
  if (ref.startsWith('refs/heads/')) moveBranch(world, repo, { branch: branchOf(ref), sha, force, pusher: actor(call) })
  else repo.refs.set(ref, sha)
  return ok(gitRef(world, repo, ref, sha))
}

function deleteRef(call: RepoCall): Answer {
  const ref = `refs/${param(call, 'ref')}`
  if (!call.repo.refs.has(ref)) throw new Problem(422, 'Reference does not exist')
  if (ref.startsWith('refs/heads/')) {
    moveBranch(call.world, call.repo, { branch: branchOf(ref), sha: null, pusher: actor(call) })
  } else call.repo.refs.delete(ref)
  return noContent()
}

/** The address of an archive leads elsewhere, and is good for a while. */
function tarball(call: RepoCall): Answer {
  const { world, repo } = call
  const sha = commitSha(repo, decodeURIComponent(param(call, 'ref')))
  return redirect(`${world.url}/_codeload/${fullName(repo)}/legacy.tar.gz/${sha}`)
}

function codeload(call: Call): Answer {
  const repo = repoOf(call.world, `${param(call, 'owner')}/${param(call, 'repo')}`)
  const sha = param(call, 'sha')
  const folder = `${fullName(repo).replace('/', '-')}-${sha.slice(0, 7)}`
  return raw(gzipSync(archiveOf(repo.objects, sha, folder)), 'application/x-gzip')
}

export const gitRoutes: readonly Route[] = [
  route('GET', '/_codeload/{owner}/{repo}/legacy.tar.gz/{sha}', codeload),
  repoRoute('GET', '/tarball/{ref+}', reads('contents'), tarball),
  repoRoute('GET', '/git/trees/{sha}', reads('contents'), tree),
  repoRoute('POST', '/git/trees', writes('contents'), newTree),
  repoRoute('GET', '/git/blobs/{sha}', reads('contents'), readBlob),
  repoRoute('POST', '/git/blobs', writes('contents'), newBlob),
  repoRoute('GET', '/git/commits/{sha}', reads('contents'), (call) => {
    const sha = param(call, 'sha')
    found(call.repo.objects.commits.get(sha))
    return ok(gitCommit(call.world, call.repo, sha))
  }),
  repoRoute('POST', '/git/commits', writes('contents'), newCommit),
  repoRoute('GET', '/git/ref/{ref+}', reads('contents'), (call) => {
    const ref = `refs/${param(call, 'ref')}`
    return ok(gitRef(call.world, call.repo, ref, found(call.repo.refs.get(ref))))
  }),
  repoRoute('GET', '/git/matching-refs/{ref+}', reads('contents'), (call) => {
    const refs = [...call.repo.refs].filter(([ref]) => ref.startsWith(`refs/${param(call, 'ref')}`))
    return paged(call, refs, ([ref, sha]) => gitRef(call.world, call.repo, ref, sha))
  }),
  repoRoute('POST', '/git/refs', writes('contents'), newRef),
  repoRoute('PATCH', '/git/refs/{ref+}', writes('contents'), changeRef),
  repoRoute('DELETE', '/git/refs/{ref+}', writes('contents'), deleteRef),
]
