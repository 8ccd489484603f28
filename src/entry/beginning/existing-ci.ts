// Jobs that already report for every pull request, as the repository's own workflows say: each can be adopted as a check
// instead of being run a second time. What is not certain to report each time would keep pull requests waiting for ever.
import { parse } from 'yaml'
import { z } from 'zod'
import { jobsOf } from '../../adapters/github/results/workflow-file.ts'

export type Adoptable = { readonly job: string; readonly workflow: string }
export type Ci = {
  readonly adoptable: readonly Adoptable[]
  /** Workflows of pull requests that are left out, each with the reason. */
  readonly left: readonly { readonly workflow: string; readonly why: string }[]
}

const file = z.object({
  on: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())]),
  jobs: z.record(z.string(), z.record(z.string(), z.unknown())),
})
const filters = z.object({ paths: z.unknown(), 'paths-ignore': z.unknown(), branches: z.unknown() }).partial()

/** Workflows by their name in `.github/workflows`. */
export function existingCi(workflows: ReadonlyMap<string, string>): Ci {
  const adoptable: Adoptable[] = []
  const left: { workflow: string; why: string }[] = []
  for (const [workflow, text] of workflows) {
    const { data } = file.safeParse(yamlIn(text))
    if (data === undefined || !isOfPulls(data.on)) continue
    const why = isFiltered(data.on) ? 'it runs for some pull requests only' : null
    const steady = Object.entries(data.jobs).filter(([, job]) => job['if'] === undefined && job['uses'] === undefined)
    const names = why === null ? namesOf(Object.fromEntries(steady)) : []
    adoptable.push(...names.map((job) => ({ job, workflow })))
    if (names.length === 0) left.push({ workflow, why: why ?? 'no job of it has a name of its own and runs each time' })
  }
  return { adoptable, left }
}

/** As GitHub will call them; a name that is worked out when it runs cannot be asked for. */
const namesOf = (jobs: Readonly<Record<string, unknown>>): readonly string[] =>
  jobsOf({ jobs }).flatMap(({ name }) => name ?? [])

type On = z.output<typeof file>['on']

const isOfPulls = (on: On): boolean =>
  typeof on === 'string'
    ? on === 'pull_request'
    : Array.isArray(on)
      ? on.includes('pull_request')
      : 'pull_request' in on

const isFiltered = (on: On): boolean => {
  if (typeof on === 'string' || Array.isArray(on)) return false
  const { data } = filters.safeParse(on['pull_request'])
  return data !== undefined && Object.values(data).some((one) => one !== undefined)
}

function yamlIn(text: string): unknown {
  try {
    return parse(text, { schema: 'core', version: '1.2' })
  } catch {
    return undefined
  }
}
