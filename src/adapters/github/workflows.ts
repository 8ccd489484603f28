// Which workflows of a branch run the Action. Only the tip of the base is asked: a change cannot name its own judge.
import { parse } from 'yaml'
import { z } from 'zod'
import type { Access } from './access.ts'
import { orMissing } from './status.ts'

const FILES_MAX = 50
const FILE_BYTES_MAX = 256 * 1024

const listing = z.array(z.object({ name: z.string(), path: z.string(), type: z.string(), size: z.number().default(0) }))
const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ uses: z.string().optional() })).optional() })),
})

export async function actionWorkflows({ octokit, place }: Access, branch: string): Promise<readonly string[]> {
  const folder = await orMissing(octokit.rest.repos.getContent({ ...place, path: '.github/workflows', ref: branch }))
  const entries = listing.safeParse(folder?.data)
  if (!entries.success) return []
  const files = entries.data
    .filter(({ name, type, size }) => type === 'file' && /\.ya?ml$/.test(name) && size <= FILE_BYTES_MAX)
    .slice(0, FILES_MAX)
  const found = await Promise.all(
    files.map(async ({ path }) => {
      const answer = await orMissing(octokit.rest.repos.getContent({ ...place, path, ref: branch }))
      const content = z.object({ content: z.string() }).safeParse(answer?.data)
      return content.success && runsAction(Buffer.from(content.data.content, 'base64').toString('utf8')) ? [path] : []
    }),
  )
  return found.flat()
}

/** Whether a step uses the Action, from wherever it is published, or as the repository's own. */
export function runsAction(text: string): boolean {
  if (!/\buses\b/.test(text)) return false
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 50 })
  } catch {
    return false
  }
  const reading = workflow.safeParse(value)
  if (!reading.success) return false
  const steps = Object.values(reading.data.jobs).flatMap((job) => job.steps ?? [])
  return steps.some(({ uses = '' }) => /(^|\/)\.?countersign(\/[\w./-]+)?(@|$)/i.test(uses) || /^\.\/?$/.test(uses))
}
