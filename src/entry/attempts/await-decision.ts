// Waits for a decision: asks again and again, since whoever decides may be any process.
import { jsonIn } from '../../core/json.ts'
import { attemptSchema, type AttemptDocument } from '../../core/words/documents/attempt-schema.ts'
import type { Read } from './read-attempt.ts'

export type Waiting = {
  /** Only a decision about this commit counts; null for whichever is the newest. */
  readonly sha: string | null
  readonly until: number
  readonly now: () => number
  readonly pause: () => Promise<unknown>
  /** Told after each look that found no decision. */
  readonly progress: (document: AttemptDocument | null) => unknown
}

/** The document with the decision, or, when the time is over, the last one that there was. */
export async function decisionOf(read: () => Promise<Read>, waiting: Waiting): Promise<string | null> {
  const { sha, until, now, pause, progress } = waiting
  for (;;) {
    const { text, head } = await read()
    const document = text === null ? null : (attemptSchema.safeParse(jsonIn(text)).data ?? null)
    const isNewest = head === null || document?.head_sha === head
    const isMeant = sha === null ? isNewest : document?.head_sha.startsWith(sha) === true
    if (document !== null && isMeant && document.status !== 'pending') return text
    if (now() >= until) return text
    await progress(document)
    await pause()
  }
}
