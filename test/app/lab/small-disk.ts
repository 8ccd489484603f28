// A disk of a few megabytes, where this process may mount one, and something that lies on it and takes all the room.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  readonly path: string
  /** Takes all room but so much. */
  readonly fill: (leftBytes?: number) => void
  readonly clear: () => void
  readonly remove: () => void
}

const STEP_BYTES = 64 * 1024

export function smallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'countersign-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: (leftBytes = 0) => {
      const step = Buffer.alloc(STEP_BYTES)
      try {
        for (;;) appendFileSync(ballast, step)
      } catch {
        // Of the last one as much was written as there was room for.
        truncateSync(ballast, Math.max(0, statSync(ballast).size - leftBytes))
      }
    },
    clear: () => rmSync(ballast),
    remove: () => {
      execFileSync('umount', ['-l', path])
      rmdirSync(path)
    },
  }
}

/** In a container without privileges, for example, there is no way to have one. */
export const hasSmallDisks = ((): boolean => {
  try {
    smallDisk(1).remove()
    return true
  } catch {
    return false
  }
})()
