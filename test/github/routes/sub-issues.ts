// What lies below an issue. https://docs.github.com/en/rest/issues/sub-issues
import { addSubIssue, issueWithId, removeSubIssue } from '../acts/sub-issues.ts'
import { neededNumber } from '../fields.ts'
import { issue as showIssue } from '../shapes/issue.ts'
import { issueOf } from '../world.ts'
import { actor, created, numberParam, ok, paged, type RepoCall } from '../wire/call.ts'
import { reads, repoRoute, writes, type Route } from '../wire/router.ts'

const triage = { ...writes('issues'), role: 'triage' } as const

const parentUnder = (call: RepoCall) => ({ repo: call.repo, issue: issueOf(call.repo, numberParam(call, 'number')) })

const belowNamed = ({ world, body }: RepoCall) => issueWithId(world, neededNumber(body, 'sub_issue_id'))

export const subIssueRoutes: readonly Route[] = [
  repoRoute('GET', '/issues/{number}/sub_issues', reads('issues'), (call) =>
    paged(call, parentUnder(call).issue.below, ({ repo, issue }) => showIssue(call.world, repo, issue)),
  ),
  repoRoute('POST', '/issues/{number}/sub_issues', triage, (call) => {
    const below = belowNamed(call)
    addSubIssue(call.world, parentUnder(call), below, actor(call))
    return created(showIssue(call.world, below.repo, below.issue))
  }),
  repoRoute('DELETE', '/issues/{number}/sub_issue', triage, (call) => {
    const below = belowNamed(call)
    removeSubIssue(call.world, parentUnder(call), below, actor(call))
    return ok(showIssue(call.world, below.repo, below.issue))
  }),
]
