// All that is ever read of a webhook's body. What GitHub delivers may be 25 MB, most of it what others wrote, so this is done
// where nobody waits for it unless it is small.
import { jsonIn } from '../../../core/json.ts'
import type { Job } from '../../../core/jobs.ts'
import { letInBy, type LetIn } from './let-in.ts'
import { changeTold, type ChangeTold } from './delivery-line.ts'
import { heard, type Heard } from './payloads.ts'

export type WebhookBody = {
  readonly event: string
  readonly guid: string
  readonly body: Uint8Array
  readonly ownApp: number
}
export type ReadWebhook =
  | { readonly kind: 'no json' }
  | {
      readonly kind: 'webhook'
      readonly letIn: LetIn | null
      readonly change: ChangeTold | null
      /** Null where it is of no concern. */
      readonly heard: Heard | null
    }

/** JSON is parsed so much faster than anything else that others write. */
const PACE = 100

export const readWebhookJob: Job<WebhookBody, ReadWebhook> = {
  run: ({ event, guid, body, ownApp }) => {
    const payload = jsonIn(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'))
    if (payload === undefined) return { kind: 'no json' }
    const webhook = { event, guid, payload }
    return {
      kind: 'webhook',
      letIn: letInBy(webhook),
      change: changeTold(payload),
      heard: heard(webhook, ownApp),
    }
  },
  work: ({ body }) => body.length / PACE,
  gives: ({ body }) => body,
}
