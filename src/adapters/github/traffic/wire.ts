// One question and its whole answer over the wire, by Node's own client for HTTP: `fetch` takes several times the computing, most of
// it for streams that nobody reads as such. It goes by the proxy of the environment and by its certificates as `fetch` does.
import { request as overHttp, type IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

export type Question = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal
}
export type Reply = {
  readonly status: number
  /** By names in small letters. */
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Buffer
}

/** Rejects as `fetch` does, which client libraries know how to read. Nothing is followed to another place. */
export async function overTheWire(url: string, question: Question): Promise<Reply> {
  try {
    return await unpacked(await exchange(url, question))
  } catch (error) {
    if (question.signal.aborted) throw question.signal.reason
    throw new TypeError('fetch failed', { cause: error })
  }
}

/** Encryption takes a while to load, and whoever has no use for it does not wait. */
const clientFor = (url: string): typeof overHttp =>
  url.startsWith('https:') ? process.getBuiltinModule('node:https').request : overHttp

function exchange(url: string, { method, headers, body, signal }: Question): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  // Without its length the body of some methods would go out unmarked.
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
  const options = { method, headers: { ...headers, 'accept-encoding': 'gzip', ...length }, signal }
  const request = clientFor(url)(url, options, (message) => {
    const parts: Buffer[] = []
    message.on('data', (part: Buffer) => parts.push(part))
    message.on('error', reject)
    message.once('end', () => resolve(replyOf(message, Buffer.concat(parts))))
  })
  request.on('error', reject)
  request.end(body ?? undefined)
  return promise
}

function replyOf({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): Reply {
  const told = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) told.set(name, String(value))
  return { status: statusCode, headers: told, bytes }
}

const unzipped = promisify(gunzip)

async function unpacked(reply: Reply): Promise<Reply> {
  const encoding = reply.headers.get('content-encoding') ?? 'identity'
  if (encoding === 'identity' || reply.bytes.length === 0) return reply
  if (encoding !== 'gzip') throw new Error(`It came as ${encoding}, which was not asked for`)
  return { ...reply, bytes: await unzipped(reply.bytes) }
}
