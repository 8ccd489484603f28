// What became of an issue and what was said there, as GitHub keeps it, for whoever was told nothing of it.
// https://docs.github.com/en/rest/issues/events https://docs.github.com/en/rest/issues/comments
import { z } from 'zod'
import type { Labelling } from '../../../core/issue-boards.ts'
import type { IssueSaid } from '../../../core/news.ts'
import { account, makerOf } from '../people/accounts.ts'
import type { Access } from '../access.ts'
import { atIssue, commentShape } from '../webhooks/issue-payloads.ts'
import { allPages, newestPages, PER_PAGE } from '../pages.ts'

const PAGES_MAX = 10

const eventRow = z.object({
  event: z.string(),
  created_at: z.string(),
  actor: account.nullish().catch(null),
  label: z.object({ name: z.string() }).nullish(),
})

/** Who put a label on, or took it off, last, and when; null where GitHub does not tell. */
export async function labelledBy(
  { octokit, place }: Access,
  issue_number: number,
  name: string,
  change: 'labeled' | 'unlabeled',
): Promise<Labelling | null> {
  const asked = { ...place, issue_number, per_page: PER_PAGE, request: { fresh: true } }
  const { rows } = await newestPages(PAGES_MAX, (page) => octokit.rest.issues.listEvents({ ...asked, page }))
  const last = z
    .array(eventRow)
    .parse(rows)
    .findLast(({ event, label }) => event === change && label?.name.toLowerCase() === name)
  return last?.actor ? { by: makerOf(last.actor), at: last.created_at } : null
}

/** Comments since then, perhaps changed by now. */
export async function saidAt(
  { octokit, place }: Access,
  issue_number: number,
  since: string,
): Promise<readonly IssueSaid[]> {
  const comments = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, issue_number, since, per_page: PER_PAGE, page, request: { fresh: true } }
    return (await octokit.rest.issues.listComments(asked)).data
  })
  return comments.flatMap((one) => {
    const { data: comment } = commentShape.shape.comment.safeParse(one)
    return comment === undefined ? [] : (atIssue(issue_number, comment, { action: 'created', found: true }) ?? [])
  })
}
