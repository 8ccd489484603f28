// The text of a workflow or of an action, as far as it says what runs there: jobs with what they call or the steps that
// they take. What cannot be read, and what GitHub itself would not take, such as merge keys, says nothing.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
import { parse } from 'yaml'
import { z } from 'zod'

const TEXT_LENGTH_MAX = 256 * 1024

const input = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish()
const step = z
  .object({
    uses: z.string().optional(),
    with: z.object({ path: input, repository: input, ref: input, check: input }).nullish().catch(null),
    run: z.unknown().optional(),
    if: z.unknown().optional(),
    'continue-on-error': z.unknown().optional(),
  })
  .transform(({ run, if: condition, 'continue-on-error': tolerated, ...rest }) => ({
    ...rest,
    /** It runs a command. */
    commands: run !== undefined,
    /** It runs, and where it fails, so does what it is a step of. */
    certain: condition === undefined && isFalse(tolerated),
  }))
export type Step = z.output<typeof step>

/** What is left out, and what says so in plain words. */
const isFalse = (value: unknown): boolean => value === undefined || value === false

const job = z.object({
  name: z.unknown().optional(),
  strategy: z.unknown().optional(),
  uses: z.string().optional(),
  steps: z.array(step).optional(),
  'continue-on-error': z.unknown().optional(),
})
const workflow = z.object({ jobs: z.record(z.string(), job) })

/** A job as it runs: of a matrix, one for each combination. */
export type WorkflowJob = {
  /** What GitHub calls it, or null where that is worked out when it runs. */
  readonly name: string | null
  /** The workflow that it calls. */
  readonly calls: string | null
  readonly steps: readonly Step[]
  /** Where a step of it fails, so does the run. */
  readonly certain: boolean
}

/** More than a run may have. */
const JOBS_MAX = 2_000

export const jobsIn = (text: string): readonly WorkflowJob[] => jobsOf(yamlIn(text))

export function jobsOf(file: unknown): readonly WorkflowJob[] {
  const reading = workflow.safeParse(file)
  if (!reading.success) return []
  const jobs: WorkflowJob[] = []
  for (const [key, { name, strategy, uses = null, steps = [], ...rest }] of Object.entries(reading.data.jobs)) {
    const shared = { calls: uses, certain: isFalse(rest['continue-on-error']) }
    const all = combinations(strategy)
    // What cannot be unfolded stands as one that nobody can name.
    if (all === null || jobs.length + all.length > JOBS_MAX) jobs.push({ ...shared, name: null, steps })
    else
      for (const values of all)
        jobs.push({ ...shared, name: nameOf(key, name, values), steps: filledIn(steps, values) })
  }
  return jobs
}

/** The values of one combination, in the order of the matrix; empty where there is none. */
type Values = readonly (readonly [key: string, value: string])[]

const valuesOfKey = z
  .array(z.union([z.string(), z.number(), z.boolean()]).transform(String))
  .min(1)
  .max(JOBS_MAX)
const matrixOf = z.object({ matrix: z.record(z.string(), valuesOfKey).optional() })

/** Null where the text does not say them in plain lists. */
function combinations(strategy: unknown): readonly Values[] | null {
  if (strategy === undefined || strategy === null) return [[]]
  const reading = matrixOf.safeParse(strategy)
  if (!reading.success) return null
  let all: Values[] = [[]]
  for (const [key, values] of Object.entries(reading.data.matrix ?? {})) {
    if (key === 'include' || key === 'exclude' || values.some(isWorkedOut)) return null
    if (all.length * values.length > JOBS_MAX) return null
    all = all.flatMap((one) => values.map((value): Values => [...one, [key, value]]))
  }
  return all
}

const isWorkedOut = (text: string): boolean => text.includes('${{')

/** GitHub cuts longer names. */
const NAME_LENGTH_MAX = 100

/** A name without an expression gets the values of the matrix behind it. */
function nameOf(key: string, given: unknown, values: Values): string | null {
  if (given !== undefined && typeof given !== 'string') return null
  const own = given ?? key
  const shown = values.map(([, value]) => value).join(', ')
  const name = isWorkedOut(own) ? withValues(own, values) : shown === '' ? own : `${own} (${shown})`
  return isWorkedOut(name) || name.length > NAME_LENGTH_MAX ? null : name
}

const withValues = (text: string, values: Values): string =>
  text.replaceAll(/\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g, (whole, key: string) => {
    return values.find(([known]) => known === key)?.[1] ?? whole
  })

const filledIn = (steps: readonly Step[], values: Values): readonly Step[] =>
  values.length === 0
    ? steps
    : steps.map((step) => {
        const { with: inputs } = step
        const check = inputs?.check
        return check && isWorkedOut(check) ? { ...step, with: { ...inputs, check: withValues(check, values) } } : step
      })

const action = z.object({
  name: z.string().optional(),
  runs: z.object({ main: z.string().optional(), steps: z.array(step).optional() }),
})
export type Manifest = z.output<typeof action>

export function manifestIn(text: string): Manifest | null {
  return action.safeParse(yamlIn(text)).data ?? null
}

/** Aliases are followed, as GitHub does, but not as far as they may be multiplied. */
function yamlIn(text: string): unknown {
  if (text.length > TEXT_LENGTH_MAX || !/\buses\b|\bmain\b/.test(text)) return null
  try {
    return parse(text, { maxAliasCount: 50 })
  } catch {
    return null
  }
}
