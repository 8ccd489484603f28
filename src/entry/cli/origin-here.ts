// Which repository a clone is of, and which branch is checked out there. A stranger's clone is read, and nothing of it run.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** From the text of git's configuration; null where there is none. */
export function originHere(): string | null {
  for (let at = resolve('.'); ; at = dirname(at)) {
    try {
      const text = readFileSync(join(at, '.git/config'), 'utf8')
      const origin = /\[remote "origin"\][^[]*?\n\s*url\s*=\s*(\S+)/.exec(text)?.[1] ?? ''
      return /[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(origin)?.[1] ?? null
    } catch {
      if (dirname(at) === at) return null
    }
  }
}
