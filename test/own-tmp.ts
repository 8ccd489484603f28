// What tests write aside lies in a directory of the run, and goes with it.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Many times what a run has there at once. */
const BYTES_MIN = 4 * 1024 ** 3

export function setup(): () => void {
  const roomy = process.env['TMPDIR'] === undefined && hasRoom(MEMORY)
  let directory = aDirectory(roomy ? MEMORY : tmpdir())
  if (roomy && !runsPrograms(directory)) {
    rmSync(directory, { recursive: true })
    directory = aDirectory(tmpdir())
  }
  process.env['TMPDIR'] = directory
  return () => rmSync(directory, { recursive: true, force: true })
}

function aDirectory(place: string): string {
  const directory = mkdtempSync(join(place, 'countersign-tests-'))
  // Some run things as other users.
  chmodSync(directory, 0o1777)
  return directory
}

/** Stores and workspaces are made by the hundred, of a thousand small files each: a disk spends a second on each of them. */
function hasRoom(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize >= BYTES_MIN
  } catch {
    return false
  }
}

function runsPrograms(directory: string): boolean {
  const program = join(directory, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}
