// The files through which a step speaks to its runner: outputs, variables and paths for later steps, the page. A check is
// not told where they are, but it could look; so whatever stands in them when the checks are over is thrown away, and
// each becomes a new file, which nobody has open. We write to none of them before.
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'

const { O_WRONLY, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants

export async function startAfresh(files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      await rm(file, { recursive: true, force: true })
      await (await open(file, 'wx')).close()
    } catch {
      // Where the folder is somebody else's, the file is at least emptied.
      await emptied(file)
    }
  }
}

async function emptied(file: string): Promise<void> {
  const handle = await open(file, O_WRONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0))
  try {
    if (!(await handle.stat()).isFile()) throw new Error('A file of the runner is no file any more')
  } finally {
    await handle.close()
  }
  await (await open(file, O_WRONLY | O_TRUNC | (O_NOFOLLOW ?? 0))).close()
}
