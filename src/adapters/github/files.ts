// The changed files of a pull request. GitHub lists at most 3,000: a list of that length may be cut, so it is refused.
// https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files
import type { ChangedFile } from '../../core/decision/model.ts'
import type { Access } from './forge.ts'
import { allPages, PER_PAGE } from './pages.ts'

const FILES_MAX = 3000

export async function changedFiles({ octokit, place }: Access, pull_number: number): Promise<readonly ChangedFile[]> {
  const files = await allPages(FILES_MAX / PER_PAGE, async (page) => {
    const { data } = await octokit.rest.pulls.listFiles({ ...place, pull_number, per_page: PER_PAGE, page })
    return data.map(({ filename: path, previous_filename, status }) => ({
      path,
      previous_path: previous_filename ?? null,
      status: statusOfFile(status),
    }))
  })
  if (files.length < FILES_MAX) return files
  throw new Error(
    `Pull request ${pull_number} changes ${FILES_MAX} files or more, which GitHub does not list completely: split it`,
  )
}

function statusOfFile(status: string): ChangedFile['status'] {
  return status === 'added' || status === 'removed' || status === 'renamed' ? status : 'modified'
}
