// Programs of the runner's own system, such as those that make a user, through the toolkit of the runner.
import { getExecOutput } from '@actions/exec'
import type { RunProgram } from '../src/checks/runner/guest.ts'

/** The name of a program is read as a command line, so it stands in quotes; nothing of it comes from others. */
export const systemProgram: RunProgram = async (program, args, { cwd, env }) => {
  const options = { cwd, env, silent: true, ignoreReturnCode: true }
  try {
    const { exitCode, stdout, stderr } = await getExecOutput(`"${program}"`, [...args], options)
    return { ok: exitCode === 0, text: stdout, trouble: stderr.trim() || `it ended with exit code ${exitCode}` }
  } catch (error) {
    return { ok: false, text: '', trouble: error instanceof Error ? error.message : String(error) }
  }
}
