// Webhooks about pull requests: what became of one, and our labels on it.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
import { z } from 'zod'
import { actOfLabel } from '../../../core/people/act.ts'
import { isStateLabel } from '../../../core/words/labels.ts'
import { account, makerOf } from '../people/accounts.ts'
import { labelKey } from '../people/heard-keys.ts'
import { reading } from './payload-reading.ts'

export const pull = z.object({
  number: z.number(),
  updated_at: z.string().default(''),
  merged: z.boolean().nullish(),
  merged_by: account.nullish().catch(null),
  state: z.string().default('open'),
  draft: z.boolean().nullish(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string() }),
  stack: z.object({ base: z.object({ ref: z.string() }) }).nullish(),
})

const pullShape = z.object({
  pull_request: pull,
  before: z.string().nullish(),
  label: z.object({ name: z.string() }).optional(),
})
const looked = ['opened', 'synchronize', 'reopened', 'ready_for_review', 'edited', 'stacked', 'unstacked']

export const pullRequest = reading(pullShape, (payload, { action, guid, by, defaultBranch }) => {
  const { number, updated_at: at, head, merged, merged_by, state, draft, stack } = payload.pull_request
  const base = stack?.base ?? payload.pull_request.base
  if (looked.includes(action)) {
    const base_is_default = base.ref === defaultBranch
    // Somebody who opens it or edits its title made no part of the change by that.
    const push = action === 'synchronize' ? { by, before: payload.before ?? null } : null
    return {
      kind: 'pull_changed',
      pull: number,
      head_sha: head.sha,
      base_ref: base.ref,
      base_is_default,
      ready: state === 'open' && !draft,
      by: action === 'opened' || action === 'synchronize' ? by : null,
      push,
      at,
    }
  }
  if (action === 'closed') {
    // A robot may have sent it, as for whoever queued it.
    const merger = merged_by ? makerOf(merged_by) : by
    return { kind: 'pull_ended', pull: number, why: 'closed', merged_by: merged ? merger : null, at }
  }
  if (action === 'converted_to_draft') return { kind: 'pull_ended', pull: number, why: 'draft', merged_by: null, at }
  const label = payload.label?.name
  if ((action === 'labeled' || action === 'unlabeled') && label !== undefined) {
    if (isStateLabel(label)) return { kind: 'place_touched', pull: number, place: 'labels', by }
    if (actOfLabel(label) === undefined) return null
    return {
      kind: 'labelled',
      pull: number,
      key: `${labelKey(action, label, at)}${guid}`,
      label,
      added: action === 'labeled',
      by,
      at,
    }
  }
  return null
})
