// Git in the checkout, as a program. It trusts a checkout of another user, which is what a job in a container has.
import { exec } from '@actions/exec'
import { ANSWER_BYTES_MAX, hookless, quietly, type Git } from '../src/checks/checkout/git.ts'
import { checkEnvironment, type Environment } from '../src/checks/runner/environment.ts'

const TROUBLE_LENGTH_MAX = 2_000
const always = ['-c', 'safe.directory=*', ...hookless]

export function gitIn(directory: string, environment: Environment): Git {
  const env = { ...checkEnvironment(environment), ...quietly }
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
