// Writes the bundle to where `action.yml` looks for it.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { bundle } from './bundle.ts'

const files = await bundle()
await rm('action/dist', { recursive: true, force: true })
await mkdir('action/dist', { recursive: true })
for (const [path, contents] of files) await writeFile(path, contents)
