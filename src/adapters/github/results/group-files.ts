// What a merge group changes, from the tip of its branch to its own commit: the groups that it stands on may merge with it, so what
// they change is looked at with it.
import type { Attempt, ChangedFile } from '../../../core/decision/model.ts'
import type { Access } from '../access.ts'
import { changedFile, comparison, COMPARED_MAX } from '../files/files.ts'

/** Null where GitHub cannot name them all, or where there is no group. */
export async function groupFiles(
  access: Access,
  { group, base_ref, head_sha }: Pick<Attempt, 'group' | 'base_ref' | 'head_sha'>,
): Promise<readonly ChangedFile[] | null> {
  if (group === null) return null
  const files = await comparison(access, base_ref, head_sha)
  if (files === null || files.length >= COMPARED_MAX) return null
  return files.map(changedFile)
}
