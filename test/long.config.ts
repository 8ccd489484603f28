// What dies at the wrong moment, waits for what comes late, fills a disk or a whole server, or is measured in time: nothing else
// runs beside it. And all the cases of what the suite tries a share of.
import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const hasMoreCases = (file: string): boolean => readFileSync(file, 'utf8').includes("/depth.ts'")

export default defineConfig({
  root: process.cwd(),
  test: {
    include: ['test/**/*-long.test.ts', ...globSync('test/**/*.test.ts').filter(hasMoreCases)],
    env: { TEST_DEPTH: 'all' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/own-tmp.ts', 'test/made-store.ts'],
    fileParallelism: false,
  },
})
