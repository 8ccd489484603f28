// Git's object store in memory: blobs, trees and commits under their real SHA-1 names, so that equal content has equal
// names and a client may compute them itself. Objects are never changed or deleted.
import { createHash } from 'node:crypto'

export type Signature = { readonly name: string; readonly email: string; readonly date: string }
export type TreeEntry = { readonly mode: Mode; readonly sha: string }
export type Mode = '100644' | '100755' | '120000' | '160000' | '040000'
export type Commit = {
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Signature
  readonly committer: Signature
  readonly message: string
}
/** Every file of a tree by its full path. */
export type Files = ReadonlyMap<string, TreeEntry>
export type ObjectStore = {
  readonly blobs: Map<string, Buffer>
  readonly trees: Map<string, ReadonlyMap<string, TreeEntry>>
  readonly commits: Map<string, Commit>
  /** What a tree holds never changes, so it is walked once. */
  readonly flat: Map<string, Files>
  /** What a merge of two commits holds, null for a conflict: computed once as well. */
  readonly merges: Map<string, string | null>
  /** Whoever wants the bytes of each new object too. */
  readonly written?: (object: GitObject) => void
}
export type GitObject = { readonly kind: 'blob' | 'tree' | 'commit'; readonly sha: string; readonly content: Buffer }

export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

export const makeObjectStore = (): ObjectStore => ({
  blobs: new Map(),
  trees: new Map([[emptyTree, new Map()]]),
  commits: new Map(),
  flat: new Map(),
  merges: new Map(),
})

export function writeBlob(store: ObjectStore, content: Buffer): string {
  const sha = written(store, 'blob', content)
  store.blobs.set(sha, content)
  return sha
}

export function writeTree(store: ObjectStore, files: Files): string {
  const entries = new Map<string, TreeEntry>()
  const folders = new Map<string, Map<string, TreeEntry>>()
  for (const [path, entry] of files) {
    const slash = path.indexOf('/')
    if (slash < 0) {
      entries.set(path, entry)
      continue
    }
    const folder = path.slice(0, slash)
    const inside = folders.get(folder) ?? new Map<string, TreeEntry>()
    inside.set(path.slice(slash + 1), entry)
    folders.set(folder, inside)
  }
  for (const [folder, inside] of folders) entries.set(folder, { mode: '040000', sha: writeTree(store, inside) })
  // Git sorts a folder as if its name ended in a slash.
  const key = ([name, entry]: readonly [string, TreeEntry]) => (entry.mode === '040000' ? `${name}/` : name)
  const sorted = [...entries].sort((a, b) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))))
  const lines = sorted.flatMap(([name, { mode, sha }]) => [
    Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`),
    Buffer.from(sha, 'hex'),
  ])
  const sha = written(store, 'tree', Buffer.concat(lines))
  store.trees.set(sha, new Map(sorted))
  return sha
}

export function writeCommit(store: ObjectStore, commit: Commit): string {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signatureText(commit.author)}`,
    `committer ${signatureText(commit.committer)}`,
    '',
    commit.message,
  ]
  const sha = written(store, 'commit', Buffer.from(lines.join('\n')))
  store.commits.set(sha, commit)
  return sha
}

export function commitOf(store: ObjectStore, sha: string): Commit {
  const commit = store.commits.get(sha)
  if (commit === undefined) throw new Error(`There is no commit ${sha}`)
  return commit
}

export const blobOf = (store: ObjectStore, sha: string): Buffer => store.blobs.get(sha) ?? Buffer.alloc(0)

export function filesOf(store: ObjectStore, tree: string): Files {
  const known = store.flat.get(tree)
  if (known !== undefined) return known
  const files = new Map<string, TreeEntry>()
  for (const [name, entry] of store.trees.get(tree) ?? []) {
    if (entry.mode !== '040000') files.set(name, entry)
    else for (const [path, inside] of filesOf(store, entry.sha)) files.set(`${name}/${path}`, inside)
  }
  store.flat.set(tree, files)
  return files
}

export const filesAt = (store: ObjectStore, commit: string): Files => filesOf(store, commitOf(store, commit).tree)

const signatureText = ({ name, email, date }: Signature): string =>
  `${name} <${email}> ${Math.floor(Date.parse(date) / 1000)} +0000`

function written(store: ObjectStore, kind: GitObject['kind'], content: Buffer): string {
  const sha = createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex')
  store.written?.({ kind, sha, content })
  return sha
}

/** A file's text, or null where the commit has no such file. */
export function fileAt(store: ObjectStore, commit: string, path: string): string | null {
  const entry = filesAt(store, commit).get(path)
  return entry === undefined ? null : blobOf(store, entry.sha).toString('utf8')
}
