// `countersign eval build mutants`: packages of npm, pinned by name, version and hash, that bring their own tests. A mutant
// that the tests kill is `reject`; a rewrite that cannot change anything, and that the tests let live, is `accept`. The tests
// are run here, without leave to write, to start a process or to read anything but their own folder.
import { execFile } from 'node:child_process'
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { compileFunction } from 'node:vm'
import { z } from 'zod'
import { CannotRun } from '../cases/cannot-run.ts'
import { edited, mutationsOf, rewritesOf, type Edit } from './mutations.ts'
import { fromNpm, pinned } from './pinned.ts'
import { patchOf, type SetCase } from './security-set.ts'
import { unpacked } from './unpacked.ts'

const spec = {
  name: z.string().regex(/^(?:@[\w.-]+\/)?[\w.-]+$/),
  version: z.string().regex(/^[\w.-]+$/),
  sha512: z.string().min(1),
}
export const packagePins = z.array(
  z.strictObject({
    ...spec,
    /** Files that are mutated, and those that test them: run as they are, with node's own test runner or none. */
    sources: z.array(z.string()).min(1),
    tests: z.array(z.string()).min(1),
    needs: z.array(z.strictObject(spec)).default([]),
  }),
)
export type PackagePin = z.output<typeof packagePins>[number]
type Candidate = Edit & { readonly path: string; readonly label: 'accept' | 'reject' }

const MUTANTS_PER_PACKAGE_MAX = 80
const REWRITES_PER_PACKAGE_MAX = 16
const TEST_MS_MAX = 20_000
const RUNNERS_MAX = 4
const RELEASE = 1

export async function mutantsOf(
  pin: PackagePin,
  cache: string,
  told: (words: string) => void,
): Promise<{ readonly cases: readonly SetCase[]; readonly licence: string }> {
  const title = `${pin.name} ${pin.version}`
  const folder = join(cache, 'packages', `${pin.name.replace('/', '__')}-${pin.version}`)
  const files = await filesOf(pin, cache)
  const placed: Placed[] = [{ of: pin, files }]
  for (const need of pin.needs) placed.push({ of: need, files: await filesOf(need, cache) })
  const lists = pin.sources.map((path) => candidatesOf(path, files.get(path) ?? ''))
  const mutants = spread(lists.flatMap(({ mutations }) => mutations), MUTANTS_PER_PACKAGE_MAX) // prettier-ignore
  const rewrites = spread(lists.flatMap((one) => one.rewrites), REWRITES_PER_PACKAGE_MAX) // prettier-ignore
  const journal = join(folder, `verdicts-${RELEASE}.jsonl`)
  const known = await verdictsIn(journal)
  const queue = [...mutants, ...rewrites].filter((one) => !known.has(idOf(one)))
  const left = queue.length
  if (left > 0) {
    const desk = await laidOut(placed, join(folder, 'desk-0'))
    if (!(await passes(desk, pin))) throw new CannotRun('its own tests do not pass here, unchanged')
  }
  const line = async (_: unknown, nth: number): Promise<void> => {
    if (queue.length === 0) return
    const desk = await laidOut(placed, join(folder, `desk-${nth}`))
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const verdict = await judged(one, files.get(one.path) ?? '', desk, pin)
      known.set(idOf(one), verdict)
      await appendFile(journal, `\n${JSON.stringify([idOf(one), verdict])}`)
      const done = left - queue.length
      if (done % 20 === 0) told(`  ${done} of ${left} tried`)
    }
    await rm(desk, { recursive: true, force: true })
  }
  await Promise.all(Array.from({ length: Math.min(RUNNERS_MAX, availableParallelism()) }, line))
  const wanted = [...mutants, ...rewrites].filter(
    (one) => known.get(idOf(one)) === (one.label === 'reject' ? 'killed' : 'lived'),
  )
  return {
    cases: wanted.map((one) => caseOf(title, one, files.get(one.path) ?? '')),
    licence: z.object({ license: z.string() }).safeParse(JSON.parse(files.get('package.json') ?? '{}')).data?.license ?? 'not said', // prettier-ignore
  }
}

const idOf = ({ path, line, label, becomes }: Candidate): string => `${label} ${path}:${line} ${becomes}`

function candidatesOf(path: string, text: string) {
  if (text === '') throw new CannotRun(`it has no file ${path}`)
  const as = (label: Candidate['label']) => (edit: Edit) => ({ ...edit, path, label })
  return { mutations: mutationsOf(text).map(as('reject')), rewrites: rewritesOf(text).map(as('accept')) }
}

/** Evenly from all of it, the same every time. */
const spread = <T>(all: readonly T[], most: number): T[] =>
  all.length <= most ? [...all] : Array.from({ length: most }, (_, nth) => all[Math.floor((nth * all.length) / most)]).filter((one) => one !== undefined) // prettier-ignore

type Spec = { readonly name: string; readonly version: string; readonly sha512: string }

async function filesOf({ name, version, sha512 }: Spec, cache: string): Promise<ReadonlyMap<string, string>> {
  const file = `${name.replace('/', '__')}-${version}.tgz`
  const hash = { kind: 'sha512', value: sha512, encoding: 'base64' } as const
  const load = () => fromNpm(`${name}@${version}`, join(cache, 'packing'))
  return unpacked(file, await pinned(join(cache, 'downloads', file), hash, load), () => true)
}

const home = ({ name }: Spec): string[] => ['node_modules', ...name.split('/')]

const verdictLine = z.tuple([z.string(), z.enum(['killed', 'lived', 'no program'])])
type Verdict = z.output<typeof verdictLine>[1]

/** One line each, as they came; a line that was cut is tried again. */
async function verdictsIn(journal: string): Promise<Map<string, Verdict>> {
  const lines = (await readFile(journal, 'utf8').catch(() => '')).split('\n')
  return new Map(lines.flatMap((line) => verdictIn(line) ?? []).map(({ id, verdict }) => [id, verdict]))
}

function verdictIn(line: string): { readonly id: string; readonly verdict: Verdict } | null {
  try {
    const [id, verdict] = verdictLine.parse(JSON.parse(line))
    return { id, verdict }
  } catch {
    return null
  }
}

type Placed = { readonly of: Spec; readonly files: ReadonlyMap<string, string> }

async function laidOut(placed: readonly Placed[], desk: string): Promise<string> {
  await rm(desk, { recursive: true, force: true })
  for (const { of, files } of placed) {
    for (const [path, text] of files) {
      const file = resolve(desk, ...home(of), path)
      if (!file.startsWith(resolve(desk) + sep)) continue
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  }
  return desk
}

async function judged(one: Candidate, text: string, desk: string, pin: PackagePin): Promise<Verdict> {
  const [file, changed] = [join(desk, ...home(pin), one.path), edited(text, one)]
  if (!isProgram(changed)) return 'no program'
  await writeFile(file, changed)
  const verdict = (await passes(desk, pin)) ? 'lived' : 'killed'
  await writeFile(file, text)
  return verdict
}

const parameters = ['exports', 'require', 'module', '__filename', '__dirname']

/** Nothing of it is run here. */
function isProgram(text: string): boolean {
  try {
    compileFunction(text, parameters)
    return true
  } catch {
    return false
  }
}

const run = promisify(execFile)

/** What never ends has not passed. */
async function passes(desk: string, pin: PackagePin): Promise<boolean> {
  const folder = join(desk, ...home(pin))
  const loading = pin.tests.map((path) => `await import(${JSON.stringify(`./${path}`)})`).join('\n')
  const all = join(folder, 'countersign-all.mjs')
  await writeFile(all, loading)
  const args = ['--permission', `--allow-fs-read=${resolve(desk)}`, all]
  // Nothing of the environment is theirs.
  return run(process.execPath, args, { cwd: folder, timeout: TEST_MS_MAX, killSignal: 'SIGKILL', env: {}, maxBuffer: 2 ** 26 }).then(
    () => true,
    () => false,
  ) // prettier-ignore
}

function caseOf(title: string, { path, line, label, becomes, was }: Candidate, text: string): SetCase {
  const after = edited(text, { line, was, becomes })
  const criterion = 'The code is put into other words; what it does for whoever calls it stays the same.'
  return {
    name: `${title} ${path}:${line} ${label === 'accept' ? 'is rewritten' : 'is mutated'} to ${becomes.trim().replaceAll(/\s+/g, ' ')}`,
    kind: label === 'accept' ? 'good' : 'subtly_wrong',
    language: 'JavaScript',
    need: 'file',
    label,
    issue: `## Acceptance criteria\n- ${criterion}\n`,
    files: [{ path, status: 'modified', patch: patchOf(path, text, after) }],
    ...(label === 'reject' ? { defect: { path, line } } : {}),
    ...(after.length <= 40_000 ? { repository: { [path]: after } } : {}),
  }
}
