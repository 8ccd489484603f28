// What tests write aside lies in a directory of the run, and goes with it.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-tests-'))
  // Some run things as other users.
  await chmod(directory, 0o1777)
  process.env['TMPDIR'] = directory
  return () => rm(directory, { recursive: true, force: true })
}
