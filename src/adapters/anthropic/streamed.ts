// A streamed answer, put together from its events and checked on the way: only what has the shape that the API documents
// counts. https://docs.anthropic.com/en/api/messages-streaming
import { z } from 'zod'
import { noUsage, type Usage } from '../../verifier/calls/model.ts'
import { tokensIn } from '../../verifier/change/pack.ts'

const tokens = z.number().nullish()
const usageShape = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation: z.object({ ephemeral_5m_input_tokens: tokens, ephemeral_1h_input_tokens: tokens }).nullish(),
  output_tokens_details: z.object({ thinking_tokens: tokens }).nullish(),
})
const eventShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ model: z.string(), usage: usageShape }) }),
  z.object({
    type: z.literal('content_block_start'),
    index: z.number(),
    content_block: z.object({ type: z.string(), text: z.string().optional() }),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index: z.number(),
    delta: z.object({ type: z.string(), text: z.string().optional(), thinking: z.string().optional() }),
  }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({
      stop_reason: z.string().nullable(),
      stop_details: z.object({ category: z.string().nullish() }).nullish(),
    }),
    usage: usageShape,
  }),
  z.object({ type: z.literal('message_stop') }),
])

/** `ended` is false for a stream that was cut, whatever came before. */
export type Streamed = {
  readonly model: string | null
  readonly usage: Usage
  readonly stop: string | null
  readonly category: string | null
  readonly texts: readonly string[]
  /** Bytes of text and of thoughts that came, for an answer whose bill never does. */
  readonly bytes: number
  readonly tools: boolean
  readonly ended: boolean
}
export const nothingYet: Streamed = {
  model: null,
  usage: noUsage,
  stop: null,
  category: null,
  texts: [],
  bytes: 0,
  tools: false,
  ended: false,
}

/** Blocks are kept by their index; those that hold no text are empty, so that they are told from an empty answer. */
export function withEvent(before: Streamed, event: unknown): Streamed {
  const parsed = eventShape.safeParse(event)
  if (!parsed.success) return before
  const { data } = parsed
  switch (data.type) {
    case 'message_start':
      return { ...before, model: data.message.model, usage: usageOf(data.message.usage, before.usage) }
    case 'content_block_start': {
      const { type, text = '' } = data.content_block
      if (type === 'text') return { ...before, texts: withText(before.texts, data.index, text) }
      return { ...before, tools: before.tools || type.includes('tool') }
    }
    case 'content_block_delta': {
      const { type, text, thinking = '' } = data.delta
      const bytes = before.bytes + Buffer.byteLength(text ?? thinking)
      return type === 'text_delta' && text !== undefined
        ? { ...before, bytes, texts: withText(before.texts, data.index, text) }
        : { ...before, bytes }
    }
    case 'message_delta': {
      const { stop_reason: stop, stop_details } = data.delta
      return { ...before, stop, category: stop_details?.category ?? null, usage: usageOf(data.usage, before.usage) }
    }
    case 'message_stop':
      return { ...before, ended: true }
  }
}

/** Of an answer that was cut nobody says what it cost: at least what came of it. */
export const usedBy = ({ usage, ended, bytes }: Streamed): Usage =>
  ended ? usage : { ...usage, output: Math.max(usage.output, tokensIn(bytes)) }

function withText(texts: readonly string[], index: number, text: string): string[] {
  const known = [...texts]
  while (known.length <= index) known.push('')
  known[index] = (known[index] ?? '') + text
  return known
}

/** Later events repeat some of the counts and leave out others. */
function usageOf(said: z.output<typeof usageShape>, before: Usage): Usage {
  const hour = said.cache_creation?.ephemeral_1h_input_tokens ?? before.cache_write_1h
  const written = said.cache_creation_input_tokens ?? before.cache_write_5m + before.cache_write_1h
  return {
    input: said.input_tokens ?? before.input,
    cache_write_1h: hour,
    cache_write_5m: Math.max(0, written - hour),
    cache_read: said.cache_read_input_tokens ?? before.cache_read,
    output: said.output_tokens ?? before.output,
    thinking: said.output_tokens_details?.thinking_tokens ?? before.thinking,
  }
}
