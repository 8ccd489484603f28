// Nobody but the user who runs it looks into the directory of a store: its folders are open to their owner alone, its
// files too, also those of a store that was made before this was so.
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const folderMode = 0o700
const fileMode = 0o600

/** What this product puts there, and what a new file system brings along. */
const expected = /^(lock|data|socket)(\.|$)|^lost\+found$/

/** A directory that holds other things as well stays as its owner wanted it; what is ours in it is closed all the same. */
export function closeHome(home: string): void {
  if (readdirSync(home).every((name) => expected.test(name))) close(home, folderMode)
}

/** With everything below it: the database gives some of its files to everybody, whatever the process is told. */
export function closeTree(folder: string): void {
  close(folder, folderMode)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) close(path, folderMode)
    else if (entry.isFile()) close(path, fileMode)
  }
}

/** Not every file system knows owners, and a volume may belong to somebody else. */
function close(path: string, mode: number): void {
  try {
    if ((lstatSync(path).mode & 0o777) !== mode) chmodSync(path, mode)
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['EPERM', 'ENOTSUP', 'EROFS'].includes(String(error.code))) return
    throw error
  }
}
