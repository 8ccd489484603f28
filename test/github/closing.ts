// Which issues a pull request closes: those named with a closing word in its body, where it goes to the default
// branch, and those linked by hand.
// https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
import type { Repo } from './model.ts'
import { fullName, type PullIssue } from './world.ts'

const closing = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:([\w.-]+\/[\w.-]+))?#(\d+)\b/gi

export const linkedNumbers = (repo: Repo, { number, pull }: PullIssue): readonly number[] =>
  [...pull.linked].filter((one) => one !== number && repo.issues.get(one)?.pull === null)

export function closingNumbers(repo: Repo, { number, body, pull }: PullIssue): readonly number[] {
  const here = pull.baseRef === repo.defaultBranch ? [...(body ?? '').matchAll(closing)] : []
  const named = here
    .filter(([, name]) => name === undefined || name.toLowerCase() === fullName(repo).toLowerCase())
    .map(([, , digits]) => Number(digits))
  return [...new Set([...named, ...pull.linked])].filter((one) => one !== number && repo.issues.get(one)?.pull === null)
}
