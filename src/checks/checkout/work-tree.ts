// What lies in a work tree, told by looks alone: nothing is opened, and no program is asked, since by the time of the
// second look the code under test may have put anything there, also in the place of a program.
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './commit-workspace.ts'

/** How each file looks, by its path. */
export type Looks = ReadonlyMap<string, string>

/** What nobody committed is named as a courtesy to people, so looking for it ends somewhere. */
const UNTRACKED_MAX = 5_000

/** The files of the commit, and whatever else is there and not ignored. */
export function looksOf(root: string, entries: readonly Entry[], isIgnored: (path: string) => boolean): Looks {
  const looks = new Map<string, string>()
  const look = (path: string): void => {
    const stats = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false })
    if (stats === undefined || stats.isDirectory()) return
    looks.set(path, `${stats.mode} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`)
  }
  const tracked = new Set(entries.flatMap(({ path }) => [path, ...foldersOf(path)]))
  for (const { path } of entries) look(path)
  let left = UNTRACKED_MAX
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    for (const entry of entriesIn(join(root, folder))) {
      const isFolder = entry.isDirectory()
      const path = `${folder}${entry.name}${isFolder ? '/' : ''}`
      const isTracked = tracked.has(path)
      if (!isTracked) left -= 1
      if (entry.name === '.git' || left < 0 || (!isTracked && isIgnored(path))) continue
      if (!isFolder) look(path)
      // Another repository is one thing here, whatever is in it.
      else if (!existsSync(join(root, path, '.git'))) folders.push(path)
    }
  }
  return looks
}

/** Each with a slash at its end. */
function foldersOf(path: string): string[] {
  const steps = path.split('/').slice(0, -1)
  return steps.map((_, index) => `${steps.slice(0, index + 1).join('/')}/`)
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** What is new, gone, or looks otherwise. */
export function changedLooks(before: Looks, after: Looks): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted()
}
