// Answers to questions, to words that could not be taken, and to words where nothing is judged.
import { conclude } from '../decision/gate/conclude.ts'
import type { RecordedEvent } from '../decision/record/events.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import { commandHelp, commandNames, type Command, type CommandName } from '../people/command.ts'
import { COMMANDS_MAX, type ReadCommand } from '../people/read-commands.ts'
import { attemptFold } from './documents/attempt-json.ts'
import { explain, sayMoment } from './timeline/explain.ts'
import { fitted } from './text/fit.ts'
import { atGoalOnly } from './issues/goal-answers.ts'
import { isShadow } from './headline.ts'
import { explanation, protectionLine } from './report.ts'
import { atRequestOnly } from './issues/request-page.ts'
import { renderRetryContext, retryContext } from './retry/retry-context.ts'
import { codeSpan, fenced } from './text/untrusted.ts'

const LOG_LINES_MAX = 200

/** What a question is answered with, or null for words that change something. */
export function answerText(
  command: Command,
  task: TaskState,
  attempt: Attempt,
  log: readonly RecordedEvent[],
): string | null {
  const answer = wholeAnswer(command, task, attempt, log)
  return answer === null ? null : fitted([{ name: 'the rest of the answer', text: answer }])
}

function wholeAnswer(
  command: Command,
  task: TaskState,
  attempt: Attempt,
  log: readonly RecordedEvent[],
): string | null {
  switch (command.name) {
    case 'status':
      return explanation(task, attempt, attempt.decision ?? conclude(task, attempt))
    case 'context': {
      const text = renderRetryContext(retryContext(task, attempt))
      return fitted([
        { name: 'what the next attempt should know', text },
        { name: null, text: attemptFold(task, attempt, attempt.decision ?? conclude(task, attempt)) },
      ])
    }
    case 'log': {
      const feedback = attempt.contract.policy.verification.retry.include_verifier_feedback
      const lines = explain(log, { feedback }).map(sayMoment)
      const cut = lines.length > LOG_LINES_MAX ? [`… ${lines.length - LOG_LINES_MAX} earlier lines`] : []
      return fenced([...cut, ...lines.slice(-LOG_LINES_MAX)].join('\n'), 'text')
    }
    case 'help':
      return [standsInNobodysWay(attempt), helpText(attempt.live ? atPulls : afterwards)].filter(Boolean).join('\n\n')
    case 'override':
    case 'approve':
    case 'reject':
    case 'ack':
    case 'retry':
    case 'reason':
    case 'revoke':
    case 'verify':
    case 'assume':
    case 'task':
      return null
    case 'goal':
      return atGoalOnly.pull
    case 'request':
      return atRequestOnly
  }
}

/** Said first, since a gate that nothing enforces looks like one all the same. */
const standsInNobodysWay = (attempt: Attempt): string =>
  isShadow(attempt) ? 'Shadow mode: what is decided here blocks nothing.' : protectionLine(attempt)

export const neverJudgedText =
  'This pull request is not judged: it is older than the installation, or its base has no policy. `/countersign verify` has it looked at.'

/** What works at a pull request that is judged, and what still does once it is closed. */
const atPulls = commandNames.filter((name) => name !== 'goal' && name !== 'request')
const afterwards = ['revoke', 'status', 'context', 'log', 'help', 'task'] as const satisfies readonly CommandName[]

const helpText = (names: readonly CommandName[]): string =>
  names.map((name) => `- ${codeSpan(commandHelp[name].usage)} — ${commandHelp[name].meaning}`).join('\n')

export function unknownText({ word, nearest }: Extract<ReadCommand, { kind: 'unknown' }>): string {
  const meant =
    nearest === null ? `${codeSpan('/help')} lists the commands` : `did you mean ${codeSpan(`/${nearest}`)}?`
  return `There is no command ${codeSpan(word)}: ${meant}`
}

/** `text`: the first word of a command that stands where nothing was read. */
export const unreadableText = ({ text }: Extract<ReadCommand, { kind: 'unreadable' }>): string =>
  `This comment takes too long to read, or holds more than ${COMMANDS_MAX} commands, so ${codeSpan(text)} in it was not taken, nor what follows. Write the command in a comment of its own.`

export function incompleteText({ why, usage }: Extract<ReadCommand, { kind: 'incomplete' }>): string {
  const reasons = {
    unknown_flag: 'it has an option that does not exist',
    missing_value: 'an option is missing its value',
    misplaced_flag: 'options stand before the reason',
    repeated_flag: 'an option is there twice',
    bad_sha: 'a commit is named by 7 to 40 hexadecimal digits',
    bad_verb: 'it does not say what to do',
    reason_too_long: 'the reason is longer than 2,000 characters',
  } as const satisfies Record<typeof why, string>
  return `This could not be taken: ${reasons[why]}. Write ${codeSpan(usage)}.`
}

const keptReasons = {
  draft: 'This is a draft, and drafts are not judged: once it is ready for review, it does not turn green over that.',
  closed:
    'This pull request is closed, so nothing of it is judged: once it is open again, it does not turn green over that.',
} as const

/** For words on a pull request that nobody ever judged, and that is not judged now either. */
export function notOpenText(command: Command, why: 'draft' | 'closed' | 'merged'): string {
  const reasons = {
    draft: 'This is a draft, and drafts are not judged: mark it as ready for review, then say it again.',
    closed: 'This pull request is closed, so nothing of it is judged: reopen it, then say it again.',
    merged: 'This pull request is merged, so nothing can change what was decided about it.',
  } as const satisfies Record<typeof why, string>
  // Nothing that it could list works there.
  if (command.name === 'help') return reasons[why]
  // A no is read before anything turns green, whenever it was said.
  if (command.name === 'reject' && why !== 'merged') return `${codeSpan('/reject')} is kept. ${keptReasons[why]}`
  return `${codeSpan(`/${command.name}`)} was not taken. ${reasons[why]}`
}
