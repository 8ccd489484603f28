// Where runners put artifacts. The protocol is the one that GitHub's toolkit speaks: a call makes room under a name, the
// archive goes to a store in blocks, and another call says that it is whole. The archive comes from memory.
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { info, setSecret } from '@actions/core'
import { z } from 'zod'
import { jsonIn } from '../../src/core/json.ts'

export type Destination = {
  readonly url: string
  readonly token: string
  /** What GitHub calls the run and the job among its own services. */
  readonly ids: Readonly<z.infer<typeof ids>>
}

const CALLS = '/twirp/github.actions.results.api.v1.ArtifactService/'
/** The kind of artifacts that say what they hold. */
const KIND = 7
const ZIP = 'application/zip'
/** Of the store's own protocol. */
const STORE_VERSION = '2026-04-06'
const BLOCK_BYTES = 8 * 1024 * 1024
const TRIES = 5
const FIRST_WAIT_MS = 3_000
const WAIT_GROWTH = 1.5
const CALL_MS_MAX = 60_000
const BLOCK_MS_MAX = 300_000
/** Said by a service that is busy or on its way back. */
const passing = new Set([429, 500, 502, 503, 504])
const TAKEN = 409

/** An Enterprise Server has another service under this name, which knows no calls of this kind. */
export function takesArtifacts(serverUrl: string): boolean {
  const { hostname } = new URL(serverUrl)
  return hostname === 'github.com' || hostname.endsWith('.ghe.com') || hostname.endsWith('.localhost')
}

/** From what the runner gives to each step. The token names the run and the job; nobody but GitHub has to believe it. */
export function destinationOf(env: Readonly<Record<string, string | undefined>>): Destination {
  const { ACTIONS_RESULTS_URL: url = '', ACTIONS_RUNTIME_TOKEN: token = '' } = env
  if (url === '' || token === '') throw new Error('The runner did not say where artifacts go.')
  const claims = claimed.safeParse(jsonIn(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  const scope = claims.data?.scp.split(' ').find((one) => one.startsWith('Actions.Results:'))
  const [, run, job, ...more] = scope?.split(':') ?? []
  if (run === undefined || job === undefined || more.length > 0) {
    throw new Error('The runtime token of the runner does not say which run this is.')
  }
  return { url: new URL(url).origin, token, ids: { workflow_run_backend_id: run, workflow_job_run_backend_id: job } }
}
const claimed = z.object({ scp: z.string() })

/** A run has one artifact of a name, also when it is repeated. Whoever put one there before us, this one counts. */
export async function putArtifact(to: Destination, name: string, zip: Buffer): Promise<void> {
  const room = await roomFor(to, name)
  await store(room, zip)
  const hash = `sha256:${createHash('sha256').update(zip).digest('hex')}`
  await call(to, 'FinalizeArtifact', { name, size: String(zip.length), hash }, done)
  info(`${name}: ${zip.length} bytes, ${hash}`)
}

const does = {
  CreateArtifact: 'make room for the archive',
  ListArtifacts: 'list the artifacts of the run',
  DeleteArtifact: 'remove what was handed over before',
  FinalizeArtifact: 'take the archive as whole',
}
const done = z.object({ ok: z.literal(true) })
const made = done.extend({ signed_upload_url: z.url() })
const ids = z.object({ workflow_run_backend_id: z.string(), workflow_job_run_backend_id: z.string() })
const listed = z.object({ artifacts: z.array(ids.extend({ name: z.string() })).default([]) })

async function roomFor(to: Destination, name: string): Promise<string> {
  const ask = () => call(to, 'CreateArtifact', { name, version: KIND, mime_type: ZIP }, made)
  const room = await ask().catch(async (error: unknown) => {
    if (!(error instanceof Refusal && error.status === TAKEN)) throw error
    await remove(to, name)
    return ask()
  })
  // Whoever has this address may write there.
  const signature = new URL(room.signed_upload_url).searchParams.get('sig')
  if (signature !== null) {
    setSecret(signature)
    setSecret(encodeURIComponent(signature))
  }
  return room.signed_upload_url
}

/** It belongs to the job that put it there, which in an earlier attempt was another one. */
async function remove(to: Destination, name: string): Promise<void> {
  const { artifacts } = await call(to, 'ListArtifacts', { name_filter: name }, listed)
  for (const { name: found, ...place } of artifacts) {
    if (found === name) await call({ ...to, ids: place }, 'DeleteArtifact', { name }, done)
  }
}

async function store(room: string, zip: Buffer): Promise<void> {
  const upload = randomUUID()
  const blocks: string[] = []
  for (let at = 0; at < zip.length; at += BLOCK_BYTES) {
    const block = Buffer.from(`${upload}${String(blocks.length).padStart(12, '0')}`).toString('base64')
    const query = `comp=block&blockid=${encodeURIComponent(block)}`
    await put(room, query, zip.subarray(at, at + BLOCK_BYTES), { 'content-type': 'application/octet-stream' })
    blocks.push(block)
  }
  const items = blocks.map((block) => `<Latest>${block}</Latest>`).join('')
  const list = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><BlockList>${items}</BlockList>`
  await put(room, 'comp=blocklist', Buffer.from(list), {
    'content-type': 'application/xml',
    'x-ms-blob-content-type': ZIP,
  })
}

/** The address is signed as it stands, so what is asked is written behind it. */
async function put(
  room: string,
  query: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const url = `${room}${room.includes('?') ? '&' : '?'}${query}`
  await persistently('take the archive', async () => {
    const response = await fetch(url, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { ...headers, 'x-ms-version': STORE_VERSION },
      signal: AbortSignal.timeout(BLOCK_MS_MAX),
    })
    return { status: response.status, text: await response.text() }
  })
}

async function call<T>(
  { url, token, ids: place }: Destination,
  method: keyof typeof does,
  fields: Readonly<Record<string, unknown>>,
  shape: z.ZodType<T>,
): Promise<T> {
  const text = await persistently(does[method], async () => {
    const response = await fetch(`${url}${CALLS}${method}`, {
      method: 'POST',
      body: JSON.stringify({ ...place, ...fields }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(CALL_MS_MAX),
    })
    return { status: response.status, text: await response.text() }
  })
  const parsed = shape.safeParse(jsonIn(text))
  if (!parsed.success)
    throw new Error(`GitHub was asked to ${does[method]}, and answered something else than it should.`)
  return parsed.data
}

/** What is refused for good. Its words are GitHub's, and say why. */
class Refusal extends Error {
  readonly status: number
  constructor(what: string, status: number, text: string) {
    const said = saidIn.safeParse(jsonIn(text))
    super(`GitHub would not ${what} (${status})${said.success ? `: ${said.data.msg}` : ''}`)
    this.status = status
  }
}
const saidIn = z.object({ msg: z.string() })

type Answer = { readonly status: number; readonly text: string }

/** A service that is away for a moment is waited for. */
async function persistently(what: string, ask: () => Promise<Answer>): Promise<string> {
  for (let tried = 1; ; tried += 1) {
    const answer = await ask().catch(unreachable)
    if (answer.status >= 200 && answer.status < 300) return answer.text
    if (answer.status > 0 && !passing.has(answer.status)) throw new Refusal(what, answer.status, answer.text)
    const why = answer.status > 0 ? `it answered ${answer.status}` : `it could not be reached (${answer.text})`
    if (tried === TRIES) throw new Error(`GitHub was asked ${TRIES} times to ${what}, and ${why}.`)
    const wait = FIRST_WAIT_MS * WAIT_GROWTH ** (tried - 1)
    info(`GitHub was asked to ${what}, and ${why}. Once more in ${Math.round(wait / 1000)} s.`)
    await delay(wait)
  }
}

/** Only the kind of the failure: its words may hold the address, which is a secret. */
function unreachable(error: unknown): Answer {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return { status: 0, text: cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer in time' }
}
