// The one port of the verifier: a model that answers one question with text, without tools and without a memory. It never
// throws for what an API can answer; the adapter maps the world to these cases, and the rules say what follows.

export type CacheTime = '5m' | '1h'
/** `cache` ends a prefix that later requests may share. */
/** With a picture its text is only what stands for it where people read the request. */
export type Block = { readonly text: string; readonly cache: CacheTime | null; readonly picture?: Picture }
/** A PNG, as base64; `tokens`: what it is billed as. */
export type Picture = { readonly png: string; readonly tokens: number }
export type Effort = 'low' | 'medium' | 'high'
export type JsonSchema = { readonly [key: string]: unknown }

export type ModelRequest = {
  readonly model: string
  /** Written by us, and by nobody else. */
  readonly system: readonly Block[]
  readonly content: readonly Block[]
  /** The shape of the answer, or null for plain text. */
  readonly format: JsonSchema | null
  readonly effort: Effort
  readonly max_tokens: number
}

export type Usage = {
  /** What was neither written to nor read from the cache. */
  readonly input: number
  readonly cache_write_5m: number
  readonly cache_write_1h: number
  readonly cache_read: number
  readonly output: number
  readonly thinking: number
}
export const noUsage: Usage = {
  input: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cache_read: 0,
  output: 0,
  thinking: 0,
}

export type FaultCause = 'transient' | 'ramp' | 'money' | 'config' | 'deadline' | 'superseded'
type Seen = { readonly usage: Usage; readonly request_id: string | null; readonly model: string; readonly ms: number }
export type Asked =
  | ({ readonly kind: 'answered'; readonly text: string; readonly first_ms: number } & Seen)
  | ({ readonly kind: 'refused'; readonly category: string | null } & Seen)
  | ({ readonly kind: 'truncated' | 'context_exceeded' | 'unreadable' } & Seen)
  | ({
      readonly kind: 'failed'
      readonly cause: FaultCause
      readonly status: number | null
      readonly code: string | null
      readonly retry_after_ms: number | null
    } & Seen)

export type Capabilities = {
  readonly structured_outputs: boolean
  readonly image_input: boolean
  /** Whether it takes a request that leaves to it how much it thinks. */
  readonly adaptive_thinking: boolean
  readonly max_input_tokens: number | null
  readonly max_tokens: number | null
  readonly retired: boolean
}

export interface Model {
  /** One call. `begun` is told when the answer starts to stream, from which on its prefix can be read from the cache. */
  readonly ask: (request: ModelRequest, signal: AbortSignal, begun?: () => void) => Promise<Asked>
  /** What a model can do; null for one that does not exist, `unknown` while nobody can say. */
  readonly describe: (id: string) => Promise<Capabilities | null | 'unknown'>
}

/** `claude-sonnet-5-5`, `claude-sonnet-5-5-20260928` and `claude-3-5-sonnet` are of one family, `claude-sonnet`. */
export function familyOf(model: string): string {
  const name = model.toLowerCase().replace(/^.*\//, '')
  const words = name.split(/[-_. ]/).filter((word) => /^[a-z]+$/.test(word) && word !== 'latest')
  return words.length === 0 ? name : words.join('-')
}
