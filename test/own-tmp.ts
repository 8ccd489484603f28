// What tests write aside lies in a directory of the run, and goes with it.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Many times what a run has there at once. */
const BYTES_MIN = 4 * 1024 ** 3

export function setup(): () => void {
  const inMemory = process.env['TMPDIR'] === undefined && isRoomy(MEMORY) && runsPrograms(MEMORY)
  const directory = mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'countersign-tests-'))
  // Some run things as other users.
  chmodSync(directory, 0o1777)
  process.env['TMPDIR'] = directory
  return () => rmSync(directory, { recursive: true, force: true })
}

/** Stores and workspaces are made by the hundred, of a thousand small files each: a disk spends a second on each of them. */
function isRoomy(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize >= BYTES_MIN
  } catch {
    return false
  }
}

function runsPrograms(place: string): boolean {
  const program = join(place, `countersign-${process.pid}`)
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755, flag: 'wx' })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program, { force: true })
  }
}
