// What GitHub says that an issue is blocked by. Where it knows no dependencies, there are none; where it shows no issues, null.
// https://docs.github.com/en/rest/issues/issue-dependencies
import type { IssueNamed } from '../../../core/issue-boards.ts'
import type { Access } from '../access.ts'
import { listedFor } from './issues.ts'

const PAGES_MAX = 2

export async function blockedBy(access: Access, issue_number: number): Promise<readonly IssueNamed[] | null> {
  const { octokit, place } = access
  const blocking = await listedFor(access, issue_number, {
    what: 'the blockers',
    pagesMax: PAGES_MAX,
    ask: (page) => octokit.rest.issues.listDependenciesBlockedBy(page),
    counted: (issue) => issue.issue_dependencies_summary?.total_blocked_by,
  })
  if (blocking === null) return null
  const here = `${place.owner}/${place.repo}`.toLowerCase()
  return blocking.map(({ repository_url, number, title, state }) => {
    const repository = repository_url.split('/').slice(-2).join('/')
    const isHere = repository.toLowerCase() === here
    const name = `${repository}#${number}`
    // What it says is for those who may read there, and what we say of it is read by everybody here.
    const shown = isHere ? { number, title } : { number: null, title: '' }
    return { name, ...shown, open: state === 'open' }
  })
}
