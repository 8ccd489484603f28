// What a webhook is about: in which line it stands, and that a pull request changed. Read of every delivery, whether or not
// anything else of it is of concern.
import { z } from 'zod'
import { commentKey, reviewKey } from '../people/heard-keys.ts'
import type { Webhook } from './payloads.ts'

const subject = z.object({
  repository: z.object({ id: z.number() }).optional(),
  pull_request: z.object({ number: z.number() }).optional(),
  issue: z.object({ number: z.number() }).optional(),
  parent_issue: z.object({ number: z.number() }).optional(),
  check_run: z.object({ head_sha: z.string() }).optional(),
  check_suite: z.object({ head_sha: z.string() }).optional(),
  workflow_run: z.object({ head_sha: z.string() }).optional(),
  merge_group: z.object({ head_sha: z.string() }).optional(),
  sha: z.string().optional(),
})

const change = z.object({ number: z.number(), updated_at: z.string() })
const numbered = z.object({ id: z.number() })
const changed = z.object({
  action: z.string().default(''),
  repository: z.object({ id: z.number() }),
  pull_request: change.optional(),
  issue: change.optional(),
  comment: numbered.optional(),
  review: numbered.optional(),
})

/**
 * That a pull request changed, and when, as any webhook about it tells; `opened`: there is nothing from before; `piece`: the
 * name of what was said there just now, of concern or not.
 */
export type ChangeTold = {
  readonly line: string
  readonly at: string
  readonly opened: boolean
  readonly piece: string | null
}

export function changeTold(payload: unknown): ChangeTold | null {
  const { data } = changed.safeParse(payload)
  const one = data?.pull_request ?? data?.issue
  if (data === undefined || one === undefined) return null
  const opened = data.action === 'opened' && data.pull_request !== undefined
  return { line: `R${data.repository.id}#${one.number}`, at: one.updated_at, opened, piece: pieceIn(data) }
}

function pieceIn({ action, issue, comment, review }: z.output<typeof changed>): string | null {
  if (action === 'created' && issue !== undefined && comment !== undefined) return commentKey(comment.id)
  return action === 'submitted' && review !== undefined ? reviewKey(review.id) : null
}

/** What a delivery is about, so that everything about it is handled in its order. */
export function lineOf({ event, payload }: Webhook): string {
  const shape = subject.safeParse(payload)
  if (!shape.success || shape.data.repository === undefined) return `app:${event}`
  const { repository, pull_request, issue, parent_issue, check_run, check_suite, workflow_run, merge_group, sha } =
    shape.data
  const pullNumber = pull_request?.number ?? issue?.number ?? parent_issue?.number
  if (pullNumber !== undefined) return `R${repository.id}#${pullNumber}`
  const commit = check_run?.head_sha ?? check_suite?.head_sha ?? workflow_run?.head_sha ?? merge_group?.head_sha ?? sha
  return commit === undefined ? `R${repository.id}` : `R${repository.id}@${commit}`
}
