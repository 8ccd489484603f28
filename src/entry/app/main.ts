// `npm start`. Compiled code is kept between starts, which makes the next one faster and spares the memory of what strips
// types; it has to be asked for before anything else is loaded.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./serve.ts')
