// The files of one commit in one file on disk, one behind the other. No name of theirs becomes a name here, nothing of it can
// be run, and the file has no name itself: it is gone when whoever reads it lets go of it, also by dying.
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Kept = { readonly path: string; readonly offset: number; readonly size: number }
/** Read from any thread of this process by its number, until it is closed. */
export type PackFile = {
  readonly fd: number
  readonly append: (bytes: Uint8Array) => Promise<void>
  /** What was appended can be read from here on. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Tens of thousands of small files are not written one by one. */
const HELD_BYTES_MAX = 256 * 1024

export async function packFile(): Promise<PackFile> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-files-'))
  const gone = (): Promise<void> => rm(directory, { recursive: true, force: true })
  try {
    const file = await open(join(directory, 'files'), 'wx+', 0o600)
    // Where a file cannot lose its name while it is open, it does afterwards.
    await gone().catch(() => undefined)
    let held: Uint8Array[] = []
    let bytesHeld = 0
    const flush = async (): Promise<void> => {
      const bytes = Buffer.concat(held)
      held = []
      bytesHeld = 0
      let done = 0
      while (done < bytes.length) done += (await file.write(bytes, done)).bytesWritten
    }
    return {
      fd: file.fd,
      flush,
      append: async (bytes) => {
        held.push(bytes)
        bytesHeld += bytes.length
        if (bytesHeld >= HELD_BYTES_MAX) await flush()
      },
      close: async () => {
        await file.close()
        await gone().catch(() => undefined)
      },
    }
  } catch (error) {
    await gone().catch(() => undefined)
    throw error
  }
}
