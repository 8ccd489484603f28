// The files of this repository as git sees them: tracked, or new and not ignored. Build output is never among them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** Paths from the root of the repository, sorted. `safe.directory` lets a container read a checkout of another user. */
export function repositoryFiles(): readonly string[] {
  const listing = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', listing, { encoding: 'utf8' }).split('\0')
  // A file that was deleted and not yet committed is still in git's index.
  return [...new Set(paths)].filter((path) => path !== '' && existsSync(path)).sort()
}

export function filesMatching(pattern: RegExp): readonly string[] {
  return repositoryFiles().filter((path) => pattern.test(path))
}

export const textOf = (path: string): string => readFileSync(path, 'utf8')

/** What npm runs here, by name. */
export const scriptsOf = (): Readonly<Record<string, string>> =>
  z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(textOf('package.json'))).scripts
