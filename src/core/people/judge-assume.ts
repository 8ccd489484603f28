// What whoever made a change took for granted. It decides nothing, and it is said by them alone: it is no way to put words
// on somebody else's page.
import type { NewEvent } from '../decision/record/events.ts'
import { isOwnWord, refuse, type Heard } from './judge.ts'
import { builderCalled } from './separation.ts'

export type Assumption = { readonly by: string; readonly text: string }

const ASSUMED_MAX = 10

export function judgeAssume(heard: Heard, texts: readonly string[]): NewEvent[] {
  const { attempt, task, saying } = heard
  const { user, key } = saying
  const made = builderCalled(task.builders, user) !== null && isOwnWord(heard)
  const makers = task.builders.map(({ login }) => login)
  if (!made) return [refuse(heard, 'USER_COMMAND_REFUSED', 'not_builder', null, makers)]
  const said = texts.map((text) => text.trim()).filter((text) => text !== '')
  if (said.length === 0) return [refuse(heard, 'USER_COMMAND_REFUSED', 'assumption_missing', null, [])]
  const assumed = said.slice(0, ASSUMED_MAX).map((text): Assumption => ({ by: user.login, text }))
  return [{ type: 'AssumptionsTold', attempt_id: attempt.id, head_sha: attempt.head_sha, data: { key, assumed } }]
}
