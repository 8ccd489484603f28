// Makes what the embedded database wrote survive a loss of power. The database itself never syncs and never
// checkpoints: the first would lose acknowledged events, the second would let its log grow until the disk is full.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Runs `work` for everybody who asked before it began: who asks while it runs shares the next run.
 * After a failure every later call fails as well, since a sync that failed once may have dropped what it was to keep.
 */
export function inGroups(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    if (next !== null) return next
    next = last.then(() => {
      next = null
      return work()
    })
    last = next
    return next
  }
}

/** Syncs the write-ahead log, which is enough to replay every statement since the last checkpoint. */
export const syncLog = (data: string): Promise<void> => syncFolder(join(data, 'pg_wal'))

/** Syncs all files. After a checkpoint the log no longer tells about the older ones. */
export async function syncAll(data: string): Promise<void> {
  const entries = await readdir(data, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  for (const folder of [data, ...folders]) await syncFolder(folder)
}

async function syncFolder(folder: string): Promise<void> {
  const entries = await unlessGone(() => readdir(folder, { withFileTypes: true }))
  const files = (entries ?? []).filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name))
  await Promise.all([folder, ...files].map((path) => unlessGone(() => syncFile(path))))
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** The database removes files while this goes on; what is gone needs no sync. */
async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
