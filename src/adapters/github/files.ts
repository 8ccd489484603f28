// The changed files of a pull request. GitHub lists at most 3,000, and those of its head at that moment: a list that may
// be cut says so, and one of another commit is not taken for this one's.
// https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files
import { z } from 'zod'
import type { ChangedFile } from '../../core/decision/model.ts'
import type { FileList } from '../../ports.ts'
import type { Access } from './access.ts'
import { allPages, PER_PAGE } from './pages.ts'

const FILES_MAX = 3000
/** What one event can hold of it, with room for the rest. */
const BYTES_MAX = 1_500_000
const TRIES_MAX = 3

const listed = z.array(
  z.object({
    filename: z.string(),
    previous_filename: z.string().nullish(),
    status: z.string(),
    contents_url: z.string().nullish(),
    sha: z.string().nullish(),
    patch: z.string().nullish(),
    additions: z.number().default(0),
    deletions: z.number().default(0),
  }),
)
export type Listed = z.output<typeof listed>

type Head = { readonly pull: number; readonly head_sha: string }
type HeadNow = () => Promise<string | null>

export async function changedFiles(access: Access, head: Head, headNow: HeadNow): Promise<FileList> {
  return bounded(await listedFiles(access, head, headNow))
}

export const mayBeCut = (files: Listed): boolean => files.length >= FILES_MAX

/** As GitHub lists them, of this very commit. */
export async function listedFiles(access: Access, { pull, head_sha }: Head, headNow: HeadNow): Promise<Listed> {
  for (let tried = 1; ; tried += 1) {
    const files = await list(access, pull)
    // A push that is taken back while the list is read would lend this commit the files of another.
    if (!files.some((file) => isOfAnother(file, head_sha)) || tried === TRIES_MAX) return files
    if ((await headNow()) !== head_sha) throw new Error(`The head of pull request ${pull} moved while it was read`)
  }
}

async function list({ octokit, place }: Access, pull_number: number): Promise<Listed> {
  return allPages(FILES_MAX / PER_PAGE, async (page) => {
    const { data } = await octokit.rest.pulls.listFiles({ ...place, pull_number, per_page: PER_PAGE, page })
    return listed.parse(data)
  })
}

/** The address of a file's contents names the commit. */
function isOfAnother({ status, contents_url }: Listed[number], head_sha: string): boolean {
  const commit = /[?&]ref=([0-9a-f]{40})$/.exec(contents_url ?? '')?.[1]
  return status !== 'removed' && commit !== undefined && commit !== head_sha
}

function bounded(files: Listed): FileList {
  let bytes = 0
  const fitting = files.filter(({ filename, previous_filename }) => {
    bytes += 100 + Buffer.byteLength(filename) + Buffer.byteLength(previous_filename ?? '')
    return bytes <= BYTES_MAX
  })
  const changed = fitting.map(({ filename: path, previous_filename, status }) => ({
    path,
    previous_path: previous_filename ?? null,
    status: statusOfFile(status),
  }))
  return { files: changed, complete: !mayBeCut(files) && fitting.length === files.length }
}

export function statusOfFile(status: string): ChangedFile['status'] {
  return status === 'added' || status === 'removed' || status === 'renamed' ? status : 'modified'
}
