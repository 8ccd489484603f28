// What dies at the wrong moment, waits for what comes late, fills a disk or a whole server, or is measured in time: nothing else
// runs beside it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: process.cwd(),
  test: {
    include: ['test/**/*-long.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/own-tmp.ts', 'test/made-store.ts'],
    fileParallelism: false,
  },
})
