// Clones that git itself made, for what the command line says of them.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Files = Readonly<Record<string, string>>
export const policyPath = '.github/countersign.yml'

export function git(cwd: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
}

export async function write(cwd: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true })
    await writeFile(join(cwd, path), text)
  }
}

export async function commit(cwd: string, files: Files): Promise<void> {
  await write(cwd, files)
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '--allow-empty', '-m', 'A step')
}

/** A repository with `main`, and a branch `work` that is checked out. */
export async function branchOf(base: Files, change: Files): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-clone-'))
  git(cwd, 'init', '-q', '-b', 'main')
  await commit(cwd, base)
  git(cwd, 'checkout', '-q', '-b', 'work')
  await commit(cwd, change)
  return cwd
}
