// `countersign/request@1`: where a request stands, as one document for programs. The same bytes stand on its page, and are given by
// the App and MCP; derived from state alone.
import { z } from 'zod'
import { approverWords } from '../../requests/judge-request.ts'
import type { RequestState } from '../../requests/request.ts'
import { upTo } from '../../visible.ts'
import { jsonText } from './attempt-json.ts'
import { taskStatuses } from './attempt-schema.ts'
import { requestHeadline } from '../issues/request-headline.ts'
import { fenced } from '../text/untrusted.ts'

export const REQUEST_SCHEMA = 'countersign/request@1'
const TEXT_LENGTH_MAX = 1_000
const LISTED_MAX = 50

export const requestStatuses = [
  'submitted',
  'needs_info',
  'triaged',
  'approved',
  'rejected',
  'in_work',
  'done',
] as const
const text = z.string()

export const requestSchema = z.object({
  schema: z.literal(REQUEST_SCHEMA),
  request_id: text.describe('`owner/repo#n`, where n is its issue.'),
  title: text,
  status: z.enum(requestStatuses),
  open: z.boolean().describe('Whether its issue is open.'),
  headline: text,
  by: text.nullable().describe('Who wishes for it.'),
  criteria: z.array(text).describe('What it will be judged by.'),
  lacking: z.array(text).describe('What is missing or unclear.'),
  question: z.object({ by: text, text }).nullable(),
  approval: z.object({ by: text, notes: text, solo: z.boolean() }).nullable(),
  turned_down: z.object({ by: text.nullable(), reason: text.nullable() }).nullable(),
  task: z
    .object({
      task_id: text,
      status: z.enum(taskStatuses),
      pull: z.int().nullable(),
      who: text.nullable(),
      blocked_by: z.array(text),
    })
    .nullable(),
  unblock: z
    .array(z.object({ who: text, words: text }))
    .describe('Who can take it further, with which words. They are for people.'),
  truncated: z.array(text).describe('The fields that do not show everything.'),
})
export type RequestDocument = z.output<typeof requestSchema>

/** Folded, for its page. */
export const requestFold = (request: RequestState): string =>
  request.status === 'none'
    ? ''
    : `<details><summary>For agents</summary>\n\n${fenced(requestJson(request), 'json')}\n\n</details>`

export function requestJson(request: RequestState): string {
  const truncated = new Set<string>()
  const cut = (field: string, words: string): string => {
    if (words.length > TEXT_LENGTH_MAX) truncated.add(field)
    return upTo(words, TEXT_LENGTH_MAX)
  }
  const some = (field: string, all: readonly string[]): string[] => {
    if (all.length > LISTED_MAX) truncated.add(field)
    return all.slice(0, LISTED_MAX).map((one) => cut(field, one))
  }
  const { request_id, words, status, by, question, approval, turned_down: down, closed, task } = request
  const document: Omit<RequestDocument, 'truncated'> = {
    schema: REQUEST_SCHEMA,
    request_id,
    title: cut('title', words.title),
    status: status === 'none' ? 'submitted' : status,
    open: closed === null,
    headline: requestHeadline(request),
    by: by?.login ?? null,
    criteria: some('criteria', words.criteria),
    lacking: some('lacking', words.lacking),
    question: question === null ? null : { by: question.by, text: cut('question', question.text) },
    approval:
      approval === null ? null : { by: approval.by, notes: cut('approval', approval.notes), solo: approval.solo },
    turned_down:
      down === null ? null : { by: down.by, reason: down.reason === null ? null : cut('turned_down', down.reason) },
    task:
      task === null
        ? null
        : {
            task_id: request_id.replace(/#\d+$/, `#${task.number}`),
            status: task.status === 'none' ? 'pending' : task.status,
            pull: task.pull,
            who: task.who,
            blocked_by: some('task', task.blocked_by ?? []),
          },
    unblock: unblockOf(request),
  }
  return jsonText({ ...document, truncated: [...truncated] })
}

function unblockOf({ status, by, terms }: RequestState): RequestDocument['unblock'] {
  if (status === 'needs_info') return [{ who: by?.login ?? 'whoever wrote it', words: 'edit the text of the issue' }]
  if (status !== 'triaged') return []
  const who = approverWords(terms, null).join(', ')
  return ['/request approve', '/request ask <question>', '/request reject <reason>'].map((words) => ({ who, words }))
}
