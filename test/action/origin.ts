// A repository of the GitHub of the tests as a real git repository on this disk, with the same names of commits, and
// checkouts of it as actions/checkout makes them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { z } from 'zod'
import {
  makeObjectStore,
  writeBlob,
  writeCommit,
  writeTree,
  type GitObject,
  type ObjectStore,
  type TreeEntry,
} from '../github/git/objects.ts'
import type { GitHub } from '../github/github.ts'
import { gitServer, type GitServer } from './git-server.ts'

export type Origin = {
  readonly directory: string
  /** Where a job may fetch from it. */
  readonly server: GitServer
  /** The merge of a pull request that GitHub keeps at `refs/pull/n/merge`. Gives its SHA. */
  readonly merge: (base: string, head: string, pull: number) => string
  /** `depth` 0 is the whole history. */
  readonly checkout: (commit: string, depth: number) => string
}

const folders: string[] = []
const servers: GitServer[] = []

/** A folder that is gone when the tests are over. */
export function scratch(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${what}-`))
  folders.push(folder)
  return folder
}

export async function removeScratch(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

const mode = z.enum(['100644', '100755', '120000', '160000', '040000'])
const person = z.object({ name: z.string(), email: z.string(), date: z.string() })
const commitShape = z.object({
  tree: z.object({ sha: z.string() }),
  parents: z.array(z.object({ sha: z.string() })),
  author: person,
  committer: person,
  message: z.string(),
})
const treeShape = z.object({
  tree: z.array(z.object({ path: z.string(), mode, type: z.string(), sha: z.string() })),
})
const blobShape = z.object({ content: z.string() })

const identity = {
  GIT_AUTHOR_NAME: 'web-flow',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'web-flow',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

export function git(
  directory: string,
  args: readonly string[],
  input: string | Buffer = '',
  env: Record<string, string> = {},
): string {
  const { PATH = '' } = process.env
  const all = { PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: '1', ...identity, ...env }
  return execFileSync('git', [...args], { cwd: directory, input, env: all, stdio: ['pipe', 'pipe', 'pipe'] })
    .toString('utf8')
    .trim()
}

/** With the history of each of these commits. */
export async function originOf(github: GitHub, name: string, commits: readonly string[]): Promise<Origin> {
  const directory = scratch('origin')
  newRepository(directory, '[core]\n\tbare = true\n[uploadpack]\n\tallowAnySHA1InWant = true\n')
  const token = github.tokenOf('ada')
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${github.url}/repos/${name}/git/${path}`, {
      headers: { authorization: `token ${token}` },
    })
    return answer.json()
  }
  const store = { ...makeObjectStore(), written: looseIn(directory) }
  const known = new Set<string>()
  const waiting = [...commits]
  for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
    if (known.has(sha)) continue
    known.add(sha)
    waiting.push(...(await copyCommit(store, sha, read)))
  }
  const refer = (name: string, sha: string): void => {
    const file = join(directory, 'refs', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${sha}\n`)
  }
  for (const sha of commits) refer(`heads/at-${sha.slice(0, 8)}`, sha)
  const server = await gitServer(directory)
  servers.push(server)
  return {
    directory,
    server,
    merge: (base, head, pull) => {
      const [tree = ''] = git(directory, ['merge-tree', '--write-tree', base, head]).split('\n')
      const sha = git(directory, ['commit-tree', '-p', base, '-p', head, '-m', `Merge ${head} into ${base}`, tree])
      refer(`pull/${pull}/merge`, sha)
      return sha
    },
    checkout: (commit, depth) => {
      const workspace = scratch('checkout')
      const origin = `[remote "origin"]\n\turl = file://${directory}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`
      newRepository(join(workspace, '.git'), `[core]\n\tbare = false\n${origin}`)
      const how = depth === 0 ? ['+refs/*:refs/remotes/origin/*'] : [`--depth=${depth}`]
      git(workspace, [
        'fetch',
        '--quiet',
        '--no-tags',
        ...(depth === 0 ? ['origin', ...how] : [...how, 'origin', commit]),
      ])
      git(workspace, ['checkout', '--quiet', '--detach', commit])
      return workspace
    },
  }
}

/** As git makes one. To start git for what is a few files would take longer than what is tested. */
function newRepository(directory: string, config: string): void {
  for (const folder of ['objects/pack', 'refs/heads']) mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(directory, 'config'), config)
}

async function copyCommit(
  store: ObjectStore,
  sha: string,
  read: (path: string) => Promise<unknown>,
): Promise<string[]> {
  const { tree, parents, ...rest } = commitShape.parse(await read(`commits/${sha}`))
  const listed = treeShape.parse(await read(`trees/${tree.sha}?recursive=1`)).tree
  const files = new Map<string, TreeEntry>()
  for (const { path, mode, type, sha: object } of listed) {
    if (type === 'tree') continue
    files.set(path, { mode, sha: object })
    if (type !== 'blob' || store.blobs.has(object)) continue
    const { content } = blobShape.parse(await read(`blobs/${object}`))
    writeBlob(store, Buffer.from(content, 'base64'))
  }
  const before = parents.map((parent) => parent.sha)
  const made = writeCommit(store, { tree: writeTree(store, files), parents: before, ...rest })
  if (made !== sha) throw new Error(`${sha} became ${made}`)
  return before
}

/** As git keeps one that is in no pack. */
const looseIn =
  (directory: string) =>
  ({ kind, sha, content }: GitObject): void => {
    const folder = join(directory, 'objects', sha.slice(0, 2))
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, sha.slice(2)),
      deflateSync(Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])),
    )
  }
