// What REST does not tell of an issue: by what it was closed, and when its text was changed.
// https://docs.github.com/en/graphql/reference/objects#closedevent
import { z } from 'zod'
import type { Closing } from '../../../core/issue-closing.ts'
import { NotShownYet } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { actor, actorFields, makerOfActor } from '../people/accounts.ts'
import type { IssueRead } from './issues.ts'

export const closingAndEditsQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      state lastEditedAt
      closings: timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) {
        nodes { __typename ... on ClosedEvent { createdAt actor ${actorFields} closer { __typename } } }
      }
      renames: timelineItems(last: 1, itemTypes: [RENAMED_TITLE_EVENT]) {
        nodes { __typename ... on RenamedTitleEvent { createdAt } }
      }
    }
  }
}`
const closed = z.object({
  createdAt: z.string(),
  actor: actor.default(null),
  closer: z
    .object({ __typename: z.string() })
    .transform(({ __typename: kind }) => kind)
    .nullish(),
})
const answer = z.object({
  repository: z.object({
    issue: z.object({
      state: z.string(),
      lastEditedAt: z.string().nullable(),
      closings: z.object({ nodes: z.array(closed) }),
      renames: z.object({ nodes: z.array(z.object({ createdAt: z.string() })) }),
    }),
  }),
})

export type ClosingAndEdits = { readonly closing: Closing | null; readonly edited_at: string | null }

/** Null where the issue is gone. Rejects with NotShownYet where only one of GitHub's copies knows yet that it was closed. */
export async function closingAndEdits(
  { octokit, place }: Access,
  { number, state: is }: Pick<IssueRead, 'number' | 'state'>,
): Promise<ClosingAndEdits | null> {
  const names = { owner: place.owner, name: place.repo, number }
  const told: unknown = await octokit.graphql(closingAndEditsQuery, names).catch(gone)
  if (told === null) return null
  const { state, lastEditedAt, closings, renames } = answer.parse(told).repository.issue
  if (is === 'closed' && state !== 'CLOSED') throw new NotShownYet(`GitHub shows #${number} both as open and as closed`)
  const last = closings.nodes.at(-1)
  const edits = [lastEditedAt, renames.nodes.at(-1)?.createdAt].filter((at) => at !== null && at !== undefined)
  return {
    closing: is === 'open' ? null : closingBy(last),
    edited_at: edits.toSorted().at(-1) ?? null,
  }
}

/** A project closes what is moved in it, too, and that somebody does by hand. */
const closingBy = (last: z.output<typeof closed> | undefined): Closing =>
  last === undefined
    ? { by: null, at: '', by_merge: false }
    : {
        by: last.actor && makerOfActor(last.actor),
        at: last.createdAt,
        by_merge: last.closer === 'PullRequest' || last.closer === 'Commit',
      }

const missing = z.object({ errors: z.array(z.object({ type: z.literal('NOT_FOUND') })).min(1) })
function gone(error: unknown): null {
  if (missing.safeParse(error).success) return null
  throw error
}
