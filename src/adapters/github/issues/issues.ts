// An issue as GitHub has it, with its labels and who closed it. https://docs.github.com/en/rest/issues/issues
import { z } from 'zod'
import { account } from '../people/accounts.ts'
import type { Access } from '../access.ts'
import { orGone } from '../status.ts'

export const issueShape = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  url: z.string().default(''),
  repository_url: z.string().default(''),
  user: account.nullish().catch(null),
  closed_by: account.nullish().catch(null),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().default('') })])).default([]),
  /** Not every GitHub counts them. */
  issue_dependencies_summary: z.object({ total_blocked_by: z.number() }).nullish().catch(null),
  pull_request: z.unknown().optional().transform(Boolean),
})
export type IssueRead = z.output<typeof issueShape>

/** Null where there is none. */
export async function issueAt({ octokit, place }: Access, issue_number: number): Promise<IssueRead | null> {
  const answer = await orGone(octokit.rest.issues.get({ ...place, issue_number, request: { fresh: true } }))
  return answer === null ? null : issueShape.parse(answer.data)
}

export const labelsOn = ({ labels }: Pick<IssueRead, 'labels'>): readonly string[] =>
  labels.map((label) => (typeof label === 'string' ? label : label.name))
