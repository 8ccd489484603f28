// The document of an attempt as text, in one spelling wherever it is read: small enough for a comment, and such that neither
// hiding its secrets once more nor showing its hidden characters changes a byte.
import { unseen } from '../../visible.ts'
import type { Decision } from '../../decision/decision.ts'
import type { Attempt, TaskState } from '../../decision/model.ts'
import { conclude } from '../../decision/gate/conclude.ts'
import { attemptDocument } from './attempt-document.ts'
import type { AttemptDocument } from './attempt-schema.ts'
import { documentLimits, type DocumentLimits } from './document-limits.ts'
import { bytesOf } from '../text/fit.ts'
import { redact } from '../text/redact.ts'
import { retryContext } from '../retry/retry-context.ts'
import { fenced } from '../text/untrusted.ts'

/** Leaves room for people in a comment. */
export const DOCUMENT_BYTES_MAX = 36_000

export function attemptJson(
  task: TaskState,
  given: Attempt,
  decision = given.decision ?? conclude(task, given),
): string {
  const attempt = given.decision === decision ? given : { ...given, decision }
  const context = retryContext(task, attempt)
  return withinBytes((limits) => attemptDocument({ task, attempt, context }, decision, limits))
}

/** With the limits under which it fits; each cuts more than the one before. */
export function withinBytes(document: (limits: DocumentLimits) => AttemptDocument): string {
  let text = ''
  for (const limits of documentLimits) {
    text = jsonText(document(limits))
    if (bytesOf(text) <= DOCUMENT_BYTES_MAX) return text
  }
  return text
}

/** One member a line: what is looked for in the whole text never begins in one of them and ends in the next. */
export const jsonText = (document: object): string => redact(visibleJson(JSON.stringify(document, null, 1)))

const hidden = new RegExp(unseen, 'gu')

/** What people cannot see is written as an escape. */
export const visibleJson = (json: string): string => json.replaceAll(hidden, escaped)

const escaped = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** Folded, for a comment. */
export const attemptFold = (task: TaskState, attempt: Attempt, decision: Decision): string =>
  `<details><summary>For agents</summary>\n\n${fenced(attemptJson(task, attempt, decision), 'json')}\n\n</details>`
