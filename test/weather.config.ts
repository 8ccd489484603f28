// What databases do to the App, for minutes and to whole servers: nothing else runs beside it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: process.cwd(),
  test: {
    include: ['test/app/*-weather.test.ts'],
    testTimeout: 60_000,
    globalSetup: 'test/made-store.ts',
    fileParallelism: false,
  },
})
