// What is asked of git about a clone: commits, and how they differ. None of it looks at a work tree, so no file, attribute
// or setting of the clone has a say in the answer. How git is run is in `clone.ts`.
import type { ChangedFile } from '../../core/decision/model.ts'
import type { Answer } from './program.ts'
import { patchesByPath, readRaw } from './raw-diff.ts'

type Options = {
  readonly input?: string
  readonly more?: Readonly<Record<string, string>>
}
export type Git = (args: readonly string[], options?: Options) => Promise<Answer>
export type Change = {
  readonly files: readonly ChangedFile[]
  /** Absent where the lines are too many, or do not go together with the files. */
  readonly patches: ReadonlyMap<string, string> | undefined
}

/** The answer as text. */
export async function ask(git: Git, ...args: readonly string[]): Promise<string | null> {
  const { ok, bytes } = await git(args)
  return ok ? bytes.toString('utf8').trim() : null
}

/** The files and lines that differ between two commits. */
export async function changeBetween(git: Git, base: string, head: string): Promise<Change> {
  const quiet = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--ignore-submodules=none']
  const trees = ['diff-tree', '-r', ...quiet]
  const [raw, diff] = await Promise.all([
    git([...trees, '--raw', '-z', '--abbrev=40', base, head]),
    git([...trees, '--patch', '--unified=3', base, head]),
  ])
  if (!raw.ok || raw.isCut) throw new Error(`git could not list the changed files: ${raw.trouble || 'too many'}`)
  if (!diff.ok) throw new Error(`git could not compare the changed files: ${diff.trouble}`)
  const entries = readRaw(raw.bytes.toString('utf8'))
  const patches = !diff.isCut ? patchesByPath(entries, diff.bytes.toString('utf8')) : null
  const files = entries.map(({ path, previous_path, status, submodule }): ChangedFile => {
    return { path, previous_path, status, ...(submodule === undefined ? {} : { submodule }) }
  })
  return { files, patches: patches ?? undefined }
}
