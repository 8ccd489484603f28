// What the issue of a request shows: where it stands, who is waited for, what is unclear, which task it became. Composed from
// state alone, so that the same state always gives the same bytes.
import { approverWords } from '../../requests/judge-request.ts'
import type { RequestState } from '../../requests/request.ts'
import { labelPrefix } from '../../people/act.ts'
import { waitsFor } from './board.ts'
import { fitted } from '../text/fit.ts'
import { neutralLine } from '../text/neutral.ts'
import { mention } from '../text/mention.ts'
import { requestFold } from '../documents/request-document.ts'
import { requestHeadline } from './request-headline.ts'
import { stickyMarker } from '../report.ts'
import { codeSpan, quoted } from '../text/untrusted.ts'

const CRITERIA_SHOWN_MAX = 50

export const requestLabel = ({ status }: RequestState): string => `${labelPrefix}request-${status.replaceAll('_', '-')}`

export function requestText(request: RequestState): string {
  return fitted([
    { name: null, text: stickyMarker },
    { name: null, text: `**${requestHeadline(request)}**` },
    { name: null, text: nextStep(request) },
    { name: 'what is unclear', text: unclear(request) },
    { name: 'the criteria', text: criteria(request) },
    { name: null, text: handedOver(request) },
    { name: null, text: requestFold(request) },
  ])
}

const name = (login: string | null | undefined): string => neutralLine(login ?? 'somebody')

function nextStep(request: RequestState): string {
  const { status, terms, approval, turned_down, task, outdated, by } = request
  switch (status) {
    case 'none':
    case 'submitted':
      return ''
    case 'needs_info':
      return `${name(by?.login)} answers by editing the text above. Then it waits for approval.`
    case 'triaged':
      return [
        ...(outdated === null
          ? []
          : [`It was changed after ${name(outdated)} had approved it, so it is approved again, or not.`, '']),
        `${approverWords(terms, null)
          .map((who) => neutralLine(who))
          .join(', ')}, but nobody who asked for it, writes:`,
        '',
        `- ${codeSpan('/request approve')}: it becomes a task, which an agent or a person takes up`,
        `- ${codeSpan('/request ask <question>')}, where something is unclear`,
        `- ${codeSpan('/request reject <reason>')}`,
      ].join('\n')
    case 'rejected':
      if (turned_down?.by_merge === true) return 'Nobody turned it down. Opened again, it begins anew.'
      return turned_down?.reason === null || turned_down === null ? '' : quoted(turned_down.reason)
    case 'approved':
    case 'in_work':
    case 'done': {
      const notes = approval === null || approval.notes === '' ? [] : [quoted(approval.notes), '']
      const solo = approval?.solo === true ? ['Approved by whoever asked for it, since nobody else could.', ''] : []
      const wait = task === null || status === 'done' ? [] : [`It waits for ${waitsFor(task)}.`]
      return [...notes, ...solo, ...wait].join('\n').trim()
    }
  }
}

function unclear({ status, words, question, terms }: RequestState): string {
  if (status !== 'needs_info' && status !== 'triaged') return ''
  const lacking = terms.clarification === 'off' ? [] : words.lacking.map((one) => `- ${neutralLine(one)}`)
  const asks = question === null ? [] : [`${name(question.by)} asks:`, quoted(question.text)]
  const lead = lacking.length === 0 ? [] : [terms.clarification === 'block' ? 'Before it can be approved:' : 'Unclear:']
  return [...asks, ...(asks.length > 0 && lead.length > 0 ? [''] : []), ...lead, ...lacking].join('\n')
}

function criteria({ status, words }: RequestState): string {
  if (status !== 'triaged' || words.criteria.length === 0) return ''
  const shown = words.criteria.slice(0, CRITERIA_SHOWN_MAX).map((one) => `- ${neutralLine(one)}`)
  return ['It will be judged by:', ...shown].join('\n')
}

function handedOver({ status, started, terms }: RequestState): string {
  if (status !== 'approved' || started?.problem === undefined || started.problem === null) return ''
  return `Nobody was told (${codeSpan(terms.start)}): ${neutralLine(started.problem)}. Somebody hands it over by hand.`
}

/** The text of a task that has an issue of its own: what was approved, as it was copied then. */
export const taskText = ({ number, approval }: RequestState, body: string): string =>
  `A task from the request #${number}, approved by ${name(approval?.by)}.\n\n${body}`

/** A word to an agent that acts on its name. */
export const startText = (whom: string, task: number): string =>
  `${mention(whom)} this was approved: take up #${task}, and open a pull request that says ${codeSpan(`Closes #${task}`)}. Its acceptance criteria are what it is judged by.`

export const notARequestText = (verb: string): string =>
  `${codeSpan(`/request ${verb}`)} is said at the issue of a request, and this is none. The label ${codeSpan('request')} makes it one.`

export const atRequestOnly = `${codeSpan('/request')} is said at the issue of a request.`

export const eitherOrText = (kind: 'goal' | 'request'): string =>
  kind === 'goal'
    ? `This issue is a request, so the label ${codeSpan('goal')} changes nothing: an issue is one of both.`
    : `This issue is a goal, so the label ${codeSpan('request')} changes nothing: an issue is one of both.`
