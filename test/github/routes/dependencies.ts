// What an issue waits for. https://docs.github.com/en/rest/issues/issue-dependencies
import { addBlocker, removeBlocker } from '../acts/dependencies.ts'
import { issueWithId } from '../acts/sub-issues.ts'
import { neededNumber } from '../fields.ts'
import { issue as showIssue } from '../shapes/issue.ts'
import { issueOf } from '../world.ts'
import { actor, created, numberParam, ok, paged, type RepoCall } from '../wire/call.ts'
import { reads, repoRoute, writes, type Route } from '../wire/router.ts'

const triage = { ...writes('issues'), role: 'triage' } as const
const place = '/issues/{number}/dependencies/blocked_by'

const blockedUnder = (call: RepoCall) => ({ repo: call.repo, issue: issueOf(call.repo, numberParam(call, 'number')) })

export const dependencyRoutes: readonly Route[] = [
  repoRoute('GET', place, reads('issues'), (call) =>
    paged(call, blockedUnder(call).issue.blockedBy, ({ repo, issue }) => showIssue(call.world, repo, issue)),
  ),
  repoRoute('POST', place, triage, (call) => {
    const blocking = issueWithId(call.world, neededNumber(call.body, 'issue_id'))
    addBlocker(call.world, blockedUnder(call), blocking, actor(call))
    return created(showIssue(call.world, blocking.repo, blocking.issue))
  }),
  repoRoute('DELETE', `${place}/{id}`, triage, (call) => {
    const blocking = issueWithId(call.world, numberParam(call, 'id'))
    removeBlocker(call.world, blockedUnder(call), blocking, actor(call))
    return ok(showIssue(call.world, blocking.repo, blocking.issue))
  }),
]
