// What GitHub sends as a stream, received up to a limit.

/** Null where there is more. */
export async function bytesOf(data: unknown, bytesMax: number): Promise<Buffer | null> {
  if (data instanceof ArrayBuffer) return data.byteLength > bytesMax ? null : Buffer.from(data)
  if (!(data instanceof ReadableStream)) throw new Error('GitHub answered in a form that cannot be read')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of data) {
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
