// What is asked of git in a checkout. Whoever can run it as a program brings `Git`; everything else is the same for all.
import type { ChangedFile } from '../../core/decision/model.ts'
import { patchesByPath, readRaw } from './raw-diff.ts'

export type GitAnswer = {
  readonly ok: boolean
  /** Bytes, since names of files may be anything. */
  readonly bytes: Buffer
  /** Whether the answer was longer than anybody wants to hold. */
  readonly isCut: boolean
  readonly trouble: string
}
export type Git = (args: readonly string[], extra?: Readonly<Record<string, string>>) => Promise<GitAnswer>
export type Change = {
  readonly files: readonly ChangedFile[]
  /** Absent where the lines are too many, or do not go together with the files. */
  readonly patches: ReadonlyMap<string, string> | undefined
}

export const ANSWER_BYTES_MAX = 64 * 1024 * 1024
/** Nothing that the repository configures is run. */
export const hookless = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'] as const
/** Nobody is asked for a password, no lock is taken, and answers are in English. */
export const quietly = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } as const

/** The answer as text. */
export async function ask(git: Git, ...args: readonly string[]): Promise<string | null> {
  const { ok, bytes } = await git(args)
  return ok ? bytes.toString('utf8').trim() : null
}

/** Files that differ from the commit now, the untracked ones included, as git words it. */
export async function treeState(git: Git): Promise<ReadonlySet<string>> {
  const { ok, bytes } = await git(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'])
  return new Set(ok ? bytes.toString('utf8').split('\0').filter(Boolean) : [])
}

/** The files and lines that differ between two commits. */
export async function changeBetween(git: Git, base: string, head: string): Promise<Change> {
  const quiet = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--ignore-submodules=none']
  const [raw, diff] = await Promise.all([
    git(['diff', '--raw', '-z', '--abbrev=40', ...quiet, base, head]),
    git(['diff', '--patch', '--unified=3', ...quiet, base, head]),
  ])
  if (!raw.ok || raw.isCut) throw new Error(`git could not list the changed files: ${raw.trouble || 'too many'}`)
  const entries = readRaw(raw.bytes.toString('utf8'))
  const patches = diff.ok && !diff.isCut ? patchesByPath(entries, diff.bytes.toString('utf8')) : null
  const files = entries.map(({ path, previous_path, status }) => ({ path, previous_path, status }))
  return { files, patches: patches ?? undefined }
}
