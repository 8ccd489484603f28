// Before anything is judged several fresh readers look for what is wrong, each with an eye of its own, and each thing that
// they find is given alone to somebody who is to refute it. What stands is told to the judge and needs no word of it; what
// does not is counted.
import type { Finding, RawAnswer } from '../../core/decision/examined.ts'
import { controlFor } from '../../verifier/asking/control.ts'
import { findRequest, refuteRequest } from '../../verifier/asking/prompt.ts'
import type { FindingLens } from '../../verifier/asking/role.ts'
import type { ModelRequest } from '../../verifier/calls/model.ts'
import type { Chunk } from '../../verifier/change/pack.ts'
import { findEvidence } from '../../verifier/weighing/evidence.ts'
import { readFindings, united, type FindReading } from '../../verifier/weighing/found.ts'
import { falls, readRefutation } from '../../verifier/weighing/refuted.ts'
import { answerKey } from '../../verifier/weighing/testimony.ts'
import { put } from './asking/asking.ts'
import { presentedOf, sharing, type Poll, type Unread } from './voting.ts'

export type Finder = { readonly n: number; readonly lens: FindingLens; readonly model: string }
export type Claims<F extends Finding = Finding> = {
  readonly claims: readonly F[]
  readonly dropped: Readonly<Record<string, number>>
  readonly remarks: readonly string[]
}
/** With what was found until somebody gave no answer. */
type Step<F extends Finding = Finding> = Claims<F> & {
  readonly raw: readonly RawAnswer[]
  readonly reused: boolean
} & ({ readonly kind: 'read' } | Unread)

/** A task with more findings than this is sent back for the gravest; the others stand unrefuted. */
const REFUTED_MAX = 12

/** What several readers find together. Most of them have to answer. */
export async function find(poll: Poll, finders: readonly Finder[]): Promise<Step> {
  // Two prefixes, one for each order of the files.
  const orders = [finders.filter(({ n }) => n % 2 === 1), finders.filter(({ n }) => n % 2 === 0)]
  const onePiece = poll.brief.packed.chunks.length === 1
  const looked = (
    await Promise.all(
      orders.map((some) => sharing(some, (finder, begun) => look(poll, finder, onePiece ? begun : undefined))),
    )
  ).flat()
  const raw = looked.flatMap((one) => one.raw)
  const reused = looked.every((one) => one.reused)
  const silent = looked.flatMap((one) => (one.failure === null ? [] : [one.failure]))
  const outage = silent.find(isOver)
  const [first] = silent
  const failure = outage ?? (silent.length * 2 >= finders.length ? first : undefined)
  const readings = looked.flatMap((one) => one.readings)
  const { claims, dropped } = united(readings, poll.context.declined)
  return {
    ...(failure ?? { kind: 'read' }),
    claims: outage === undefined ? claims : untried(claims),
    dropped,
    remarks: [
      ...(silent.length === 0 ? [] : [`${silent.length} of ${finders.length} first readings gave no answer.`]),
      ...readings.flatMap(spokenIn),
    ],
    raw,
    reused,
  }
}

const spokenIn = ({ suspicious_text, presented, reach }: FindReading): string[] =>
  suspicious_text
    .filter((one) => findEvidence(one, presented, reach).outcome === 'verified')
    .map(({ path, line }) => `${path}:${line} has text that addresses its reviewer.`)

type Looked = {
  readonly readings: readonly FindReading[]
  readonly raw: readonly RawAnswer[]
  readonly reused: boolean
  readonly failure: Unread | null
}

async function look(poll: Poll, { n, lens, model }: Finder, begun?: () => void): Promise<Looked> {
  const readings: FindReading[] = []
  const raw: RawAnswer[] = []
  let reused = true
  for (const chunk of poll.brief.packed.chunks) {
    const answer = await asked(poll, chunk, {
      as: { purpose: 'find', n, lens, model },
      request: (terms) => findRequest(poll.brief, chunk, { n, lens, model, ...terms }),
      read: readFindings,
      begun,
    })
    if (answer.kind !== 'read') return { readings, raw, reused: false, failure: answer }
    reused &&= answer.reused
    raw.push(answer.raw)
    const reach = answer.reused ? 'anywhere' : 'near'
    readings.push({ ...answer.value, presented: presentedOf(poll.brief, chunk), reach })
  }
  return { readings, raw, reused, failure: null }
}

/** Each claim alone. Whoever gives no answer has refuted nothing. */
export async function refute<F extends Finding>(
  poll: Poll,
  { claims, ...found }: Claims<F>,
  model: string,
): Promise<Step<F>> {
  const chunkOf = ({ path }: Finding): Chunk | undefined =>
    poll.brief.packed.chunks.find(({ files }) => files.some((file) => file.path === path))
  const tried = claims.slice(0, REFUTED_MAX).flatMap((claim) => {
    const chunk = chunkOf(claim)
    return chunk === undefined ? [] : [{ claim, chunk }]
  })
  const answers = await sharing(tried, async ({ claim, chunk }, begun) => {
    const answer = await asked(poll, chunk, {
      as: { purpose: 'refute', n: 0, lens: claim.id, model },
      request: (terms) => refuteRequest(poll.brief, chunk, { claim, model, ...terms }),
      read: readRefutation,
      begun,
    })
    return { claim, chunk, answer }
  })
  const raw = answers.flatMap(({ answer }) => (answer.kind === 'read' ? [answer.raw] : []))
  const reused = answers.every(({ answer }) => answer.kind === 'read' && answer.reused)
  const [failure] = answers.flatMap(({ answer }) => (answer.kind !== 'read' && isOver(answer) ? [answer] : []))
  const fallen = answers.flatMap(({ claim, chunk, answer }) =>
    answer.kind === 'read' &&
    falls(claim, answer.value, presentedOf(poll.brief, chunk), answer.reused ? 'anywhere' : 'near')
      ? [claim]
      : [],
  )
  const refuted = fallen.length
  const unfound = Object.values(found.dropped).reduce((sum, times) => sum + times, 0)
  const left = claims.filter((claim) => !fallen.includes(claim))
  const isTried = (claim: F): boolean => answers.some((one) => one.claim === claim && one.answer.kind === 'read')
  return {
    ...(failure ?? { kind: 'read' }),
    claims: failure === undefined ? left : left.flatMap((claim) => (isTried(claim) ? [claim] : untried([claim]))),
    dropped: { ...found.dropped, ...(refuted === 0 ? {} : { refuted }) },
    remarks: [
      ...found.remarks,
      ...(refuted === 0 ? [] : [`First readings found ${counted(refuted)} that a second one refuted.`]),
      ...(unfound === 0 ? [] : [`First readings claimed ${counted(unfound)} without lines that are there.`]),
    ],
    raw,
    reused,
  }
}

/** What nobody could be asked to refute is there to be looked at, and blocks nothing. */
const untried = <F extends Finding>(claims: readonly F[]): F[] => claims.map((one) => ({ ...one, level: 'question' }))

/** Nobody else will answer either. */
export const isOver = (failure: Unread): boolean => failure.kind === 'unavailable' || failure.reason === 'budget'

const counted = (count: number): string => (count === 1 ? '1 thing' : `${count} things`)

type Terms = {
  readonly nonce: string
  readonly control: ReturnType<typeof controlFor>
  readonly remarks: readonly string[]
}
type Reader<T> = {
  readonly as: Parameters<typeof answerKey>[2]
  readonly request: (terms: Terms) => ModelRequest
  readonly read: (
    text: string,
    nonce: string,
    control: Terms['control'] | null,
  ) => { readonly ok: true; readonly value: T } | { readonly ok: false; readonly errors: readonly string[] }
  readonly begun?: (() => void) | undefined
}
type Answered<T> = { readonly kind: 'read'; readonly value: T; readonly raw: RawAnswer; readonly reused: boolean }

/** An answer on record is read again; only the asking is spared. */
export async function asked<T>(
  { asking, brief, context, known }: Poll,
  chunk: Chunk,
  { as, request, read, begun }: Reader<T>,
): Promise<Answered<T> | Unread> {
  const key = answerKey(context, chunk.fingerprint, as)
  const before = known.get(key)
  const again = before === undefined ? null : read(before.text, before.nonce, null)
  if (before !== undefined && again?.ok === true) return { kind: 'read', value: again.value, raw: before, reused: true }
  const { purpose, n, lens } = as
  const control = controlFor(chunk, `${purpose} ${n} ${lens}`, brief.keyed)
  const reply = await put(asking, {
    purpose: `${purpose} ${lens}`,
    request: (nonce, remarks) => request({ nonce, control, remarks }),
    read: (text, nonce) => read(text, nonce, control),
    begun,
  })
  if (reply.kind !== 'read') return reply
  const { value, nonce, model, text } = reply
  return { kind: 'read', value, raw: { key, nonce, model, text }, reused: false }
}
