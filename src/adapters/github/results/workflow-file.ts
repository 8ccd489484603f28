// The text of a workflow or of an action, as far as it says what runs there: jobs with what they call or the steps that
// they take. What cannot be read, and what GitHub itself would not take, such as merge keys, says nothing.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
import { parse } from 'yaml'
import { z } from 'zod'

const TEXT_LENGTH_MAX = 256 * 1024

/** Where the texts are read; null where one takes more time or memory than it may. */
export type WorkflowReading = {
  readonly jobs: (text: string) => Promise<readonly WorkflowJob[] | null>
  readonly manifest: (text: string) => Promise<Manifest | null>
}

export const readHere: WorkflowReading = {
  jobs: async (text) => jobsIn(text),
  manifest: async (text) => manifestIn(text),
}

const input = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish()
const step = z.object({
  uses: z.string().optional(),
  with: z.object({ path: input, repository: input, ref: input }).nullish().catch(null),
})
export type Step = z.output<typeof step>

const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      name: z.unknown().optional(),
      strategy: z.unknown().optional(),
      uses: z.string().optional(),
      steps: z.array(step).optional(),
    }),
  ),
})
export type WorkflowJob = {
  /** What GitHub calls it, or null where that is worked out when it runs. */
  readonly name: string | null
  /** The workflow that it calls. */
  readonly calls: string | null
  readonly steps: readonly Step[]
}

export function jobsIn(text: string): readonly WorkflowJob[] {
  const reading = workflow.safeParse(yamlIn(text))
  if (!reading.success) return []
  return Object.entries(reading.data.jobs).map(([key, { name = key, strategy, uses = null, steps = [] }]) => {
    const isPlain = strategy === undefined && typeof name === 'string' && !name.includes('${{')
    return { name: isPlain ? name : null, calls: uses, steps }
  })
}

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
