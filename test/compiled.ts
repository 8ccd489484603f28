// The App's compiled code, made once before a suite begins: in a clean clone the Apps that start first would each strip all types.
// It is of use only under the flags under which it was made, so this is for runs whose Apps do not optimise.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { unoptimised } from './app/lab/a-clock.ts'

export async function setup(): Promise<void> {
  const env = { ...process.env, NODE_OPTIONS: `--import=${unoptimised}` }
  await promisify(execFile)(process.execPath, ['src/entry/app/main.js', 'compile'], { env })
}
