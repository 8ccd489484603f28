// What somebody said, judged by the rules of who may do what. A word that was judged already is not heard again.
import { lastAttempt, liveAttempt } from './attempt.ts'
import { dismissalOf, dismissedUnheard, judgeReview } from '../../people/judge-review.ts'
import { judgeLabel, judgeReason } from '../../people/judge-label.ts'
import { judgeAssume } from '../../people/judge-assume.ts'
import { judgeTask } from '../../people/judge-task.ts'
import { judgeAct, judgeRunApproval, refuse, type Heard } from '../../people/judge.ts'
import type { Saying } from '../../people/saying.ts'
import { judgeRevoke, judgeVerify } from '../../people/judge-again.ts'
import type { Command } from '../../people/command.ts'
import { rejectionTakenBack, takenBackBefore } from '../../people/taking-back.ts'
import { emit, type Draft } from './draft.ts'
import type { NewEvent } from '../record/events.ts'
import type { Input } from './inputs.ts'

type Said = Extract<Input, { saying: Saying }>

export function hear(draft: Draft, input: Said): void {
  const { task } = draft
  const { saying } = input
  const last = lastAttempt(task, input.pull)
  const isMerged = last !== undefined && last.merged !== null
  const attempt = isHeardAlways(input, isMerged) ? last : liveAttempt(task, input.pull)
  if (attempt === undefined) {
    emit(draft, refuse({ attempt: null, saying }, 'USER_COMMAND_REFUSED', 'no_attempt', null, []))
    return
  }
  const heard: Heard = { task, attempt, saying }
  const events = judged(heard, input)
  const by = input.type === 'give_command' ? input.taken_back_by : undefined
  emit(draft, ...events, ...takenBackBefore(heard, events))
  if (by !== undefined) emit(draft, ...rejectionTakenBack(heard, by, events))
}

function judged(heard: Heard, input: Said): NewEvent[] {
  switch (input.type) {
    case 'give_command':
      return commanded(heard, input.command)
    case 'set_label':
      return judgeLabel(heard, input.act, input.added)
    case 'approve_run':
      return judgeRunApproval(heard)
    case 'submit_review':
      return judgeReview(heard, input.review)
    case 'dismiss_review': {
      const review = heard.task.reviews.find(({ id }) => id === input.review_id)
      return review === undefined ? [dismissedUnheard(heard, input.review_id)] : dismissalOf(heard, review)
    }
  }
}

/** What restricts, and taking back one's own word, counts also while a pull request is a draft or closed. */
function isHeardAlways(input: Said, isMerged: boolean): boolean {
  switch (input.type) {
    case 'submit_review':
    case 'dismiss_review':
      return true
    case 'approve_run':
      return false
    case 'set_label':
      return !input.added || (input.act === 'reject' && !isMerged)
    case 'give_command':
      return (
        input.command.name === 'revoke' || (input.command.name === 'reject' && !isMerged) || isAboutDone(input.command)
      )
  }
}

/** What is merged is confirmed, sent back and taken up again all the same. */
const isAboutDone = (command: Command): boolean =>
  command.name === 'task' && command.verb !== 'assign' && command.verb !== 'start' && command.verb !== 'submit'

/** Questions are answered by the doors; the rules only judge what changes something. */
function commanded(heard: Heard, command: Command): NewEvent[] {
  switch (command.name) {
    case 'override':
    case 'approve':
    case 'reject':
    case 'ack':
    case 'retry':
      return judgeAct(heard, command)
    case 'revoke':
      return judgeRevoke(heard)
    case 'verify':
      return judgeVerify(heard)
    case 'assume':
      return judgeAssume(heard, [command.text, ...command.items])
    case 'task':
      return judgeTask(heard, command.verb, command.text, command.items)
    case 'reason':
      return judgeReason(heard, command.reason)
    case 'status':
    case 'context':
    case 'log':
    case 'help':
    case 'goal':
    case 'request':
      return []
  }
}
