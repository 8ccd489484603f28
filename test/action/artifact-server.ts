// A server on this machine that takes artifacts as Actions does: the calls of its protocol, and a store for the blocks in
// between. As there, one run has one artifact of a name, which belongs to the job that put it there. It knows nothing of
// Countersign, and was written against the requests of GitHub's own client.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

export type Uploaded = {
  readonly name: string
  readonly zip: Buffer
  /** As the client says it is: `sha256:…`. */
  readonly hash: string | null
}
export type ArtifactServer = {
  readonly url: string
  /** What the runner gives to steps, so that the client may upload. */
  readonly env: Readonly<Record<string, string>>
  /** What was uploaded and completed, in order. */
  readonly uploads: readonly Uploaded[]
  /** Each request as it came: the call with its fields, or what was put into the store under which headers. */
  readonly asked: readonly string[]
  /** So many requests are not answered: every second one with words that it is busy, the others with an end of the line. */
  readonly failNext: (count: number) => void
  /** Puts one there as another job of the run did. */
  readonly occupy: (name: string) => void
  /** From now on nothing is taken. */
  readonly refuse: (message: string) => void
  readonly close: () => Promise<void>
}

const taken = 'an artifact with this name already exists on the workflow run'
const twirp = '/twirp/github.actions.results.api.v1.ArtifactService/'

export async function artifactServer(): Promise<ArtifactServer> {
  const uploads: Uploaded[] = []
  const blocks = new Map<string, Buffer>()
  const blobs = new Map<string, Buffer>()
  const asked: string[] = []
  /** What the run has now: whose job put it there, by name. */
  const present = new Map<string, string>()
  let refusal: string | null = null
  let failures = 0
  let artifacts = 0

  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', url())
    const answer = (status: number, body: unknown = ''): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-ms-request-id': '1' })
      response.end(body === '' ? '' : JSON.stringify(body))
    }
    void bodyOf(request).then((body) => {
      asked.push(saidIn(request, at, body))
      if (failures > 0) {
        failures -= 1
        return failures % 2 === 0 ? answer(503, { msg: 'busy' }) : request.socket.destroy()
      }
      if (at.pathname.startsWith(twirp)) {
        if (refusal !== null) return answer(403, { code: 'permission_denied', msg: refusal })
        const method = at.pathname.slice(twirp.length)
        const fields: Record<string, unknown> = JSON.parse(body.toString())
        if (method === 'CreateArtifact' && present.has(String(fields['name']))) {
          return answer(409, { code: 'already_exists', msg: taken })
        }
        return answer(200, call(method, fields))
      }
      const name = decodeURIComponent(at.pathname.replace('/blobs/', ''))
      if (at.searchParams.get('comp') === 'block') blocks.set(`${name} ${at.searchParams.get('blockid')}`, body)
      else if (at.searchParams.get('comp') === 'blocklist') blobs.set(name, assembled(name, body.toString()))
      else blobs.set(name, body)
      return answer(201)
    })
  })
  const url = (): string => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }
  const assembled = (name: string, list: string): Buffer => {
    const ids = Array.from(list.matchAll(/<(?:Latest|Committed|Uncommitted)>([^<]+)</g), ([, id = '']) => id)
    return Buffer.concat(ids.map((id) => blocks.get(`${name} ${id}`) ?? Buffer.alloc(0)))
  }
  const call = (method: string, fields: Record<string, unknown>): unknown => {
    const name = String(fields['name'])
    if (method === 'CreateArtifact') {
      return { ok: true, signed_upload_url: `${url()}/blobs/${encodeURIComponent(name)}?sig=a-signature` }
    }
    if (method === 'ListArtifacts') {
      const found = Array.from(present, ([one, job], at) => ({
        workflow_run_backend_id: 'a-run',
        workflow_job_run_backend_id: job,
        name: one,
        database_id: `${at}`,
        size: '1',
      }))
      return { artifacts: found.filter((one) => one.name === fields['name_filter']) }
    }
    if (method === 'DeleteArtifact') {
      if (present.get(name) !== fields['workflow_job_run_backend_id']) return { ok: false }
      present.delete(name)
      return { ok: true, artifact_id: '1' }
    }
    artifacts += 1
    present.set(name, String(fields['workflow_job_run_backend_id']))
    const { hash } = fields
    const told = typeof hash === 'object' && hash !== null && 'value' in hash ? hash.value : hash
    uploads.push({ name, zip: blobs.get(name) ?? Buffer.alloc(0), hash: typeof told === 'string' ? told : null })
    return { ok: true, artifact_id: String(artifacts) }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: url(),
    env: {
      ACTIONS_RESULTS_URL: `${url()}/`,
      ACTIONS_RUNTIME_TOKEN: runtimeToken(),
      GITHUB_SERVER_URL: 'https://github.com',
    },
    uploads,
    asked,
    failNext: (count) => {
      failures = count
    },
    occupy: (name) => void present.set(name, 'a-job-before'),
    refuse: (message) => {
      refusal = message
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const digestOf = (zip: Uint8Array): string => `sha256:${createHash('sha256').update(zip).digest('hex')}`

function saidIn({ method, headers }: IncomingMessage, at: URL, body: Buffer): string {
  if (at.pathname.startsWith(twirp)) return `${at.pathname.slice(twirp.length)} ${body.toString()}`
  const kinds = ['content-type', 'x-ms-blob-content-type'].flatMap((name) => headers[name] ?? [])
  const words = at.searchParams.get('comp') === 'blocklist' ? body.toString() : `${body.length} bytes`
  return `${method} ${at.pathname}${at.search} ${kinds.join(' ')} ${words}`
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** Nobody checks its signature; the client reads the two ids in it. */
function runtimeToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ scp: 'Actions.Results:a-run:a-job' })}.runtime-signature`
}
