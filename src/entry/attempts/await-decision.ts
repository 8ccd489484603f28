// Waits for a decision: asks again and again, since whoever decides may be any process. What passes by itself is waited out too.
import { jsonIn } from '../../core/json.ts'
import { attemptSchema, type AttemptDocument } from '../../core/words/documents/attempt-schema.ts'
import { NotNow } from './not-now.ts'
import type { Read } from './read-attempt.ts'

export type Waiting = {
  /** Only a decision about this commit counts; null for whichever is the newest. */
  readonly sha: string | null
  readonly until: number
  readonly now: () => number
  /** Milliseconds from one look to the next, where nobody asks for more. */
  readonly every: number
  readonly pause: (ms: number) => Promise<unknown>
  /** Told after each look that found no decision: what there is, or why nobody said it. */
  readonly progress: (words: string, trouble: NotNow | null) => unknown
}

/** The document with the decision, or, when the time is over, the last one that there was. Rejects where nobody ever said what there is. */
export async function decisionOf(read: () => Promise<Read>, waiting: Waiting): Promise<string | null> {
  const { sha, until, now, every, pause, progress } = waiting
  let known: Read | null = null
  for (;;) {
    const look = await lookOf(read)
    const trouble = look instanceof NotNow ? look : null
    if (!(look instanceof NotNow)) known = look
    const document = known === null ? null : documentOf(known)
    if (known !== null && isDecided(document, known.head, sha)) return known.text
    const left = until - now()
    if (left <= 0 && known !== null) return known.text
    if (left <= 0 && trouble !== null) throw trouble
    await progress(trouble?.message ?? document?.headline ?? 'nothing was judged yet', trouble)
    await pause(Math.min(left, Math.max(every, trouble?.afterMs ?? 0)))
  }
}

async function lookOf(read: () => Promise<Read>): Promise<Read | NotNow> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NotNow) return error
    throw error
  }
}

const documentOf = ({ text }: Read): AttemptDocument | null =>
  text === null ? null : (attemptSchema.safeParse(jsonIn(text)).data ?? null)

function isDecided(document: AttemptDocument | null, head: string | null, sha: string | null): boolean {
  if (document === null || document.status === 'pending') return false
  return sha === null ? head === null || document.head_sha === head : document.head_sha.startsWith(sha)
}
