// What a merge group changes, from the commit that it stands on to its own.
// https://docs.github.com/en/rest/commits/commits#compare-two-commits
import { z } from 'zod'
import type { Attempt, ChangedFile } from '../../../core/decision/model.ts'
import type { Access } from '../access.ts'
import { statusOfFile } from '../files/files.ts'

/** GitHub's comparison ends there without a word. */
const FILES_MAX = 300

const compared = z.array(
  z.object({ filename: z.string(), previous_filename: z.string().nullish(), status: z.string() }),
)

/** Null where GitHub cannot name them all, or where there is no group. */
export async function groupFiles(
  { octokit, place }: Access,
  { group, head_sha }: Pick<Attempt, 'group' | 'head_sha'>,
): Promise<readonly ChangedFile[] | null> {
  if (group === null || group.base_sha === '') return null
  const basehead = `${group.base_sha}...${head_sha}`
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({ ...place, basehead, per_page: 1 })
  const files = compared.safeParse(data.files)
  if (!files.success || files.data.length >= FILES_MAX) return null
  return files.data.map(({ filename: path, previous_filename, status }) => {
    return { path, previous_path: previous_filename ?? null, status: statusOfFile(status) }
  })
}
