// Git in the checkout, as a program: what it answers as bytes, since names of files may be anything. It asks nobody for
// a password, runs no hook, and trusts a checkout of another user, which is what a job in a container has.
import { exec } from '@actions/exec'
import { checkEnvironment, type Environment } from '../src/checks/runner/environment.ts'

export type GitAnswer = {
  readonly ok: boolean
  readonly bytes: Buffer
  /** Whether the answer was longer than anybody wants to hold. */
  readonly isCut: boolean
  readonly trouble: string
}
export type Git = (args: readonly string[], extra?: Readonly<Record<string, string>>) => Promise<GitAnswer>

const ANSWER_BYTES_MAX = 64 * 1024 * 1024
const TROUBLE_LENGTH_MAX = 2_000
const always = ['-c', 'safe.directory=*', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

export function gitIn(directory: string, environment: Environment): Git {
  const env = { ...checkEnvironment(environment), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  return async (args, extra = {}) => {
    const parts: Buffer[] = []
    let size = 0
    let trouble = ''
    const listeners = {
      stdout: (bytes: Buffer) => {
        size += bytes.length
        if (size <= ANSWER_BYTES_MAX) parts.push(bytes)
      },
      stderr: (bytes: Buffer) => {
        if (trouble.length < TROUBLE_LENGTH_MAX) trouble += bytes.toString('utf8')
      },
    }
    const options = { cwd: directory, env: { ...env, ...extra }, silent: true, ignoreReturnCode: true, listeners }
    const code = await exec('git', [...always, ...args], options)
    return { ok: code === 0, bytes: Buffer.concat(parts), isCut: size > ANSWER_BYTES_MAX, trouble: trouble.trim() }
  }
}

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
