// A process that judges mutants: it loads the code with all of them, finds out which test reaches which, and runs those
// with one switched on until one fails. A test that also fails without the mutant is no judge any more.
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Suite from './suite.ts'
import { ground, plant } from './ground.ts'
import { order, type Answer } from './messages.ts'

/** What each law tries, always the same, so that only the code can make a difference. */
const RUNS_MAX = 60
/** Some mutants wait for what never comes. */
const TEST_MS_MAX = 5_000

const { sources, tests, alone, left_out } = order.parse(JSON.parse(process.argv[2] ?? ''))
const { texts } = plant(ground.parse({ sources, tests }))
const suiteUrl = new URL('suite.ts', import.meta.url).href

let active = alone ?? -1
let reached = new Set<number>()
Object.assign(globalThis, {
  __mutant: (id: number): boolean => {
    reached.add(id)
    return id === active
  },
})

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'vitest' && context.parentURL !== suiteUrl) return { url: suiteUrl, shortCircuit: true }
    const found = next(specifier, context)
    const isTheirs = specifier === 'fast-check' && context.parentURL?.includes('?') !== true
    return isTheirs ? { ...found, url: `${found.url}?fewer` } : found
  },
  load: (url, context, next) => {
    if (url.endsWith('?fewer')) return { format: 'module', source: fewerRuns(url), shortCircuit: true }
    const text = url.startsWith('file:') ? texts.get(fileURLToPath(url)) : undefined
    if (text === undefined) return next(url, context)
    return { format: 'module', source: stripTypeScriptTypes(text), shortCircuit: true }
  },
})

const fewerRuns = (url: string): string =>
  [
    `import real from ${JSON.stringify(url.replace('?fewer', ''))}`,
    `const few = ({ numRuns = 100, ...rest } = {}) => ({ seed: 42, ...rest, numRuns: Math.min(numRuns, ${RUNS_MAX}), endOnFailure: true })`,
    'export const assert = (property, parameters) => real.assert(property, few(parameters))',
    `export * from ${JSON.stringify(url.replace('?fewer', ''))}`,
    'export default { ...real, assert }',
  ].join(';')

const send = (answer: Answer): void => void process.send?.(answer)

type Judge = { readonly run: Suite.Collected; readonly reaches: ReadonlySet<number>; readonly ms: number }

const { collected, prepare, runTest }: typeof Suite = await import(suiteUrl)
const load = async (path: string): Promise<ReadonlySet<number>> => {
  reached = new Set()
  await import(pathToFileURL(resolve(path)).href)
  return reached
}
const constants = new Set<number>()
for (const path of sources) for (const id of await load(path)) constants.add(id)
/** Which mutants a file of tests reaches when it is loaded, before any test of it runs. */
const atLoad = new Map<string, ReadonlySet<number>>()
for (const path of tests) atLoad.set(path, await load(path))
await prepare()
const judges = alone === null ? await judgesAmong(collected) : []

/** Twice, since a test that lives on what it did before says nothing. The fastest come first. */
async function judgesAmong(all: readonly Suite.Collected[]): Promise<Judge[]> {
  const found: Judge[] = []
  for (const run of all) {
    reached = new Set()
    const start = performance.now()
    if (!(await passes(run))) continue
    found.push({ run, reaches: reached, ms: performance.now() - start })
  }
  const again: Judge[] = []
  for (const judge of found) if (await passes(judge.run)) again.push(judge)
  return again.sort((one, other) => one.ms - other.ms)
}

async function passes(run: Suite.Collected): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), TEST_MS_MAX)
  const done = runTest(run).then(
    () => true,
    () => false,
  )
  const passed = await Promise.race([done, late.promise])
  clearTimeout(timer)
  return passed
}

async function judge(id: number): Promise<Answer> {
  for (const [index, { run, reaches }] of judges.slice().entries()) {
    if (!reaches.has(id)) continue
    send({ next_test: run.name })
    active = id
    const passed = await passes(run)
    active = -1
    if (passed) continue
    if (await passes(run)) return { id, outcome: 'killed', by: run.name }
    judges.splice(judges.findIndex((one) => one.run === run) ?? index, 1)
  }
  const concerned = constants.has(id) ? tests : tests.filter((path) => atLoad.get(path)?.has(id))
  return concerned.length > 0 ? { id, loaded_by: concerned } : { id, outcome: 'survived', by: null }
}

async function judgeAlone(id: number): Promise<Answer> {
  for (const run of collected) {
    if (!left_out.includes(run.name) && !(await passes(run))) return { id, outcome: 'killed', by: run.name }
  }
  return { id, outcome: 'survived', by: null }
}

if (alone === null) {
  process.on('message', (id: unknown) => {
    if (typeof id === 'number') judge(id).then(send, () => process.exit(1))
  })
  const names = new Set(judges.map(({ run }) => run.name))
  send({ ready: judges.length, left_out: collected.map(({ name }) => name).filter((name) => !names.has(name)) })
} else send(await judgeAlone(alone))
