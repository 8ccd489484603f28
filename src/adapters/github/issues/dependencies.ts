// What GitHub says that an issue is blocked by. Where it knows no dependencies, there are none.
// https://docs.github.com/en/rest/issues/issue-dependencies
import { z } from 'zod'
import type { IssueNamed } from '../../../core/issue-boards.ts'
import type { Access } from '../access.ts'
import { issueShape } from './issues.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { orGone } from '../status.ts'

const PAGES_MAX = 2

export async function blockedBy({ octokit, place }: Access, issue_number: number): Promise<readonly IssueNamed[]> {
  const blocking = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, issue_number, per_page: PER_PAGE, page, request: { fresh: true } }
    return z.array(issueShape).parse((await orGone(octokit.rest.issues.listDependenciesBlockedBy(asked)))?.data ?? [])
  })
  const here = `${place.owner}/${place.repo}`.toLowerCase()
  return blocking.map(({ repository_url, number, title, state }) => {
    const repository = repository_url.split('/').slice(-2).join('/')
    const isHere = repository.toLowerCase() === here
    return { name: `${repository}#${number}`, number: isHere ? number : null, title, open: state === 'open' }
  })
}
