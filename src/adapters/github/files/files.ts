// The changed files of a commit against its base. They are asked for by commit, so that they cannot be another one's;
// beyond what one comparison holds, the list of the pull request is proven file by file. A list that is not proven to be
// whole and of this commit says so. That nothing changed is believed where both sides have the same tree: for a while after
// a push GitHub lists nothing of it. https://docs.github.com/en/rest/commits/commits#compare-two-commits
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { Attempt, ChangedFile } from '../../../core/decision/model.ts'
import type { FileList } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { commitFiles, treeOf } from './commit-files.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { atBranch } from '../at-branch.ts'
import { statusOf } from '../status.ts'
import type { CommitFiles } from './tree.ts'

/** What a comparison lists, and what the list of a pull request does. */
export const COMPARED_MAX = 300
const FILES_MAX = 3000
/** What one event can hold of it, with room for the rest. */
const BYTES_MAX = 1_500_000

const listedFile = z.object({
  filename: z.string(),
  previous_filename: z.string().nullish(),
  status: z.string(),
  contents_url: z.string().nullish(),
  sha: z.string().nullish(),
  patch: z.string().nullish(),
  additions: z.number().default(0),
  deletions: z.number().default(0),
})
const committed = z.object({ sha: z.string().optional(), commit: z.object({ tree: z.object({ sha: z.string() }) }) })
const compared = z.object({ files: z.array(listedFile).optional(), merge_base_commit: committed.optional() })
const EMPTY_AGAIN_MS = [500, 2_000, 5_000]
export type Listed = readonly z.output<typeof listedFile>[]
/** `parting`: the tree of the commit that its changes are counted against; null where GitHub does not tell. */
type Compared = { readonly files: Listed; readonly parting: string | null }
export type ProvenList = Compared & { readonly complete: boolean }

export type Head = Pick<Attempt, 'pull' | 'head_sha' | 'merges_into'>

export async function changedFiles(access: Access, head: Head): Promise<FileList> {
  return bounded(await listedFiles(access, head))
}

export async function listedFiles(access: Access, head: Head): Promise<ProvenList> {
  const whole = await comparedWith(access, head.merges_into, head.head_sha)
  const { files = null, parting = null } = whole ?? {}
  if (files !== null && files.length < COMPARED_MAX) return { files, parting, complete: true }
  const all = await list(access, head.pull)
  if (all === null) return { files: files ?? [], parting, complete: false }
  const names = all.map(({ filename }) => filename)
  const proven = isProven(all, head.head_sha, await commitFiles(access, head.head_sha, names))
  return { files: proven || files === null ? all : files, parting, complete: proven && all.length < FILES_MAX }
}

/** Null where the difference is too large for GitHub. */
export const comparison = async (access: Access, base: string, head: string): Promise<Listed | null> =>
  (await comparedWith(access, base, head))?.files ?? null

/** The same, with the tree against which it is counted. */
async function comparedWith(access: Access, base: string, head: string): Promise<Compared | null> {
  for (const pauseMs of [...EMPTY_AGAIN_MS, null]) {
    const read = await orTooLarge(() => compare(access, `${atBranch(base)}...${head}`))
    if (read === null) return null
    const { files = [], merge_base_commit: parting } = read
    if (files.length > 0 || (await treeOf(access, head)) === parting?.commit.tree.sha)
      return { files, parting: parting?.commit.tree.sha ?? null }
    if (pauseMs !== null) await setTimeout(pauseMs)
  }
  throw new Error(`GitHub lists no changed file of ${head}, which has other files than the commit that it comes from`)
}

async function compare({ octokit, place }: Access, basehead: string): Promise<z.output<typeof compared>> {
  const asked = { ...place, basehead, per_page: 1, request: { fresh: true } }
  return compared.parse((await octokit.rest.repos.compareCommitsWithBasehead(asked)).data)
}

/** The commit that a head comes from, which its changes are counted against; null where GitHub does not tell. */
export async function partingOf(access: Access, base: string, head: string): Promise<string | null> {
  const read = await orTooLarge(() => compare(access, `${atBranch(base)}...${head}`))
  return read?.merge_base_commit?.sha ?? null
}

/** The same. */
async function list({ octokit, place }: Access, pull_number: number): Promise<Listed | null> {
  return orTooLarge(() =>
    allPages(FILES_MAX / PER_PAGE, async (page) => {
      const { data } = await octokit.rest.pulls.listFiles({ ...place, pull_number, per_page: PER_PAGE, page })
      return z.array(listedFile).parse(data)
    }),
  )
}

/** GitHub gives up on a difference that takes it too long, each time that it is asked. */
async function orTooLarge<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    const status = statusOf(error)
    if (status === 406 || status === 422) return null
    throw error
  }
}

/** Whether each file is in this commit as it is listed, and what was removed is not there. */
function isProven(files: Listed, head_sha: string, { files: tree, complete }: CommitFiles): boolean {
  if (!complete) return false
  return files.every(({ filename, status, contents_url }) => {
    if (status === 'removed') return !tree.has(filename)
    const commit = /[?&]ref=([0-9a-f]{40})$/.exec(contents_url ?? '')?.[1]
    return commit === head_sha && tree.has(filename)
  })
}

/** Lines that are not proven to be of this commit are nobody's. */
function bounded({ files, complete, parting }: ProvenList): FileList {
  let bytes = 0
  const fitting = files.filter(({ filename, previous_filename }) => {
    bytes += 100 + Buffer.byteLength(filename) + Buffer.byteLength(previous_filename ?? '')
    return bytes <= BYTES_MAX
  })
  const changed = fitting.map(changedFile)
  const isWhole = complete && fitting.length === files.length
  const told = isWhole ? fitting : []
  const patches = told.flatMap((file): [string, string][] => {
    const patch = patchOf(file)
    return patch === null ? [] : [[file.filename, patch]]
  })
  return { files: changed, complete: isWhole, patches: new Map(patches), parting }
}

/** GitHub does not say what a path is; of a submodule it shows the commits. */
const commitsAlone = /^@@ [^\n]* @@(?:\n[-+]Subproject commit [0-9a-f]{40,64})+\n?$/

export function changedFile({ filename: path, previous_filename, status, patch }: Listed[number]): ChangedFile {
  const submodule = commitsAlone.test(patch ?? '') ? { submodule: true as const } : {}
  return { path, previous_path: previous_filename ?? null, status: statusOfFile(status), ...submodule }
}

/** The blob of nothing has this name in every repository. */
const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** The hunks of a file; null where there are lines that GitHub does not show. */
export function patchOf({ patch, additions, deletions, status, sha }: Listed[number]): string | null {
  const unchanged = additions + deletions === 0 && (status === 'renamed' || sha === emptyBlob)
  return patch ?? (unchanged ? '' : null)
}

export function statusOfFile(status: string): ChangedFile['status'] {
  return status === 'added' || status === 'removed' || status === 'renamed' ? status : 'modified'
}
