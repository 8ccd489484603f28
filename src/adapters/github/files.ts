// The changed files of a pull request. GitHub lists at most 3,000: a list of that length may be cut, so it is refused.
// https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files
import type { ChangedFile } from '../../core/decision/model.ts'
import type { Access } from './forge.ts'

const FILES_MAX = 3000
const PER_PAGE = 100

export async function changedFiles({ octokit, place }: Access, pull_number: number): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = []
  for (let page = 1; page <= FILES_MAX / PER_PAGE; page += 1) {
    const { data } = await octokit.rest.pulls.listFiles({ ...place, pull_number, per_page: PER_PAGE, page })
    for (const { filename: path, previous_filename, status } of data) {
      files.push({ path, previous_path: previous_filename ?? null, status: statusOfFile(status) })
    }
    if (data.length < PER_PAGE) return files
  }
  throw new Error(
    `Pull request ${pull_number} changes ${FILES_MAX} files or more, which GitHub does not list completely: split it`,
  )
}

function statusOfFile(status: string): ChangedFile['status'] {
  return status === 'added' || status === 'removed' || status === 'renamed' ? status : 'modified'
}
