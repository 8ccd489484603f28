// What lies in the directory of an embedded store: nothing yet, a whole database, or something that is neither. The last
// is refused, since PGlite would make a new database of it and overwrite what is left of the old one.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { wordsOf } from '../../../core/error-words.ts'
import { StoreUnusable } from '../unusable.ts'

export type Content = 'nothing' | 'database'

/** Without one of these the database does not start, or starts as another one. */
const parts = ['PG_VERSION', 'base', 'global', 'global/pg_control', 'pg_wal', 'pg_xact', 'postgresql.conf']

/** What may not be looked at is there, whatever it is. */
export function contentOf(home: string): Content {
  try {
    return seenIn(home)
  } catch (error) {
    if (error instanceof StoreUnusable) throw error
    throw new StoreUnusable(shutWords(home, wordsOf(error)), { cause: error })
  }
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

function seenIn(home: string): Content {
  const data = join(home, 'data')
  if (!isThere(data)) {
    if (isThere(join(home, 'PG_VERSION'))) throw new StoreUnusable(insideWords(home))
    return 'nothing'
  }
  if (!statSync(data).isDirectory()) throw new StoreUnusable(noFolderWords(data))
  if (readdirSync(data).length === 0) return 'nothing'
  const missing = parts.filter((part) => !isThere(join(data, part)))
  if (missing.length > 0) throw new StoreUnusable(halfWords(home, missing))
  return 'database'
}

const insideWords = (home: string): string =>
  `${home} is the inside of a database, not the directory of a store. Set DATA_DIR to the directory that it lies in.`

const noFolderWords = (data: string): string =>
  `${data} is a file, where the store has a folder. Move it away, or set DATA_DIR to another directory.`

function halfWords(home: string, missing: readonly string[]): string {
  return `The store in ${home} is not whole: ${missing.join(', ')} missing in ${join(home, 'data')}. ${remedyFor(home)}`
}

const shutWords = (home: string, why: string): string =>
  `The store in ${home} cannot be looked at (${why}). It is to belong to the account that the App runs as, and may be read by no other.`

export const goneWords = (home: string): string =>
  `The store in ${home} is gone. Bring it back, and it goes on by itself; or restart the App, which begins a new one.`

export const remedyFor = (home: string): string =>
  `Nothing was deleted. Restore ${home} from a backup; or move it away, which begins a new store without anything that the old one remembers.`
