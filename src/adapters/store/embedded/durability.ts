// Makes what the embedded database wrote survive a loss of power. The database itself never syncs and never
// checkpoints: the first would lose acknowledged events, the second would let its log grow until the disk is full.
import { fstatSync, readdirSync, statSync } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
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

export type Log = {
  /** Syncs it, which is enough to replay every statement since the last checkpoint; throws where it is not there any more. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What the log consists of. The name of one is never that of another one later. */
const segment = /^[0-9A-F]{24}$/

/** The write-ahead log. Its files stay open from one sync to the next, since opening them takes longer than syncing them. */
export async function logOf(data: string): Promise<Log> {
  const path = join(data, 'pg_wal')
  const folder = await open(path, 'r')
  const files = new Map<string, FileHandle>()
  // In this very turn, as the database writes: each takes microseconds, and to go and ask another thread takes a hundred times as
  // long.
  const refuseAnother = (): void => {
    if (fstatSync(folder.fd).ino !== statSync(path).ino)
      throw new Error(`${path} was replaced, and the database writes to what was there before`)
  }
  /** Answers whether some came. */
  const follow = async (): Promise<boolean> => {
    const names = new Set(readdirSync(path).filter((name) => segment.test(name)))
    for (const [name, file] of files) {
      if (names.has(name)) continue
      files.delete(name)
      await file.close()
    }
    const come = [...names].filter((name) => !files.has(name))
    for (const name of come) {
      const file = await unlessGone(() => open(join(path, name), 'r'))
      if (file !== null) files.set(name, file)
    }
    return come.length > 0
  }
  return {
    sync: async () => {
      refuseAnother()
      const someCame = await follow()
      await Promise.all([...files.values()].map((file) => file.datasync()))
      if (someCame) await folder.datasync()
    },
    close: async () => {
      await Promise.allSettled([folder, ...files.values()].map((file) => file.close()))
    },
  }
}

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
