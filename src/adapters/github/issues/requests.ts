// Requests on GitHub: the issue that somebody wrote, and how an agent is told of the task that it became.
// https://docs.github.com/en/rest/issues
import { z } from 'zod'
import { isRequestLabel } from '../../../core/words/labels.ts'
import type { StartWay } from '../../../core/requests/owed-request.ts'
import type { RequestBoard, RequestSeen } from '../../../core/requests/request-board.ts'
import { account, makerOf } from '../people/accounts.ts'
import type { Access } from '../access.ts'
import { closingAndEdits } from './closing-and-edits.ts'
import { issueAt, labelsOn } from './issues.ts'
import { sayOnce } from '../show/comment.ts'
import { isForGood } from '../show/courtesy.ts'
import { statusOf } from '../status.ts'

export function requestBoard(access: Access): RequestBoard {
  const { octokit, place } = access
  return {
    read: (number) => read(access, number),
    start: (task, way, words, mark) => start(access, task, way, words, mark),
    close: async (issue_number, state_reason) => {
      await octokit.rest.issues.update({ ...place, issue_number, state: 'closed', state_reason })
    },
  }
}

async function read(access: Access, number: number): Promise<RequestSeen | null> {
  const issue = await issueAt(access, number)
  if (issue === null || issue.pull_request) return null
  const untold = await closingAndEdits(access, issue)
  if (untold === null) return null
  const { title, body, state, user } = issue
  return {
    title,
    body: body ?? '',
    open: state === 'open',
    is_request: labelsOn(issue).some(isRequestLabel),
    by: makerOf(user ?? account.parse({ login: 'ghost' })),
    ...untold,
  }
}

async function start(access: Access, task: number, way: StartWay, words: string, mark: string): Promise<string | null> {
  try {
    return await started(access, task, way, words, mark)
  } catch (error) {
    if (!isForGood(error)) throw error
    return `GitHub refuses it (${statusOf(error) ?? 'no answer'})`
  }
}

const assigned = z.object({ assignees: z.array(z.object({ login: z.string() })).nullish() })

/** GitHub passes over whoever may not be assigned without a word, so its answer is looked at. */
async function started(
  access: Access,
  issue_number: number,
  { how, whom }: StartWay,
  words: string,
  mark: string,
): Promise<string | null> {
  const { octokit, place } = access
  switch (how) {
    case 'label':
      await octokit.rest.issues.addLabels({ ...place, issue_number, labels: [whom] })
      return null
    case 'assign': {
      const { data } = await octokit.rest.issues.addAssignees({ ...place, issue_number, assignees: [whom] })
      const logins = (assigned.parse(data).assignees ?? []).map(({ login }) => login.toLowerCase())
      return logins.includes(whom.toLowerCase()) ? null : `GitHub does not let ${whom} be assigned by an App`
    }
    case 'mention': {
      await sayOnce(access, issue_number, words, `start ${mark}`)
      return null
    }
  }
}
