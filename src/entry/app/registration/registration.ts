// Without credentials the App is not registered yet, and whoever registers it owns it. So it is done by whoever can read
// the console of this process: what is printed there opens the pages, once. GitHub's answer is kept in `.env`.
// https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ENV_FILE } from '../../environment.ts'
import { pagesOf } from '../../github-host.ts'
import { SettingsWrong, type Settings } from '../../wire.ts'
import type { App } from '../start-app.ts'
import { roomFor, whole, type Room } from '../door/bodies.ts'
import { guardedServer, listening } from '../door/guarded.ts'
import { readManifest } from '../manifest.ts'
import { askedPage, confirmPage, deniedPage, failedPage, gonePage, registeredPage } from './words.ts'
import { guessedAddress } from './address.ts'
import { credentialsFor } from './conversion.ts'
import { envFile, type EnvFile } from './env-file.ts'
import { show, type Page } from './page.ts'
import { wishIn, type Wish } from './wish.ts'
import { aftermathOf, type Aftermath } from './worked.ts'
import { wordsOf } from '../../../core/error-words.ts'

const FORM_BYTES_MAX = 16 * 1024
const FORMS_BYTES_MAX = 1024 * 1024
/** A code of GitHub's is good for an hour. */
const COOKIE_SECONDS = 60 * 60
const cookieName = 'countersign_registration'

type Desk = {
  readonly apiUrl: string
  readonly file: EnvFile
  /** What the console shows. */
  readonly token: string
  /** What the browser that went to GitHub last has to bring back. */
  awaited: string | null
  /** Where it reaches this page. */
  back: string
  phase: 'open' | 'exchanging' | 'done'
  /** For whoever registered it. */
  done: Done | null
}

type Done = {
  readonly page: string | null
  /** What the browser of that person brings along from now on. */
  readonly token: string
  readonly back: string
  readonly aftermath: Aftermath
}

export async function startRegistration({ host, port, apiUrl }: Settings): Promise<App> {
  const file = envFile(ENV_FILE)
  const held = file.named()
  if (held.length > 0) {
    throw new SettingsWrong(
      `${file.path} holds ${held.join(' and ')}, but the environment sets ${held.length > 1 ? 'them' : 'it'} to nothing. ` +
        'Take the empty value out of the environment, or the line out of the file.',
    )
  }
  const desk: Desk = { apiUrl, file, token: secret(), awaited: null, back: '', phase: 'open', done: null }
  const room = roomFor(FORMS_BYTES_MAX)
  const form = async (request: IncomingMessage): Promise<URLSearchParams | null> => {
    const body = await room.receive(request, FORM_BYTES_MAX)
    return typeof body === 'string' ? null : new URLSearchParams((await whole(body)).toString('utf8'))
  }
  const { server } = guardedServer((request, response) => {
    answer(desk, { form, room }, request, response).catch((error: unknown) => {
      console.error(`countersign: the registration failed: ${wordsOf(error)}`)
      if (!response.headersSent) show(response, failedPage(wordsOf(error)))
    })
  })
  const url = await listening(server, host, port)
  const reached = url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:')
  console.log(
    `Countersign has no credentials yet. Open ${reached}/?token=${desk.token} to register it with GitHub, or set APP_ID, ` +
      'PRIVATE_KEY and WEBHOOK_SECRET.\nThat address is good for one registration, and whoever opens it owns the App. Where ' +
      'your browser reaches this machine under another name, put what follows the port behind that name.',
  )
  return {
    url,
    stop: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}

type Form = (request: IncomingMessage) => Promise<URLSearchParams | null>
type Bodies = { readonly form: Form; readonly room: Room }

async function answer(
  desk: Desk,
  { form, room }: Bodies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://here')
  if (url === null) return show(response, deniedPage(404))
  const read = request.method === 'GET' || request.method === 'HEAD'
  if (read && ['/health', '/health/live'].includes(url.pathname)) return health(desk, response)
  if (desk.done !== null) return afterwards(desk, desk.done, { read, path: url.pathname, room }, request, response)
  if (read && url.pathname === '/registered') return show(response, await registered(desk, url.searchParams, request))
  if (read && url.pathname === '/') return show(response, opened(desk, url.searchParams, request))
  if (request.method === 'POST' && url.pathname === '/') return show(response, begun(desk, await form(request)))
  return show(response, deniedPage(404))
}

type Asked = { readonly read: boolean; readonly path: string; readonly room: Room }

/** Whoever registered it may look whether it works; GitHub is asked to come again; for everybody else it is over. */
async function afterwards(
  { file }: Desk,
  { page, token, back, aftermath }: Done,
  { read, path, room }: Asked,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!read && path === '/api/github/webhooks' && (await aftermath.receive(request, room)))
    return void response.writeHead(503, { 'content-type': 'text/plain' }).end('registered, and about to be started\n')
  if (!read || path !== '/registered' || !same(cookieIn(request), token)) return show(response, gonePage)
  const worked = await aftermath.look()
  show(
    response,
    registeredPage({ page, file: file.path, worked }, { 'set-cookie': cookie(token, COOKIE_SECONDS, back) }),
  )
}

function health({ phase }: Desk, response: ServerResponse): void {
  const next =
    phase === 'done'
      ? 'stop this process and start it again'
      : 'open the address that this process printed at its start'
  const told = { status: phase === 'done' ? 'registered' : 'not registered', next }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told))
}

function opened({ token }: Desk, query: URLSearchParams, request: IncomingMessage): Page {
  if (!same(query.get('token'), token)) return deniedPage(403)
  const guess = guessedAddress(request)
  return askedPage(200, token, { address: guess, back: guess, organization: '' })
}

function begun(desk: Desk, fields: URLSearchParams | null): Page {
  if (fields === null || !same(fields.get('token'), desk.token)) return deniedPage(403)
  if (desk.phase !== 'open') return deniedPage(409)
  const wish = wishIn(fields)
  if (wish.kind === 'refused') return askedPage(422, desk.token, wish.given, wish.why)
  rehearse(desk.file)
  const state = secret()
  desk.awaited = state
  desk.back = wish.back
  return confirmPage(
    { ...wish, pages: pagesOf(desk.apiUrl), state, manifest: manifestFor(wish) },
    {
      'set-cookie': cookie(state, COOKIE_SECONDS, wish.back),
    },
  )
}

/** An App whose key cannot be kept had better not be made. */
function rehearse({ path, rehearse }: EnvFile): void {
  try {
    rehearse()
  } catch (error) {
    throw new Error(
      `${path} cannot be written: ${wordsOf(error)}. Run this where it can be, or create the App by hand and set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.`,
      { cause: error },
    )
  }
}

const manifestFor = ({ address, back }: Wish): string =>
  JSON.stringify({
    ...readManifest(),
    redirect_url: `${back}/registered`,
    hook_attributes: { url: `${address}/api/github/webhooks`, active: true },
  })

/** GitHub sends the browser back with a code, which is exchanged for the credentials once. */
async function registered(desk: Desk, query: URLSearchParams, request: IncomingMessage): Promise<Page> {
  const { awaited, apiUrl, file } = desk
  if (desk.phase !== 'open') return deniedPage(409)
  const brought = cookieIn(request)
  if (awaited === null || !same(query.get('state'), awaited) || !same(brought, awaited)) return deniedPage(403)
  const code = query.get('code')
  if (code === null || code === '') return deniedPage(400)
  const held = [...file.named()]
  if (held.length > 0) throw new Error(`${file.path} names ${held.join(' and ')} by now, and they are not overwritten`)
  // From here on nobody else gets past the lines above.
  desk.phase = 'exchanging'
  desk.awaited = null
  try {
    const { kept, page } = await credentialsFor(apiUrl, code)
    try {
      file.keep(kept)
    } catch (error) {
      throw new Error(
        `GitHub made the App, but its credentials could not be kept: ${wordsOf(error)}. Delete that App${page === null ? '' : ` (${page})`} at GitHub, and begin again when the file can be written.`,
        { cause: error },
      )
    }
    const token = secret()
    const aftermath = aftermathOf(apiUrl, kept)
    desk.phase = 'done'
    desk.done = { page, token, back: desk.back, aftermath }
    console.log('Countersign is registered. Install it, then stop this process and start it again.')
    const worked = await aftermath.look()
    return registeredPage({ page, file: file.path, worked }, { 'set-cookie': cookie(token, COOKIE_SECONDS, desk.back) })
  } finally {
    if (desk.phase === 'exchanging') desk.phase = 'open'
  }
}

const secret = (): string => randomBytes(32).toString('base64url')

/** Takes as long whatever is different. */
function same(given: string | null, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return given !== null && timingSafeEqual(digest(given), digest(expected))
}

/** GitHub's redirect brings it along, since it is a link that the browser follows as a whole. */
const cookie = (value: string, seconds: number, back: string): string =>
  `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${back.startsWith('https:') ? '; Secure' : ''}`

function cookieIn({ headers }: IncomingMessage): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? null
}
