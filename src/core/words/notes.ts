// What must reach somebody beside the comment that is edited in place: escalations to the leads, a merge without our
// green, and, where the policy wants it, a word to the agent. Each is said once per commit, and these are the only people
// that anything of ours mentions.
import type { Attempt, TaskState } from '../decision/model.ts'
import { isEscalated as isTaskEscalated } from '../people/judge-task.ts'
import type { Builder } from '../people/people.ts'
import { isMachineUnder } from '../people/roster.ts'
import type { Decision } from '../decision/decision.ts'
import { isMergedToBeConfirmed } from '../decision/gate/afterwards.ts'
import { isShadow } from './headline.ts'
import { mention } from './text/mention.ts'
import { neutralLine } from './text/neutral.ts'
import { sayDecision } from './say.ts'
import { regressedText, toConfirmText } from './to-confirm.ts'
import { codeSpan } from './text/untrusted.ts'

export type Note = {
  readonly about: 'escalated' | 'sent_back' | 'merged' | 'dispatch' | 'confirm' | `regressed-${number}`
  readonly body: string
}

export function notesOf(task: TaskState, attempt: Attempt, decision: Decision): Note[] {
  const notes = attempt.regressions.map(({ why, sha }, index): Note => {
    return { about: `regressed-${index}`, body: regressedText(why, sha) }
  })
  if (isShadow(attempt)) return notes
  const { roles, verification } = attempt.contract.policy
  const leads = roles.lead.map(mention).join(' ') || 'Admins of this repository'
  const why = sayDecision(decision)
  // Where nobody is named, nobody could be told more than the comment says already.
  if (attempt.live && roles.lead.length > 0 && isEscalated(decision)) {
    notes.push({ about: 'escalated', body: `${leads}: this task needs a person. ${why}.` })
  }
  const last = task.sent_back.at(-1)
  if (isTaskEscalated(task) && last !== undefined && task.attempts.at(-1)?.id === attempt.id) {
    const words = `${codeSpan('/task reassign @login')} gives it to somebody else, ${codeSpan('/task split')} with a list below makes each line a task that it waits for, ${codeSpan('/task accept <reason>')} lets it go on as it is`
    notes.push({
      about: 'sent_back',
      body: `${leads}: ${neutralLine(task.task_id)} was sent back twice, the last time by ${neutralLine(last.login)}. Nobody confirms it before a lead decides: ${words}.`,
    })
  }
  if (attempt.merged_by !== null) {
    const sha = attempt.head_sha.slice(0, 7)
    notes.push({
      about: 'merged',
      body: `${leads}: ${neutralLine(attempt.merged_by)} merged ${sha} although it was no success. ${why}.`,
    })
  }
  const waits = (attempt.live && decision.row === 'confirmation') || isMergedToBeConfirmed(task, attempt)
  if (waits && task.status === 'completed' && attempt.contract.policy.comment !== 'never')
    notes.push({ about: 'confirm', body: toConfirmText(task, attempt) })
  const agent = attempt.builders.find((one) => isAgent(attempt, one)) ?? attempt.builders[0]
  const dispatched =
    verification.retry.dispatch === 'mention' && decision.status === 'retry' && decision.row !== 'unavailable'
  if (attempt.live && dispatched && agent !== undefined) {
    notes.push({
      about: 'dispatch',
      body: `${mention(agent.login.replace('[bot]', ''))} ${why}. What to do next is in the check ${codeSpan(attempt.check_name)}.`,
    })
  }
  return notes
}

/** Whoever writes a commit can say that any name made it, so the machine is one that the policy names, or that GitHub saw at work. */
function isAgent({ contract: { policy } }: Attempt, { kind, login, via }: Builder): boolean {
  const isSeen = kind === 'bot' && via.some((one) => one === 'author' || one === 'pusher')
  return isSeen || isMachineUnder(policy.identities, login)
}

function isEscalated({ row, status, reasons }: Decision): boolean {
  const spent = reasons.some(({ code }) => code === 'POLICY_RETRY_LIMIT_EXCEEDED' || code === 'POLICY_NO_PROGRESS')
  return row === 'hard' || (status === 'failed' && row !== 'spent' && spent)
}
