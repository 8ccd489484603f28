// An issue as GitHub has it, with its labels. https://docs.github.com/en/rest/issues/issues
import { z } from 'zod'
import { account } from '../people/accounts.ts'
import { NotShownYet } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { isSwitchedOff, orGone, orMissing, statusOf } from '../status.ts'

export const issueShape = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  url: z.string().default(''),
  repository_url: z.string().default(''),
  user: account.nullish().catch(null),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().default('') })])).default([]),
  /** Not every GitHub counts them. */
  issue_dependencies_summary: z.object({ total_blocked_by: z.number() }).nullish().catch(null),
  sub_issues_summary: z.object({ total: z.number() }).nullish().catch(null),
  pull_request: z.unknown().optional().transform(Boolean),
})
export type IssueRead = z.output<typeof issueShape>

/** Null where there is none. */
export async function issueAt({ octokit, place }: Access, issue_number: number): Promise<IssueRead | null> {
  const answer = await orGone(octokit.rest.issues.get({ ...place, issue_number, request: { fresh: true } }))
  return answer === null ? null : issueShape.parse(answer.data)
}

type Page = Access['place'] & {
  readonly issue_number: number
  readonly per_page: number
  readonly page: number
  readonly request: { readonly fresh: true }
}
type Listing = {
  readonly what: string
  readonly pagesMax: number
  readonly ask: (page: Page) => Promise<{ readonly data: unknown }>
  readonly counted: (issue: IssueRead) => number | undefined
}

/**
 * The issues that GitHub lists for another one. A GitHub that knows no such list does not find it, and there are none; where the
 * issue itself counts some, they are only not shown. Null where the repository has its issues switched off.
 */
export async function listedFor(
  access: Access,
  issue_number: number,
  listing: Listing,
): Promise<readonly IssueRead[] | null> {
  try {
    return await allPages(listing.pagesMax, (page) => listedOn(access, issue_number, listing, page))
  } catch (error) {
    if (statusOf(error) !== 410) throw error
    return isSwitchedOff(error) ? null : []
  }
}

async function listedOn(
  access: Access,
  issue_number: number,
  { what, ask, counted }: Listing,
  page: number,
): Promise<IssueRead[]> {
  const fresh = { fresh: true } as const
  const answer = await orMissing(ask({ ...access.place, issue_number, per_page: PER_PAGE, page, request: fresh }))
  if (answer !== null) return z.array(issueShape).parse(answer.data)
  const issue = await issueAt(access, issue_number)
  if (issue !== null && (page > 1 || (counted(issue) ?? 0) > 0))
    throw new NotShownYet(`GitHub does not show ${what} of #${issue_number}, and counts some`)
  return []
}

export const labelsOn = ({ labels }: Pick<IssueRead, 'labels'>): readonly string[] =>
  labels.map((label) => (typeof label === 'string' ? label : label.name))
