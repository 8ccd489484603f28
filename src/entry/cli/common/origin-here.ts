// Which repository a clone is of, and which branch is checked out there. A stranger's clone is read, and nothing of it run.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRepositoryName } from '../../../core/repository-name.ts'

/** From the text of git's configuration; null where there is none. */
export function originHere(): string | null {
  const folder = gitHere()
  if (folder === null) return null
  // A worktree has the configuration of the clone that it belongs to.
  const shared = textOf(join(folder, 'commondir'))?.trim()
  const text = textOf(join(shared === undefined ? folder : resolve(folder, shared), 'config')) ?? ''
  const origin = /\[remote "origin"\][^[]*?\n\s*url\s*=\s*(\S+)/.exec(text)?.[1] ?? ''
  const name = /[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(origin)?.[1] ?? ''
  return isRepositoryName(name) ? name : null
}

/** Null where no branch is checked out. */
export function branchHere(): string | null {
  const folder = gitHere()
  const head = folder === null ? null : textOf(join(folder, 'HEAD'))
  return /^ref: refs\/heads\/(\S+)\s*$/.exec(head ?? '')?.[1] ?? null
}

/** The folder where git keeps what belongs to this checkout. */
function gitHere(): string | null {
  for (let at = resolve('.'); ; at = dirname(at)) {
    const git = join(at, '.git')
    if (textOf(join(git, 'HEAD')) !== null) return git
    const elsewhere = /^gitdir: (.+)$/m.exec(textOf(git) ?? '')?.[1]
    if (elsewhere !== undefined) return resolve(at, elsewhere)
    if (dirname(at) === at) return null
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
