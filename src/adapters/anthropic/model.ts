// The model port over Anthropic's SDK. One call is one request: what is tried again is decided by the rules, deadlines are
// ours, since the SDK's end when the headers arrive, and the environment has no say in where a request goes. A model that
// thinks is alive as long as bytes come: the SDK drops the pings that say so.
import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { z } from 'zod'
import { broughtAboutBy, causeOf } from '../../verifier/calls/faults.ts'
import { type Asked, type Block, type Capabilities, type Model, type ModelRequest } from '../../verifier/calls/model.ts'
import { nothingYet, usedBy, withEvent, type Streamed } from './streamed.ts'

export type Deadlines = {
  /** Until the first bytes of an answer. */
  readonly firstMs: number
  readonly betweenBytesMs: number
  readonly callMs: number
}
export const deadlines: Deadlines = { firstMs: 120_000, betweenBytesMs: 60_000, callMs: 240_000 }
const DESCRIBED_MS = 86_400_000
const DESCRIBE_MS_MAX = 20_000

export type Setup = {
  readonly apiKey: string
  readonly baseUrl: string
  readonly deadlines?: Deadlines
  readonly now?: () => number
  /** The way out, so that a test can look at what goes over the wire. */
  readonly fetch?: typeof globalThis.fetch
}

export function anthropicModel({
  apiKey,
  baseUrl,
  deadlines: limits = deadlines,
  now = Date.now,
  fetch = globalThis.fetch,
}: Setup): Model {
  const out: Fetch = async (url, init) => fetch(url, { ...init, headers: ownHeaders(init?.headers, apiKey) })
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: out,
  })
  const described = new Map<string, { readonly at: number; readonly what: Capabilities }>()
  return {
    ask: (request, signal, begun) => {
      const thinks = described.get(request.model)?.what.adaptive_thinking !== false
      return ask({ client, fetch: out, limits, now, thinks }, request, signal, begun)
    },
    describe: async (id) => {
      const known = described.get(id)
      if (known !== undefined && now() - known.at < DESCRIBED_MS) return known.what
      const what = await describe(client, id)
      // A model that is not there may be there in a moment: a key is allowed it, a proxy is set right.
      if (what !== 'unknown' && what !== null) described.set(id, { at: now(), what })
      return what
    },
  }
}

/** The SDK adds what `ANTHROPIC_CUSTOM_HEADERS` says, even to a client that was told everything. */
function ownHeaders(given: ConstructorParameters<typeof Headers>[0], apiKey: string): Headers {
  const expected = /^(?:accept|content-type|content-length|user-agent|anthropic-version|x-stainless-.*)$/
  const own = new Headers([...new Headers(given)].filter(([name]) => expected.test(name)))
  own.set('authorization', `Bearer ${apiKey}`)
  return own
}

type Fetch = typeof globalThis.fetch
type Line = {
  readonly client: Anthropic
  readonly fetch: Fetch
  readonly limits: Deadlines
  readonly now: () => number
  readonly thinks: boolean
}

async function ask(
  { client, fetch, limits, now, thinks }: Line,
  request: ModelRequest,
  signal: AbortSignal,
  begun: () => void = () => undefined,
): Promise<Asked> {
  const started = now()
  const watch = watched(limits, signal)
  const listening = client.withOptions({ fetch: async (url, init) => heardBy(await fetch(url, init), watch.heard) })
  let first: number | null = null
  let streamed = nothingYet
  let request_id: string | null = null
  try {
    const answer = await listening.messages
      .create({ ...bodyOf(request, thinks), stream: true }, { signal: watch.signal, timeout: limits.callMs * 2 })
      .withResponse()
    request_id = answer.request_id ?? null
    for await (const event of answer.data) {
      if (first === null) begun()
      first ??= now() - started
      streamed = withEvent(streamed, event)
    }
  } catch (error) {
    const seen = { usage: usedBy(streamed), model: streamed.model ?? request.model, ms: now() - started }
    return { ...failure(error, watch.why()), ...seen, request_id: idOf(error) ?? request_id }
  } finally {
    watch.stop()
  }
  const seen = { usage: usedBy(streamed), model: streamed.model ?? request.model, request_id, ms: now() - started }
  const why = watch.why()
  // An aborted stream ends without an error.
  if (why !== null) return { kind: 'failed', cause: why, status: null, code: null, retry_after_ms: null, ...seen }
  return { ...seen, ...outcomeOf(streamed, first ?? 0) }
}

/** Whatever comes over the wire is life, also what nobody hands on. */
function heardBy(response: Response, heard: () => void): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const listened = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        heard()
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(listened, { status, statusText, headers })
}

type Ended =
  | { readonly kind: 'answered'; readonly text: string; readonly first_ms: number }
  | { readonly kind: 'refused'; readonly category: string | null }
  | { readonly kind: 'truncated' | 'context_exceeded' | 'unreadable' }
  | Failure
type Failure = Pick<Extract<Asked, { kind: 'failed' }>, 'kind' | 'cause' | 'status' | 'code' | 'retry_after_ms'>

/** Why it stopped is looked at before what it said. */
function outcomeOf({ ended, stop, category, texts, tools }: Streamed, first_ms: number): Ended {
  if (!ended || stop === null)
    return { kind: 'failed', cause: 'transient', status: null, code: 'cut', retry_after_ms: null }
  if (stop === 'refusal') return { kind: 'refused', category }
  if (stop === 'max_tokens') return { kind: 'truncated' }
  if (stop === 'model_context_window_exceeded') return { kind: 'context_exceeded' }
  const [text, ...more] = texts.filter((one) => one.trim() !== '')
  if (stop !== 'end_turn' || tools || text === undefined || more.length > 0) return { kind: 'unreadable' }
  return { kind: 'answered', text, first_ms }
}

function failure(error: unknown, why: 'deadline' | 'superseded' | null): Ended {
  const none = { kind: 'failed', status: null, code: null, retry_after_ms: null } as const
  if (why !== null) return { ...none, cause: why }
  if (!(error instanceof APIError)) return { ...none, cause: 'transient' }
  const status = typeof error.status === 'number' ? error.status : null
  const brought = broughtAboutBy({ status, type: error.type, code: error.errorCode, message: error.apiMessage })
  if (brought === 'refused') return { kind: brought, category: 'content_filter' }
  if (brought !== null) return { kind: brought }
  const grammar = status === 400 && /grammar is too large/i.test(error.apiMessage ?? '')
  const code = grammar ? 'grammar_too_large' : error.errorCode
  const cause = causeOf({ status, type: error.type, code })
  return { kind: 'failed', cause, status, code, retry_after_ms: pauseOf(error.headers) }
}

const idOf = (error: unknown): string | null => (error instanceof APIError ? (error.requestID ?? null) : null)

function pauseOf(headers: Headers | undefined): number | null {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

function bodyOf(
  { model, system, content, format, effort, max_tokens }: ModelRequest,
  thinks: boolean,
): Anthropic.MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens,
    // What is thought is billed whether it is shown or not; a summary of it is a sign of life.
    ...(thinks ? { thinking: { type: 'adaptive', display: 'summarized' } } : {}),
    system: system.map(textBlock),
    messages: [{ role: 'user', content: content.map(contentBlock) }],
    output_config: { effort, ...(format === null ? {} : { format: { type: 'json_schema', schema: { ...format } } }) },
  }
}

const textBlock = ({ text, cache }: Block): Anthropic.TextBlockParam => ({
  type: 'text',
  text,
  ...(cache === null ? {} : { cache_control: { type: 'ephemeral', ttl: cache } }),
})

/** What is larger than a model takes is refused, never made smaller behind our back. */
const contentBlock = (block: Block): Anthropic.ContentBlockParam =>
  block.picture === undefined
    ? textBlock(block)
    : {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: block.picture.png },
        transformations: { oversized_image: 'error' },
      }

/** One signal for whoever wants the call to end: its caller, or one of its three clocks. */
function watched(limits: Deadlines, outer: AbortSignal) {
  const own = new AbortController()
  let why: 'deadline' | 'superseded' | null = null
  const end = (cause: 'deadline' | 'superseded'): void => {
    why ??= cause
    own.abort()
  }
  const late = (): void => end('deadline')
  const called = setTimeout(late, limits.callMs)
  let quiet = setTimeout(late, limits.firstMs)
  const superseded = (): void => end('superseded')
  if (outer.aborted) superseded()
  outer.addEventListener('abort', superseded)
  return {
    signal: own.signal,
    why: () => why,
    heard: (): void => {
      if (own.signal.aborted) return
      clearTimeout(quiet)
      quiet = setTimeout(late, limits.betweenBytesMs)
    },
    stop: (): void => {
      clearTimeout(called)
      clearTimeout(quiet)
      outer.removeEventListener('abort', superseded)
    },
  }
}

const supported = z.object({ supported: z.boolean() }).nullish()
const infoShape = z.object({
  lifecycle: z.string().nullish(),
  max_input_tokens: z.number().nullish(),
  max_tokens: z.number().nullish(),
  capabilities: z
    .object({
      structured_outputs: supported,
      image_input: supported,
      thinking: z.object({ types: z.object({ adaptive: supported }).nullish() }).nullish(),
    })
    .nullish(),
})

/** https://docs.anthropic.com/en/api/models */
async function describe(client: Anthropic, id: string): Promise<Capabilities | null | 'unknown'> {
  try {
    const signal = AbortSignal.timeout(DESCRIBE_MS_MAX)
    const info = infoShape.safeParse(await client.models.retrieve(id, {}, { signal }))
    if (!info.success) return 'unknown'
    const { lifecycle, max_input_tokens = null, max_tokens = null, capabilities } = info.data
    return {
      structured_outputs: capabilities?.structured_outputs?.supported !== false,
      image_input: capabilities?.image_input?.supported === true,
      adaptive_thinking: capabilities?.thinking?.types?.adaptive?.supported !== false,
      max_input_tokens,
      max_tokens,
      retired: lifecycle === 'retired',
    }
  } catch (error) {
    return error instanceof APIError && error.status === 404 ? null : 'unknown'
  }
}
