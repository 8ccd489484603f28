// Runs the command line as a process, as a user does.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string; readonly ms: number }

export const entry = resolve(import.meta.dirname, '../../src/entry/cli/main.ts')

export function countersign(
  args: readonly string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const started = performance.now()
  const cwd = options.cwd ?? process.cwd()
  // The tests are run by npm as well, and are not who asks.
  const env = { ...process.env, INIT_CWD: cwd, ...options.env }
  const child = spawn(process.execPath, [entry, ...args], { cwd, env, stdio: 'pipe' })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  child.stdin.end(options.input ?? '')
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => done({ code, out, err, ms: performance.now() - started }))
  })
}
