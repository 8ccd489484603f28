// `npm run gallery`: writes docs/gallery.md.
import { writeFile } from 'node:fs/promises'
import { gallery } from './gallery.ts'

const page = await gallery()
await writeFile(new URL('../../docs/gallery.md', import.meta.url), page)
console.log(`docs/gallery.md: ${page.match(/^## /gm)?.length ?? 0} states`)
