import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { unoptimised } from './app/lab/a-clock.ts'

/**
 * What starts processes takes longest and begins first, so that at the end no core is left with nothing to do. Before it comes what
 * shares an App.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = [/\/test\/app\//, /\/test\/(action|cli|inbox|laws|store)\//, /./]
    const rank = ({ moduleId }: TestSpecification): number => ranks.findIndex((pattern) => pattern.test(moduleId))
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  root: process.cwd(),
  test: {
    include: ['test/**/*.test.ts'],
    // What takes long or needs a quiet machine is a run of its own: `npm run long`.
    exclude: ['test/**/*-long.test.ts'],
    // Nothing here is measured in time: a machine may be slow, or do something else meanwhile.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/own-tmp.ts', 'test/made-store.ts', 'test/compiled.ts'],
    // One more than the cores that it is made for: much of what is tested waits, and each has an App that has to get warm.
    maxWorkers: 3,
    execArgv: ['--liftoff-only', '--max-semi-space-size=32'],
    env: { NODE_OPTIONS: `--import=${unoptimised}` },
    sequence: { sequencer: LongestFirst },
    // Files of one worker share what they load: loading it anew for each is a sixth of all the time.
    isolate: false,
    // Node strips the types itself, as it does for the product. Vite's own runner makes each use of an import a call.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
