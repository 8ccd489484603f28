// One question to a model until it is answered or cannot be. Steps stand around every call: what permits it, what is done
// about how it ended, what it cost. An answer that cannot be read is asked for afresh, once.
import { around, Ended, forth } from '../../../core/chain.ts'
import type { CallRecord } from '../../../core/decision/examined.ts'
import { isGrammarTooLarge, isOfRequest, type triesMax } from '../../../verifier/calls/faults.ts'
import type { Asked, Effort, Model, ModelRequest } from '../../../verifier/calls/model.ts'
import { dollarsOf, prefixOf, type Budget, type Purse } from '../../../verifier/calls/money.ts'
import type { Failure } from '../failure.ts'
import type { VerifierStep } from '../steps/step.ts'
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
  /** Of this verification, each with what it cost; a record for people. */
  readonly calls: CallRecord[]
  /** What was paid for so far, which no further call may exceed. */
  readonly paid: { usd: number; calls: number }
  /** What a request may not hold, taken out. */
  readonly own: (text: string) => string
  readonly steps: readonly VerifierStep[]
  /** Prefixes that a call has written into the cache: whatever shares one is billed for reading it. */
  readonly written: Set<string>
  /** Calls that have not ended yet, with what each may cost at most. */
  readonly underWay: Set<UnderWay>
}

export type UnderWay = { readonly usd: number; readonly ended: Promise<unknown> }

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
  | Failure

export type Outcome = keyof typeof triesMax
/** How a question is put this time. */
export type Bend = {
  readonly model: string | null
  readonly tokens: number
  readonly effort: Effort | null
  readonly plain: boolean
  /** What was wrong with the answer before. */
  readonly remarks: readonly string[]
}
/** A call before it is made. */
export type Call = {
  readonly asking: Asking
  readonly request: ModelRequest
  /** Who permits it, asked last; null where nobody has to. */
  readonly permit: ((request: ModelRequest) => Promise<Permit>) | null
}
/** `ended` is told what it cost, or null where no call was made. */
export type Permit =
  | { readonly given: true; readonly ended: (usd: number | null) => void }
  | { readonly given: false; readonly failure: Failure }
/** What came of one try: nobody was asked, or somebody was. */
export type Tried =
  | { readonly kind: 'denied'; readonly failure: Failure }
  | {
      readonly kind: 'asked'
      readonly request: ModelRequest
      readonly asked: Asked
      readonly nonce: string
      readonly outcome: Outcome | 'read'
      /** What could not be read of it. */
      readonly errors: readonly string[]
    }
/** A question that is put once, as it is bent. */
export type Try = { readonly asking: Asking; readonly purpose: string; readonly bend: Bend }

const straight: Bend = { model: null, tokens: 1, effort: null, plain: false, remarks: [] }

export async function put<T>(asking: Asking, question: Question<T>): Promise<Reply<T>> {
  const { purpose } = question
  let read: { readonly value: T } | null = null
  const once = async ({ bend }: Try): Promise<Tried> => {
    const nonce = asking.nonce()
    const wanted = bent(question.request(nonce, bend.remarks), bend)
    const call = await forth(asking.steps, ({ beforeModel }) => beforeModel, { asking, request: wanted, permit: null })
    if (call instanceof Ended) return { kind: 'denied', failure: call.as }
    const { request } = call
    const permit = await call.permit?.(request)
    if (permit?.given === false) return { kind: 'denied', failure: permit.failure }
    const asked = await called(call, question.begun)
    permit?.ended(dollarsOf(request.model, asked.usage, asking.budget.prices))
    const answer = asked.kind === 'answered' ? question.read(asked.text, nonce) : null
    read = answer?.ok === true ? { value: answer.value } : null
    const errors = answer?.ok === false ? answer.errors : []
    const outcome = answer?.ok === true ? 'read' : answer === null ? outcomeOf(asked) : 'malformed'
    return { kind: 'asked', request, asked, nonce, outcome, errors }
  }
  const tried = await around(
    asking.steps,
    ({ wrapModelCall }) => wrapModelCall,
    once,
  )({ asking, purpose, bend: straight })
  return replyOf(tried, read, asking)
}

async function called({ asking, request }: Call, begun: (() => void) | undefined): Promise<Asked> {
  const { model, signal, breakers, written } = asking
  const asked = await model.ask(request, signal, () => {
    breakers.heard(request.model)
    written.add(prefixOf(request))
    begun?.()
  })
  breakers.ended(request.model, asked)
  return asked
}

function replyOf<T>(tried: Tried, read: { readonly value: T } | null, { calls }: Asking): Reply<T> {
  if (tried.kind === 'denied') return tried.failure
  const { asked, nonce, outcome } = tried
  // Where the model answers, and there is more to ask than there is time for, that is no outage.
  if (outcome === 'superseded' && calls.some((one) => one.outcome === 'read')) return tooMuch
  if (outcome !== 'read') return failureOf(asked, outcome)
  if (read === null || asked.kind !== 'answered') throw new Error('An answer that was read is not at hand')
  return { kind: 'read', value: read.value, text: asked.text, nonce, model: asked.model }
}

const tooMuch: Failure = { kind: 'unavailable', reason: 'deadline', of_request: true }

function bent(request: ModelRequest, { model, tokens, effort, plain }: Bend): ModelRequest {
  return {
    ...request,
    model: model ?? request.model,
    max_tokens: request.max_tokens * tokens,
    effort: effort ?? request.effort,
    format: plain ? null : request.format,
  }
}

function outcomeOf(asked: Asked): Outcome {
  if (isGrammarTooLarge(asked)) return 'grammar'
  if (asked.kind === 'failed') return asked.cause
  return asked.kind === 'answered' ? 'malformed' : asked.kind
}

function failureOf(asked: Asked, outcome: Outcome): Failure {
  switch (outcome) {
    case 'refused':
      return { kind: 'refer', reason: 'refused', detail: asked.kind === 'refused' ? asked.category : null }
    case 'truncated':
      return { kind: 'refer', reason: 'truncated', detail: null }
    case 'context_exceeded':
      return { kind: 'refer', reason: 'too_large', detail: null }
    case 'unreadable':
    case 'malformed':
      return { kind: 'refer', reason: 'malformed', detail: null }
    case 'grammar':
      return { kind: 'unavailable', reason: 'config' }
    case 'superseded':
      return { kind: 'unavailable', reason: 'deadline' }
    case 'config':
      return { kind: 'unavailable', reason: outcome, ...(isOfRequest(asked) ? { of_request: true } : {}) }
    case 'transient':
    case 'ramp':
    case 'money':
    case 'deadline':
      return { kind: 'unavailable', reason: outcome }
  }
}
