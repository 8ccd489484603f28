// The code around a change, gathered by us and never by tools of a model: what is shown unasked, and once more what a first
// answer says it has not seen. That it could not be had is told with the verdict; no change is the worse for it.
import { faultOf } from '../../core/error-words.ts'
import type { Snapshot } from '../../verifier/context/look.ts'
import type { FileChange } from '../../verifier/change/change.ts'
import type { Chunk } from '../../verifier/change/pack.ts'
import type { LookQuestion } from '../../verifier/context/look.ts'
import type { ShownExcerpt, Sight } from '../../verifier/context/sight.ts'
import type { Subject } from './conclusion.ts'

/** The files of the attempt's commit; opened once, when they are first wanted. */
export type Surroundings = {
  readonly open: (files: readonly FileChange[]) => Promise<Snapshot>
  readonly close: () => Promise<void>
}

/** Whoever opens nothing closes nothing. */
export function surroundingsOf(open: (files: readonly FileChange[]) => Promise<Snapshot>): Surroundings {
  let opened: Promise<Snapshot> | null = null
  return {
    open: (files) => (opened ??= open(files)),
    close: async () => {
      const snapshot = await opened?.catch(() => null)
      await snapshot?.close()
    },
  }
}

export async function closing<T>(surroundings: Surroundings | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await surroundings?.close()
  }
}

/** The same subject, each piece of its change with what stands around it. */
export async function surrounded(subject: Subject): Promise<Subject> {
  const { context_tokens: tokens } = subject.attempt.contract.policy.verification.verifier
  if (subject.surroundings === null || tokens === 0) return subject
  const notes: string[] = []
  const chunks: Chunk[] = []
  for (const chunk of subject.packed.chunks) {
    const sight = await look(subject, chunk, { tokens, asked: [], before: [] })
    notes.push(...sight.notes)
    chunks.push({ ...chunk, around: sight.shown })
  }
  const told = [...new Set(notes)].map((note) => `Around the change: ${note}.`)
  return { ...subject, packed: { ...subject.packed, chunks }, remarks: [...subject.remarks, ...told] }
}

/** A share of what is shown unasked, for what is asked for. */
const ASKED_SHARE = 0.5

/** The piece with what an answer says it needs, or null where nothing of it is to be found. */
export async function soughtFor(subject: Subject, chunk: Chunk, asked: readonly string[]): Promise<Chunk | null> {
  const { context_tokens } = subject.attempt.contract.policy.verification.verifier
  if (subject.surroundings === null || context_tokens === 0) return null
  const tokens = Math.floor(context_tokens * ASKED_SHARE)
  const { shown } = await look(subject, chunk, { tokens, asked, before: chunk.around })
  return shown.length === 0 ? null : { ...chunk, around: [...chunk.around, ...shown] }
}

async function look(
  { change, redact, surroundings }: Subject,
  chunk: Chunk,
  wanted: Pick<LookQuestion, 'tokens' | 'asked' | 'before'>,
): Promise<Sight> {
  const paths = new Set(chunk.files.map(({ path }) => path))
  const files = change.files.filter(({ path }) => paths.has(path))
  const unread = (why: string): Sight => ({ shown: [], notes: [`it was not read: ${why}`] })
  try {
    const snapshot = await surroundings?.open(change.files)
    const looked = await snapshot?.look({ ...wanted, files, known: redact.known })
    if (looked === undefined) return unread('nobody can read it here')
    if (looked === null) return unread('it takes too much time')
    for (const [secret, mark] of looked.known) redact.known.set(secret, mark)
    return { ...looked.sight, shown: looked.sight.shown.map((one) => withoutOwn(one, redact.own)) }
  } catch (error) {
    return unread(faultOf(error))
  }
}

/** Secrets of ours do not leave, wherever they stand. */
const withoutOwn = (one: ShownExcerpt, own: (text: string) => string): ShownExcerpt => ({
  ...one,
  file: {
    ...one.file,
    hunks: one.file.hunks.map((hunk) => ({
      ...hunk,
      lines: hunk.lines.map((line) => ({ ...line, text: own(line.text) })),
    })),
  },
})
