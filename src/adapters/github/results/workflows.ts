// Which workflows of a branch run the Action. Only the tip of the base is asked: a change cannot name its own judge.
import { parse } from 'yaml'
import { z } from 'zod'
import type { Access } from '../access.ts'
import { fileAt } from '../file-at.ts'
import { orMissing } from '../status.ts'

const FILES_MAX = 50
const FILE_BYTES_MAX = 256 * 1024

const listing = z.array(z.object({ name: z.string(), path: z.string(), type: z.string(), size: z.number().default(0) }))
const step = z.object({ uses: z.string().optional() })
const workflow = z.object({
  jobs: z.record(z.string(), z.object({ uses: z.string().optional(), steps: z.array(step).optional() })),
})

export async function actionWorkflows({ octokit, place }: Access, branch: string): Promise<readonly string[]> {
  const folder = await orMissing(octokit.rest.repos.getContent({ ...place, path: '.github/workflows', ref: branch }))
  const entries = listing.safeParse(folder?.data)
  if (!entries.success) return []
  const files = entries.data
    .filter(({ name, type, size }) => type === 'file' && /\.ya?ml$/.test(name) && size <= FILE_BYTES_MAX)
    .slice(0, FILES_MAX)
  const read = await Promise.all(
    files.map(async ({ path }) => {
      const file = await fileAt({ octokit }, place, path, branch)
      return file === null ? [] : [{ path, text: file.text }]
    }),
  )
  return runningAction(read.flat())
}

type WorkflowFile = { readonly path: string; readonly text: string }

/**
 * Those with a step that uses the Action, and those that call one of these: a run goes by the name of the workflow that
 * began it. https://docs.github.com/en/actions/how-tos/reuse-automations/reuse-workflows
 */
export function runningAction(files: readonly WorkflowFile[]): readonly string[] {
  const read = files.map(({ path, text }) => ({ path, ...usesIn(text) }))
  const found = new Set(read.filter(({ steps }) => steps.some(isAction)).map(({ path }) => path))
  // Each round finds the callers of those that the last one found.
  for (let round = 0; round < CALLS_NESTED_MAX; round += 1) {
    for (const { path, calls } of read) if (calls.some((call) => found.has(call))) found.add(path)
  }
  return read.map(({ path }) => path).filter((path) => found.has(path))
}

const CALLS_NESTED_MAX = 10

/** From wherever it is published, or as the repository's own. */
const isAction = (uses: string): boolean => /(^|\/)\.?countersign(\/[\w./-]+)?(@|$)/i.test(uses) || /^\.\/?$/.test(uses)

type Uses = { readonly steps: readonly string[]; readonly calls: readonly string[] }

/** What its steps use, and the workflows of its own repository that its jobs call. Nothing where it cannot be read. */
function usesIn(text: string): Uses {
  const nothing = { steps: [], calls: [] }
  if (!/\buses\b/.test(text)) return nothing
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 50 })
  } catch {
    return nothing
  }
  const reading = workflow.safeParse(value)
  if (!reading.success) return nothing
  const jobs = Object.values(reading.data.jobs)
  return {
    steps: jobs.flatMap(({ steps = [] }) => steps.map(({ uses = '' }) => uses)),
    calls: jobs.flatMap(({ uses = '' }) => (uses.startsWith('./') ? [uses.slice('./'.length)] : [])),
  }
}
