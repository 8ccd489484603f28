// `countersign eval build`: large labelled sets, made on this machine from what others published. They go into a cache folder
// and nowhere else; each part that is done stays done.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { visible } from '../../../core/visible.ts'
import { CASES_MAX } from '../../../engine/verify/eval-set.ts'
import { givenEnvironment } from '../../environment.ts'
import { CannotRun } from '../cases/cannot-run.ts'
import type { ExitCode, Io } from '../common/cli-command.ts'
import { wrongOption } from '../common/wrong-option.ts'
import { mutantsOf, packagePins } from './mutants.ts'
import shippedPackages from './package-pins.json' with { type: 'json' }
import { keep } from './pinned.ts'
import { caseOfReview, nameOf, reviewsIn } from './reviews.ts'
import { securityOf, sourcePins, type Built } from './security.ts'
import shippedSources from './source-pins.json' with { type: 'json' }

const sets = ['mutants', 'reviews', 'security'] as const
type SetName = (typeof sets)[number]
type Wish = {
  readonly set: SetName
  readonly cache: string
  readonly mirror: string | null
  /** A list of their own in place of ours. */
  readonly pins: string | null
  /** Of reviewed pull requests: the file that lists them, and where their repositories are. */
  readonly from: string | null
  readonly clones: string | null
}
type Step = { readonly title: string; readonly make: () => Promise<Built> }

export async function build(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign eval build: ${wish}. \`countersign eval --help\` says what there is.`)
    return 2
  }
  try {
    const steps = await stepsOf(wish, io)
    const made: (Built & { readonly title: string })[] = []
    for (const [index, { title, make }] of steps.entries()) {
      io.err(`${index + 1} of ${steps.length}: ${title}`)
      const one = await make().catch(passedOver)
      if (one instanceof CannotRun) io.err(`left out: ${title}: ${one.message}.`)
      else made.push({ title, ...one })
    }
    io.out(await written(wish, made))
    return made.length === steps.length ? 0 : 1
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    io.err(`countersign eval build: ${error.message}.`)
    return 2
  }
}

/** One package that cannot be had keeps nobody from the others. */
function passedOver(error: unknown): CannotRun {
  if (error instanceof CannotRun) return error
  throw error
}

function wishIn(args: readonly string[]): Wish | string {
  const word = { type: 'string' } as const
  try {
    const options = { cache: word, mirror: word, pins: word, from: word, clones: word } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [given, ...more] = positionals
    const set = sets.find((name) => name === given)
    if (set === undefined || more.length > 0) return `what can be built is ${sets.join(', ')}`
    const { cache = defaultCache(), mirror = null, pins = null, from = null, clones = null } = values
    if (mirror !== null && set !== 'security') return '--mirror is for source packages, which `security` is made of'
    if ((set === 'reviews') !== (from !== null && clones !== null))
      return '--from FILE and --clones FOLDER are needed for `reviews`, and for nothing else'
    if (mirror !== null && !/^https?:\/\/\S+$/.test(mirror)) return '--mirror is a web address'
    return { set, cache: resolve(cache), mirror, pins, from, clones }
  } catch (error) {
    return wrongOption(error, ['cache', 'mirror', 'pins', 'from', 'clones', 'help'])
  }
}

const defaultCache = (): string =>
  join(givenEnvironment()['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'countersign', 'eval')

async function stepsOf({ set, cache, mirror, pins, from, clones }: Wish, io: Io): Promise<Step[]> {
  if (from !== null && clones !== null) {
    return (await reviewsIn(from)).map((review) => {
      const make = async (): Promise<Built> => {
        const one = await caseOfReview(review, clones)
        return { cases: one === null ? [] : [one], licence: 'that of its repository' }
      }
      return { title: nameOf(review), make }
    })
  }
  if (set === 'mutants') {
    const packages = await pinsOf(pins, packagePins, shippedPackages)
    return packages.map((pin) => {
      return { title: `${pin.name} ${pin.version}`, make: () => mutantsOf(pin, cache, io.err) }
    })
  }
  const list = await pinsOf(pins, sourcePins, shippedSources)
  return list.map((pin) => {
    return { title: `${pin.name} ${pin.version}`, make: () => securityOf(pin, mirror, cache) }
  })
}

async function pinsOf<Pins>(file: string | null, shape: z.ZodType<Pins>, shipped: unknown): Promise<Pins> {
  if (file === null) return shape.parse(shipped)
  try {
    return shape.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CannotRun(`cannot use ${visible(file)} as a list of packages: ${why.replace(/\.$/, '')}`)
  }
}

async function written({ set, cache }: Wish, made: readonly (Built & { readonly title: string })[]): Promise<string> {
  const cases = made.flatMap((one) => one.cases).slice(0, CASES_MAX)
  if (cases.length === 0) throw new CannotRun('none of the packages gave a case, so that there is no set')
  const [file, licences] = [join(cache, `${set}.json`), join(cache, `${set}-licences.txt`)]
  const used = made.filter((one) => one.cases.length > 0)
  await keep(file, JSON.stringify({ cases }))
  await keep(licences, `${used.map(({ title, licence }) => `${title}: ${licence}`).join('\n')}\n`)
  const count = (label: string): number => cases.filter((one) => one.label === label).length
  const languages = new Set(cases.map(({ language }) => language))
  return [
    `${cases.length} cases of ${used.length} packages in ${languages.size} languages (${[...languages].toSorted().join(', ')}): ` +
      `${count('accept')} accept, ${count('reject')} reject.`,
    `The set is ${file}, the licences of what is in it are in ${licences}. Measure with`,
    `  countersign eval ${file}`,
  ].join('\n')
}
