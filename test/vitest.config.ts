import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: process.cwd(),
  test: {
    include: ['test/**/*.test.ts'],
    // What changes a whole server, or waits for minutes, is a run of its own: `npm run weather`.
    exclude: ['test/app/*-weather.test.ts'],
    testTimeout: 20_000,
    globalSetup: 'test/made-store.ts',
    // One more than the cores that it is made for: much of what is tested waits.
    maxWorkers: 3,
    execArgv: ['--liftoff-only'],
    env: { NODE_OPTIONS: `--import=${pathToFileURL('test/unoptimised.js').href}` },
    // Files of one worker share what they load: loading it anew for each is a sixth of all the time.
    isolate: false,
  },
})
