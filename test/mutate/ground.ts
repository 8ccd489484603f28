// What is mutated, and by which tests it is judged: those of the rules, which run in one process and in milliseconds.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { instrument, type Mutant } from './mutants.ts'

export const ground = z.object({ sources: z.array(z.string()), tests: z.array(z.string()) })
export type Ground = z.output<typeof ground>

/** Whole processes and figures of speed are no judges: they take long, or they fail for what else the machine does. */
const noJudges = /\/(validate|speed)\.test\.ts$/

export function ourGround(): Ground {
  const found = (pattern: string) => globSync(pattern).sort()
  const folders = ['people', 'decision', 'verifier', 'vision', 'words', 'scenarios', 'contract', 'engine', 'eval']
  const tests = ['store/upcast.test.ts', ...folders.map((folder) => `${folder}/**/*.test.ts`)].flatMap((path) =>
    found(`test/${path}`),
  )
  return {
    sources: ['core/decision', 'core/people', 'verifier'].flatMap((folder) => found(`src/${folder}/**/*.ts`)),
    tests: [
      'test/mutate/table-cases.ts',
      'test/mutate/history-cases.ts',
      ...tests.filter((path) => !noJudges.test(path)),
    ],
  }
}

export type Placed = Mutant & { readonly file: string }
export type Planted = {
  /** What to run in place of each file, by its absolute path. */
  readonly texts: ReadonlyMap<string, string>
  readonly mutants: readonly Placed[]
}

/** The same in every process that is given the same files. */
export function plant({ sources }: Ground): Planted {
  const texts = new Map<string, string>()
  const mutants: Placed[] = []
  for (const file of sources) {
    const made = instrument(readFileSync(file, 'utf8'), mutants.length)
    texts.set(resolve(file), made.text)
    mutants.push(...made.mutants.map((mutant) => ({ ...mutant, file })))
  }
  return { texts, mutants }
}
