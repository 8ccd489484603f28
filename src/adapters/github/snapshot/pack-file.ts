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
  readonly close: () => Promise<void>
}

export async function packFile(): Promise<PackFile> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-files-'))
  const gone = (): Promise<void> => rm(directory, { recursive: true, force: true })
  try {
    const file = await open(join(directory, 'files'), 'wx+', 0o600)
    // Where a file cannot lose its name while it is open, it does afterwards.
    await gone().catch(() => undefined)
    return {
      fd: file.fd,
      append: async (bytes) => {
        for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten
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
