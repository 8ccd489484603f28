// The examples of the documents, copied to where git can make a repository of them.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import { git } from './clones.ts'

export type Example = {
  readonly name: string
  /** How somebody sees that this machine can run its checks. */
  readonly toolchain: readonly string[]
  readonly file: string
  readonly line: string
  readonly same: string
  readonly broken: string
}
export const examples: readonly Example[] = [
  {
    name: 'typescript',
    toolchain: ['tsc', '--version'],
    file: 'src/price.ts',
    line: 'const full = cents * quantity',
    same: 'const full = quantity * cents',
    broken: 'const full = cents + quantity',
  },
  {
    name: 'python',
    toolchain: ['python', '-m', 'pytest', '--version'],
    file: 'shop/price.py',
    line: 'full = cents * quantity',
    same: 'full = quantity * cents',
    broken: 'full = cents + quantity',
  },
  {
    name: 'go',
    toolchain: ['go', 'version'],
    file: 'price.go',
    line: 'full := cents * quantity',
    same: 'full := quantity * cents',
    broken: 'full := cents + quantity',
  },
]

export const folderOf = (name: string): string => resolve('docs/examples', name)

export function hasToolchain([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** Not yet a repository. */
export function copyOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${name}-`))
  const isNotMade = (path: string): boolean => !/node_modules|__pycache__|\.pytest_cache/.test(path)
  cpSync(folderOf(name), folder, { recursive: true, filter: isNotMade })
  return folder
}

/** As it is before `countersign init`, with a `.git` in it. */
export function bareCopyOf(name: string): string {
  const folder = copyOf(name)
  rmSync(join(folder, '.github'), { recursive: true })
  if (!existsSync(join(folder, '.git'))) mkdirSync(join(folder, '.git'))
  return folder
}

export function repositoryOf(name: string): string {
  const folder = copyOf(name)
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'The example')
  return folder
}
