// What GitHub sends as a stream, received up to a limit in size and in time.
import { NoAnswer } from './traffic/no-answer.ts'

/** Of the largest, over a slow line. */
const STREAM_MS_MAX = 60_000

/** Null where there is more. */
export async function bytesOf(data: unknown, bytesMax: number, msMax = STREAM_MS_MAX): Promise<Buffer | null> {
  if (data instanceof ArrayBuffer) return data.byteLength > bytesMax ? null : Buffer.from(data)
  if (!(data instanceof ReadableStream)) throw new Error('GitHub answered in a form that cannot be read')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of within(msMax, data)) {
    if (!(chunk instanceof Uint8Array)) throw new Error('GitHub sent something that is not made of bytes')
    size += chunk.byteLength
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  // A thread that reads it needs no copy.
  const all = Buffer.from(new SharedArrayBuffer(size))
  let end = 0
  for (const chunk of chunks) {
    all.set(chunk, end)
    end += chunk.byteLength
  }
  return all
}

/** Whoever sends a byte now and then keeps nobody waiting for ever. */
async function* within(msMax: number, data: ReadableStream): AsyncGenerator {
  const signal = AbortSignal.timeout(msMax)
  try {
    yield* data.pipeThrough(new TransformStream(), { signal })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new NoAnswer(`GitHub did not send all of it within ${msMax / 1_000} seconds`, { cause: error })
  }
}
