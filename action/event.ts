// What a run is about, from the payload of its event: a pull request, or a group that the merge queue made. A run that is
// repeated brings its old payload along, so nothing here says by which policy to judge, only what.
import { z } from 'zod'

export type Subject = {
  readonly event: 'pull_request' | 'merge_group'
  /** Null for a merge group. */
  readonly pull: number | null
  readonly head_sha: string
  /** Null for a merge group: what it stands on may be another group, which is no part of the base yet. */
  readonly base_sha: string | null
  /** The branch by whose policy it is judged: of a stack of pull requests, the one at its bottom. */
  readonly base_ref: string
  readonly title: string
  readonly body: string
}

const sha = z.string().regex(/^[0-9a-f]{40}$/)
const pullRequest = z.object({
  pull_request: z.object({
    number: z.number().int().positive(),
    title: z.string().nullish(),
    body: z.string().nullish(),
    head: z.object({ sha }),
    base: z.object({ sha, ref: z.string().min(1) }),
    stack: z.object({ base: z.object({ ref: z.string().min(1) }) }).nullish(),
  }),
})
const mergeGroup = z.object({
  merge_group: z.object({ head_sha: sha, base_ref: z.string().min(1) }),
})

/** Null for an event that is none of ours. */
export function readEvent(event: string, payload: unknown): Subject | null {
  if (event === 'pull_request') {
    const { number, title, body, head, base, stack } = pullRequest.parse(payload).pull_request
    const texts = { title: title ?? '', body: body ?? '' }
    return {
      event,
      pull: number,
      head_sha: head.sha,
      base_sha: base.sha,
      base_ref: stack?.base.ref ?? base.ref,
      ...texts,
    }
  }
  if (event === 'merge_group') {
    const { head_sha, base_ref } = mergeGroup.parse(payload).merge_group
    const branch = base_ref.replace(/^refs\/heads\//, '')
    return { event, pull: null, head_sha, base_sha: null, base_ref: branch, title: '', body: '' }
  }
  return null
}
