// Votes about one change: each reads all pieces of it, none sees another. What is asked is the questions of the task, with
// what stood of the first readings at hand.
import { back, whole } from '../../core/chain.ts'
import type { RawAnswer } from '../../core/decision/examined.ts'
import type { ReferReason, UnavailableReason } from '../../core/decision/verdict.ts'
import { readAnswer, silence } from '../../verifier/weighing/answer.ts'
import type { VoteContext } from '../../verifier/weighing/context.ts'
import type { Chunk } from '../../verifier/change/pack.ts'
import { controlFor } from '../../verifier/asking/control.ts'
import { checkOutputs, verdictRequest, type Brief } from '../../verifier/asking/prompt.ts'
import type { Lens } from '../../verifier/asking/role.ts'
import { askedAbout } from '../../verifier/weighing/ledger.ts'
import { answerKey, judgeAnswers, type Judged } from '../../verifier/weighing/testimony.ts'
import { unfoundIn, withMore, withQuotes } from '../../verifier/weighing/second-look.ts'
import type { Reading } from '../../verifier/weighing/weigh.ts'
import { put, type Asking, type Reply } from './asking/asking.ts'

export type Ballot = {
  readonly n: number
  readonly purpose: 'tier2' | 'confirmation' | 'vote' | 'quotes' | 'again'
  readonly lens: Lens
  readonly model: string
  readonly remarks: readonly string[]
}
export type Poll = {
  readonly asking: Asking
  readonly brief: Brief
  readonly context: VoteContext
  /** Answers on record, by the key of what was asked. */
  readonly known: ReadonlyMap<string, RawAnswer>
  /** A piece with what an answer says it has not seen, or null where there is nothing of it. */
  readonly seek: (chunk: Chunk, unseen: readonly string[]) => Promise<Chunk | null>
}
export type Cast = { readonly ballot: Ballot } & (
  | {
      readonly kind: 'cast'
      readonly judged: Judged
      readonly raw: readonly RawAnswer[]
      readonly reused: boolean
      readonly model: string
      /** The pieces as they were shown in the end. */
      readonly chunks: readonly Chunk[]
    }
  /** With what was answered about other pieces before, and what is proven all the same. */
  | {
      readonly kind: 'refer'
      readonly reason: ReferReason
      readonly detail: string | null
      readonly raw: readonly RawAnswer[]
      readonly standing: Judged | null
    }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly raw: readonly RawAnswer[] }
)

/** With several pieces there are several prefixes, and only a whole vote has written them all. */
export const castVotes = (poll: Poll, ballots: readonly Ballot[]): Promise<Cast[]> =>
  sharing(ballots, (ballot, begun) => castVote(poll, ballot, poll.brief.packed.chunks.length === 1 ? begun : undefined))

/** The first of those that share a prefix writes it into the cache; the others begin when its answer does. */
export async function sharing<T, R>(
  readers: readonly T[],
  ask: (reader: T, begun?: () => void) => Promise<R>,
): Promise<R[]> {
  const [first, ...others] = readers
  if (first === undefined) return []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const leading = ask(first, begin).finally(begin)
  await begun
  return Promise.all([leading, ...others.map((one) => ask(one))])
}

type Piece = {
  readonly chunk: Chunk
  readonly reading: Reading
  readonly raw: readonly RawAnswer[]
  readonly reused: boolean
}
export type Unread = Exclude<Reply<never>, { kind: 'read' }>

export async function castVote(poll: Poll, ballot: Ballot, begun?: () => void): Promise<Cast> {
  const pieces: Piece[] = []
  for (const chunk of poll.brief.packed.chunks) {
    const piece = await seenWhole(poll, ballot, await pieceOf(poll, ballot, chunk, begun))
    if ('kind' in piece) {
      const ended = { ballot, raw: pieces.flatMap((one) => one.raw) }
      return piece.kind === 'refer'
        ? { ...ended, ...piece, standing: standingWithout(poll, pieces) }
        : { ...ended, ...piece }
    }
    pieces.push(piece)
  }
  const reused = pieces.every((piece) => piece.reused)
  const reach = pieces.some((piece) => piece.reused) ? 'anywhere' : 'near'
  const readings = pieces.map(({ reading }) => reading)
  const answered = { answers: readings.map(({ answer }) => answer), rests_on: null }
  const { rests_on } = whole(await back(poll.asking.steps, ({ afterModel }) => afterModel, answered))
  const judged = judgeAnswers(readings, { ...poll.context, rests_on }, reach)
  const raw = pieces.flatMap((piece) => piece.raw)
  const chunks = pieces.map(({ chunk }) => chunk)
  return { ballot, kind: 'cast', judged, raw, reused, model: raw[0]?.model ?? ballot.model, chunks }
}

/** What is proven although not all pieces were answered; null where nothing is. A refusal takes no objection back. */
export function standingWithout(
  { brief, context }: Pick<Poll, 'brief' | 'context'>,
  answered: readonly Pick<Piece, 'reading' | 'reused'>[],
): Judged | null {
  const readings = brief.packed.chunks.map(
    (chunk, index): Reading => answered[index]?.reading ?? { answer: silence, presented: presentedOf(brief, chunk) },
  )
  const reach = answered.some(({ reused }) => reused) ? 'anywhere' : 'near'
  const judged = judgeAnswers(readings, { ...context, rests_on: null }, reach)
  return judged.objections.some(({ proven }) => proven) ? judged : null
}

/** An answer about one piece, and where what it objects to is not to be found, a second one about that. */
async function pieceOf(poll: Poll, ballot: Ballot, chunk: Chunk, begun?: () => void): Promise<Piece | Unread> {
  const first = recall(poll, ballot, chunk) ?? (await askAbout(poll, ballot, chunk, begun))
  if ('kind' in first) return first
  const wrong = unfoundIn(first.reading, first.reused ? 'anywhere' : 'near')
  const alone: Piece = { chunk, reading: first.reading, raw: [first.raw], reused: first.reused }
  if (wrong.length === 0) return alone
  const anew: Ballot = { ...ballot, purpose: 'quotes', remarks: [...ballot.remarks, ...wrong] }
  const second = recall(poll, anew, chunk) ?? (await askAbout(poll, anew, chunk))
  // Without a second answer the first one stands as it is: people are asked.
  if ('kind' in second) return alone
  return {
    chunk,
    reading: withQuotes(first.reading, second.reading),
    raw: [first.raw, second.raw],
    reused: first.reused && second.reused,
  }
}

/** The first review is asked once more, with what it says it has not seen, as far as the commit has it. */
async function seenWhole(poll: Poll, ballot: Ballot, first: Piece | Unread): Promise<Piece | Unread> {
  if ('kind' in first || ballot.purpose !== 'tier2') return first
  const unseen = first.reading.answer.unseen_needed.filter((one) => one.trim() !== '')
  const chunk = unseen.length === 0 ? null : await poll.seek(first.chunk, unseen)
  if (chunk === null) return first
  const second = await pieceOf(poll, { ...ballot, purpose: 'again' }, chunk)
  // What nobody answered is as it was.
  if ('kind' in second) return first
  return {
    chunk,
    reading: withMore(first.reading, second.reading),
    raw: [...first.raw, ...second.raw],
    reused: first.reused && second.reused,
  }
}

type Answered = { readonly reading: Reading; readonly raw: RawAnswer; readonly reused: boolean }

/** An answer on record is read and judged again, with today's results; only the asking is spared. */
function recall({ known, context, brief }: Poll, ballot: Ballot, chunk: Chunk): Answered | null {
  const raw = known.get(answerKey(context, chunk.fingerprint, ballot))
  if (raw === undefined) return null
  const read = readAnswer(raw.text, {
    nonce: raw.nonce,
    probes: context.probes.map(({ id }) => id),
    items: null,
    control: null,
  })
  return read.ok ? { reading: { answer: read.answer, presented: presentedOf(brief, chunk) }, raw, reused: true } : null
}

export const presentedOf = ({ attempt, redact }: Brief, { files, around }: Chunk) => ({
  files,
  around: around.map(({ file }) => file),
  checks: checkOutputs(attempt, redact),
})

async function askAbout(
  { asking, brief, context }: Poll,
  { n, lens, model, purpose, remarks }: Ballot,
  chunk: Chunk,
  begun?: () => void,
): Promise<Answered | Unread> {
  const { probes, claims } = context
  const items = askedAbout(context.items)
  const control = controlFor(chunk, `${purpose} ${n}`, brief.keyed)
  const expected = { probes: probes.map(({ id }) => id), items: items.map(({ id }) => id), control }
  const own = claims.filter(({ path }) => chunk.files.some((file) => file.path === path))
  const reply = await put(asking, {
    purpose: `${purpose} ${n}`,
    request: (nonce, wrong) =>
      verdictRequest(brief, chunk, {
        n,
        lens,
        nonce,
        model,
        items,
        control,
        claims: own,
        remarks: [...remarks, ...wrong],
      }),
    read: (text, nonce) => {
      const read = readAnswer(text, { nonce, ...expected })
      return read.ok ? { ok: true, value: read.answer } : read
    },
    begun,
  })
  if (reply.kind !== 'read') return reply
  const { value: answer, text, nonce, model: answered } = reply
  const key = answerKey(context, chunk.fingerprint, { purpose, n, lens, model })
  return {
    reading: { answer, presented: presentedOf(brief, chunk) },
    raw: { key, nonce, model: answered, text },
    reused: false,
  }
}
