// `npm start`: how the process is to run, settled before anything is loaded into it. That takes a file without types, which
// nothing has to strip.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Room for young objects: with one megabyte V8 looks at them so often that this takes more than a quarter of all computing under
// load; with its own limit, sixteen, it takes more memory and is no faster.
const youngAtMost = '--max-semi-space-size=8'
const youngStaysSmall = '--semi-space-growth-factor=1'
const youngMayGrow = '--semi-space-growth-factor=2'

// What was freed glibc keeps for later, and the more the larger the pieces were: WebAssembly, once it is compiled, leaves tens of
// megabytes behind. It gives them back where it is told from which size on. That, how large its heap may be and that it may be
// cleared on request, a process reads as it begins, so this one begins once more, under its own number. Other libraries do not
// know the word.
const givesBack = 'MALLOC_TRIM_THRESHOLD_'
if (process.platform === 'linux' && process.env[givesBack] === undefined) {
  const words = [process.execPath, youngAtMost, '--expose-gc', ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, words, { ...process.env, [givesBack]: String(128 * 1024) })
}

// Whatever this process writes is for its own user: keys, the record of every decision, the socket of the operator.
process.umask(0o077)
// Node would open its inspector, to which every program of this machine can connect, and run what it is told there.
process.on('SIGUSR1', () => {})

// Compiled code is kept between starts, among the packages: in the folder for temporary files, where it goes by itself,
// others could put some. What strips types takes memory for good, so the first start leaves that to another process.
const folder = fileURLToPath(new URL('../../../node_modules/.cache/countersign', import.meta.url))
const isFirst = !existsSync(folder)
const { status } = enableCompileCache(folder)
const onlyCompiles = process.argv[2] === 'compile'
if (isFirst && status === constants.compileCacheStatus.ENABLED) {
  spawnSync(process.execPath, [...process.execArgv, import.meta.filename, 'compile'])
}

// Beside a database server the process is small: its young generation does not grow with what is loaded, only with work, and
// the WebAssembly in `fetch` is optimised only if it is hot. The embedded database is WebAssembly itself, and starts on both.
const { processEnvironment } = await import('../environment.ts')
if (processEnvironment()['DATABASE_URL']) {
  setFlagsFromString(youngStaysSmall)
  setFlagsFromString('--wasm-tiering-budget=1000000000')
}

const { serve } = await import('./serve.ts')
if (!onlyCompiles) {
  await serve()
  // What loading left behind would stay until there is work, and a small process may wait for that for days.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString(youngMayGrow)
}
