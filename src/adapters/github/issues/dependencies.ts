// What GitHub says that an issue is blocked by. Where it knows no dependencies, there are none.
// https://docs.github.com/en/rest/issues/issue-dependencies
import type { IssueNamed } from '../../../core/issue-boards.ts'
import type { Access } from '../access.ts'
import { listedFor } from './issues.ts'

const PAGES_MAX = 2

export async function blockedBy(access: Access, issue_number: number): Promise<readonly IssueNamed[]> {
  const { octokit, place } = access
  const blocking = await listedFor(access, issue_number, {
    what: 'the blockers',
    pagesMax: PAGES_MAX,
    ask: (page) => octokit.rest.issues.listDependenciesBlockedBy(page),
    counted: (issue) => issue.issue_dependencies_summary?.total_blocked_by,
  })
  const here = `${place.owner}/${place.repo}`.toLowerCase()
  return blocking.map(({ repository_url, number, title, state }) => {
    const repository = repository_url.split('/').slice(-2).join('/')
    const isHere = repository.toLowerCase() === here
    return { name: `${repository}#${number}`, number: isHere ? number : null, title, open: state === 'open' }
  })
}
