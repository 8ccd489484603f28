// `npm start`: how the process is to run, settled before anything is loaded into it. That takes a file without types, which
// nothing has to strip.
import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// Compiled code is kept between starts: the next one is faster and does without what strips types.
enableCompileCache()

// Beside a database server the process is small and stays so: its young generation does not grow with what is loaded, and
// the WebAssembly in `fetch` is optimised only if it is hot. The embedded database is WebAssembly itself and wants both.
const { processEnvironment } = await import('../environment.ts')
if (processEnvironment()['DATABASE_URL']) {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--wasm-tiering-budget=1000000000')
}
await import('./serve.ts')
