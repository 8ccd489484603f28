// Who may open a directory where it takes a while to see that nobody holds it.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockDirectory } from '../../src/adapters/store/embedded/lock.ts'
import { heldByNamesake } from './held-elsewhere.ts'
import { temporaryDirectory } from './opened.ts'

const { directory, remove } = temporaryDirectory()
afterAll(remove)

test(
  'a lock of another machine of the same name is taken over when it was silent for a while',
  { timeout: 40_000 },
  async () => {
    const home = join(directory, 'home')
    mkdirSync(home)
    const child = await heldByNamesake(home)
    await child.kill()
    const release = await lockDirectory(home)
    expect(readdirSync(home)).toContain('lock')
    release()
    expect(readdirSync(home)).toEqual([])
  },
)
