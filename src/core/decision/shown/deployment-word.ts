// What a job is told that waits to deploy: yes once the pull request is a success, no once it never will be, and until then
// what it waits for. A no that was said after the merge counts, too.
import { factsOf } from '../gate/facts.ts'
import { attemptLine, headline } from '../../words/headline.ts'
import { sayReason } from '../../words/say.ts'
import type { Attempt, Deployment, TaskState } from '../model.ts'
import type { Decision } from '../decision.ts'
import { repositoryIn } from '../../names.ts'

const answers = ['approved', 'rejected'] as const
export type DeploymentAnswer = (typeof answers)[number]
export type DeploymentWord = Deployment & { readonly answer: DeploymentAnswer | null; readonly words: string }

/** By where it was shown: a word that was given is not given again. */
export const isAnswered = (ref: string | null): boolean => answers.some((answer) => answer === ref)

export function deploymentWord(
  task: TaskState,
  attempt: Attempt,
  decision: Decision,
  deployment: Deployment,
): DeploymentWord {
  const { rejection } = factsOf(task, attempt)
  const isNo = rejection !== null || decision.status === 'failed'
  const answer = isNo ? 'rejected' : decision.status === 'success' ? 'approved' : null
  const said =
    rejection === null
      ? headline(attempt, decision)
      : `Stopped: ${sayReason({ code: 'rejected_by', subject: rejection.user, detail: rejection.reason })}`
  const about = `${repositoryIn(task.task_id)}#${attempt.pull} at ${attempt.head_sha.slice(0, 7)}`
  return { ...deployment, answer, words: `${about}: ${said}. ${attemptLine(task, attempt, decision)}`.trim() }
}
