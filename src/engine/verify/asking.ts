// One question to a model until it is answered or cannot be: every call is reckoned before it is made and recorded after
// it, and what is tried again follows the table of faults. An answer that cannot be read is asked for afresh, once.
import type { CallRecord } from '../../core/decision/examined.ts'
import type { ReferReason, UnavailableReason } from '../../core/decision/verdict.ts'
import { backoffMs, isGrammarTooLarge, RETRY_AFTER_MS_MAX, triesMax } from '../../verifier/calls/faults.ts'
import type { Asked, Effort, Model, ModelRequest } from '../../verifier/calls/model.ts'
import {
  dollarsAtMost,
  dollarsOf,
  mayCall,
  prefixOf,
  unpriced,
  type Budget,
  type Purse,
} from '../../verifier/calls/money.ts'
import { promptHash } from '../../verifier/asking/prompt.ts'
import type { Breakers } from './breakers.ts'

export type Asking = {
  readonly model: Model
  readonly breakers: Breakers
  readonly signal: AbortSignal
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly chance: () => number
  readonly nonce: () => string
  readonly fallbackModel: string | null
  readonly budget: Budget
  readonly purse: Purse
  /** Dollars that the task has cost before. */
  readonly taskUsd: number
  /** What was asked about the same attempt before, and counts for it. */
  readonly before: readonly CallRecord[]
  readonly calls: CallRecord[]
  /** Prefixes that a call has written into the cache: whatever shares one is billed for reading it. */
  readonly written: Set<string>
  /** Calls that have not ended yet, with what each may cost at most. */
  readonly underWay: Set<UnderWay>
}

type UnderWay = { readonly usd: number; readonly ended: Promise<unknown> }

export type Question<T> = {
  readonly purpose: string
  readonly request: (nonce: string, remarks: readonly string[]) => ModelRequest
  readonly read: (
    text: string,
    nonce: string,
  ) => { readonly ok: true; readonly value: T } | { readonly ok: false; readonly errors: readonly string[] }
  readonly begun?: (() => void) | undefined
}
export type Reply<T> =
  | { readonly kind: 'read'; readonly value: T; readonly text: string; readonly nonce: string; readonly model: string }
  | { readonly kind: 'refer'; readonly reason: ReferReason; readonly detail: string | null }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason }

type Kind = keyof typeof triesMax
type Bend = {
  readonly model: string | null
  readonly tokens: number
  readonly effort: Effort | null
  readonly plain: boolean
}

/** Whoever repeats oftener than this chases its own tail, whatever the table says. */
const ROUNDS_MAX = 10

export async function put<T>(asking: Asking, question: Question<T>): Promise<Reply<T>> {
  const tries = new Map<Kind, number>()
  let bend: Bend = { model: null, tokens: 1, effort: null, plain: false }
  let remarks: readonly string[] = []
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const nonce = asking.nonce()
    const request = bent(question.request(nonce, remarks), bend)
    const leave = await leaveFor(asking, request)
    if (!leave.given) return { kind: 'refer', reason: 'budget', detail: leave.why }
    if (!asking.breakers.admits(request.model)) {
      leave.ended(0)
      return { kind: 'unavailable', reason: 'transient' }
    }
    const asked = await asking.model.ask(request, asking.signal, () => {
      asking.breakers.heard(request.model)
      asking.written.add(prefixOf(request))
      question.begun?.()
    })
    asking.breakers.ended(request.model, asked)
    const answer = asked.kind === 'answered' ? question.read(asked.text, nonce) : null
    const kind: Kind | 'read' = answer?.ok === true ? 'read' : answer === null ? kindOf(asked) : 'malformed'
    const call = recordOf(asking.budget, question.purpose, request, asked, kind)
    asking.calls.push(call)
    leave.ended(call.usd)
    if (answer?.ok === true && asked.kind === 'answered') {
      return { kind: 'read', value: answer.value, text: asked.text, nonce, model: asked.model }
    }
    if (kind === 'read') throw new Error('An answer that was read has not been returned')
    tries.set(kind, (tries.get(kind) ?? 0) + 1)
    if (asking.signal.aborted || (tries.get(kind) ?? 0) >= triesMax[kind]) return given(asked, kind)
    const changed = changedBy(kind, bend, asking, request)
    if (changed === null) return given(asked, kind)
    bend = changed
    remarks = answer?.ok === false ? answer.errors : remarks
    if (kind === 'transient' && !(await waited(asking, asked, tries.get(kind) ?? 1))) return given(asked, kind)
  }
  return { kind: 'refer', reason: 'malformed', detail: null }
}

type Leave =
  | { readonly given: true; readonly ended: (usd: number) => void }
  | { readonly given: false; readonly why: string }

/** What is under way may end cheaper than feared, so it is waited for before a call is denied. */
async function leaveFor(asking: Asking, request: ModelRequest): Promise<Leave> {
  const { calls, underWay, budget, taskUsd, before, written } = asking
  const { prices } = budget
  const why = unpriced([request.model], prices)
  if (why !== null) return { given: false, why }
  const atMost = dollarsAtMost(request, { cached: written.has(prefixOf(request)), prices })
  for (;;) {
    const usd = usdOf([...before, ...calls, ...underWay])
    const counted = before.length + calls.length + underWay.size
    const permit = mayCall(budget, { usd, calls: counted, task_usd: taskUsd - usdOf(before) }, atMost)
    const leave: Leave = permit.ok ? await paid(asking, atMost) : { given: false, why: permit.why }
    if (leave.given || underWay.size === 0) return leave
    await Promise.race([...underWay].map(({ ended }) => ended))
  }
}

const usdOf = (all: readonly { readonly usd: number }[]): number => all.reduce((sum, { usd }) => sum + usd, 0)

/** Under way from the moment it is permitted, so that nobody else is permitted the same money meanwhile. */
async function paid({ underWay, purse }: Asking, usd: number): Promise<Leave> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const place: UnderWay = { usd, ended: promise }
  const over = (): void => {
    underWay.delete(place)
    resolve()
  }
  underWay.add(place)
  try {
    const taken = await purse.take(usd)
    if (!taken.ok) {
      over()
      return { given: false, why: taken.why }
    }
    const ended = (spent: number): void => {
      void taken.spent(spent)
      over()
    }
    return { given: true, ended }
  } catch (error) {
    over()
    throw error
  }
}

function bent(request: ModelRequest, { model, tokens, effort, plain }: Bend): ModelRequest {
  return {
    ...request,
    model: model ?? request.model,
    max_tokens: request.max_tokens * tokens,
    effort: effort ?? request.effort,
    format: plain ? null : request.format,
  }
}

/** What is different the next time; null where the same would only happen again. */
function changedBy(kind: Kind, bend: Bend, { fallbackModel }: Asking, { effort }: ModelRequest): Bend | null {
  if (kind === 'refused') return fallbackModel === null ? null : { ...bend, model: fallbackModel }
  if (kind === 'truncated') return { ...bend, tokens: bend.tokens * 2, effort: effort === 'high' ? 'medium' : 'low' }
  return kind === 'grammar' ? { ...bend, plain: true } : bend
}

async function waited({ pause, chance, signal }: Asking, asked: Asked, nth: number): Promise<boolean> {
  const asks = asked.kind === 'failed' ? asked.retry_after_ms : null
  if (asks !== null && asks > RETRY_AFTER_MS_MAX) return false
  await pause(asks ?? chance() * (backoffMs[nth - 1] ?? backoffMs[2]), signal)
  return !signal.aborted
}

function kindOf(asked: Asked): Kind {
  if (isGrammarTooLarge(asked)) return 'grammar'
  if (asked.kind === 'failed') return asked.cause
  return asked.kind === 'answered' ? 'malformed' : asked.kind
}

function given<T>(asked: Asked, kind: Kind): Reply<T> {
  const refer = (reason: ReferReason, detail: string | null = null): Reply<T> => ({ kind: 'refer', reason, detail })
  switch (kind) {
    case 'refused':
      return refer('refused', asked.kind === 'refused' ? asked.category : null)
    case 'truncated':
      return refer('truncated')
    case 'context_exceeded':
      return refer('too_large')
    case 'unreadable':
    case 'malformed':
      return refer('malformed')
    case 'grammar':
      return { kind: 'unavailable', reason: 'config' }
    case 'superseded':
      return { kind: 'unavailable', reason: 'deadline' }
    case 'transient':
    case 'ramp':
    case 'money':
    case 'config':
    case 'deadline':
      return { kind: 'unavailable', reason: kind }
  }
}

function recordOf(
  { prices }: Budget,
  purpose: string,
  request: ModelRequest,
  asked: Asked,
  outcome: string,
): CallRecord {
  const { usage, model, request_id, ms } = asked
  return {
    purpose,
    model,
    prompt_hash: promptHash(request),
    request_id,
    outcome,
    input: usage.input,
    cache_write: usage.cache_write_5m + usage.cache_write_1h,
    cache_read: usage.cache_read,
    output: usage.output,
    thinking: usage.thinking,
    usd: dollarsOf(request.model, usage, prices),
    ms,
  }
}
