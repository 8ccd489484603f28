// Which files of a work tree are not as they are committed, found out without git, since git would run what the clone
// configures in order to compare: each file is read and named as git names its content.
import { createHash } from 'node:crypto'
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegularFile } from '../read-file.ts'
import type { Clone } from './clone.ts'
import { isSubmodule, type Entry } from './commit-workspace.ts'

const CONCURRENCY_MAX = 32
const FILE_BYTES_MAX = 1024 * 1024 * 1024
/** Attributes by which git keeps a file in another form than it has on the disk. */
const otherForms = ['filter', 'ident', 'working-tree-encoding']

export async function alteredFiles(clone: Clone, commit: string, entries: readonly Entry[]): Promise<string[]> {
  const queue = entries.filter((entry) => !isSubmodule(entry))
  const differing: string[] = []
  const worker = async (): Promise<void> => {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
      if (!(await isAsCommitted(clone, entry))) differing.push(entry.path)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY_MAX }, worker))
  const excused = await keptInOtherForm(clone, commit, differing)
  return differing.filter((path) => !excused.has(path)).toSorted()
}

async function isAsCommitted({ root, isSparse }: Clone, { path, id }: Entry): Promise<boolean> {
  const place = join(root, path)
  const content = await contentOf(place)
  if (content === null) return isSparse
  if (nameOf(content, id) === id) return true
  // Git may have written other ends of lines than it keeps.
  return (
    content.includes('\r\n') &&
    nameOf(Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'), id) === id
  )
}

/** Null where there is neither a file nor a link. */
async function contentOf(place: string): Promise<Buffer | null> {
  try {
    const isLink = (await lstat(place)).isSymbolicLink()
    return isLink ? Buffer.from(await readlink(place)) : (await readRegularFile(place, FILE_BYTES_MAX)).bytes
  } catch {
    return null
  }
}

/** Whichever of its two hashes the repository uses. */
function nameOf(content: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** By the attributes as they are committed, which are words here: no filter stands behind them. */
async function keptInOtherForm({ git }: Clone, commit: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  const index = await git(['read-tree', commit])
  const input = paths.map((path) => `${path}\0`).join('')
  const told = await git(['check-attr', '--cached', '-z', '--stdin', ...otherForms], { input })
  const kept = new Set<string>()
  if (!index.ok || !told.ok) return kept
  const fields = told.bytes.toString('utf8').split('\0')
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , value = ''] = fields.slice(at, at + 3)
    if (value !== 'unspecified' && value !== 'unset') kept.add(path)
  }
  return kept
}
