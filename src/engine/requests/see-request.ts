// A request as GitHub has it: what its issue says now, whether it is open, and what the policy of the default branch asks.
import { requestLabelName } from '../../core/words/labels.ts'
import { takesTooLong } from '../../core/requests/judge-request.ts'
import type { RequestWords } from '../../core/requests/request.ts'
import type { RequestSeen } from '../../core/requests/request-board.ts'
import type { Forge } from '../../ports.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { endingOf } from '../issues/ended.ts'
import { placeOf, tellRequest } from '../issues/issue-record.ts'
import { policyOfIssues, type IssuePolicy } from '../issues/policy-of-issues.ts'
import type { Told } from '../record.ts'

export type RequestLooked = { readonly issue: RequestSeen; readonly governed: IssuePolicy }

/** Null where there is nothing to see, or nothing to judge it by. */
export async function seeRequest(
  engine: Engine<Forge>,
  forge: Forge,
  ref: TaskRef,
  told: Told,
): Promise<RequestLooked | null> {
  const { repository, number } = placeOf(ref)
  const [issue, governed] = await Promise.all([forge.requests.read(number), policyOfIssues(engine, forge, repository)])
  if (issue === null || governed === null) return null
  const { title, body, by } = issue
  const words = (await engine.aside.request({ title, body }, repository.key)) ?? unread(title)
  const closed = await endingOf(forge, { ...issue, number, bears_label: issue.is_request }, requestLabelName)
  const { request: terms } = governed
  await tellRequest(engine, ref, { type: 'see_request', number, by, closed, words, terms }, told)
  return { issue, governed }
}

/** What could not be read is never taken for clear. */
const unread = (title: string): RequestWords => ({
  title,
  text: 'unread',
  criteria: [],
  lacking: [takesTooLong],
})
