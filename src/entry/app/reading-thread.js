// A thread of the App that reads what others wrote. Like the process itself it begins with a file without types, since
// what strips types takes memory for good.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/countersign', import.meta.url)))
const [{ serveJobs }, { appJobs }] = await Promise.all([
  import('../../adapters/aside/serve-jobs.ts'),
  import('./jobs.ts'),
])
// What loading left behind is a third of what a thread holds while it has nothing to do.
globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
serveJobs(appJobs)
