// A part of a task gets an issue of its own, once; the task waits for it, and the goals that the task is in get it too.
// https://docs.github.com/en/rest/issues/issue-dependencies
import type { Shown } from '../../../core/decision/shown/owed.ts'
import type { Access } from '../access.ts'
import { goalBoard } from '../issues/goals.ts'
import { issueAt } from '../issues/issues.ts'
import { statusOf } from '../status.ts'

/** It is so already. */
const KNOWN = 422

export async function showPart(access: Access, part: Extract<Shown, { kind: 'part' }>): Promise<{ ref: string }> {
  const { octokit, place } = access
  const { issue, goals, title, body, mark } = part
  const board = goalBoard(access)
  const number = await board.make({ title, body, labels: [], mark })
  const made = await issueAt(access, number)
  if (issue !== null && made !== null) {
    const asked = { ...place, issue_number: issue, issue_id: made.id }
    await octokit.rest.issues.addBlockedByDependency(asked).catch((error: unknown) => {
      if (statusOf(error) !== KNOWN) throw error
    })
  }
  // Where a goal cannot take it, it is a task all the same.
  for (const goal of goals) await board.link(goal, number, true)
  return { ref: String(number) }
}
