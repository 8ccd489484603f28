// Without credentials the App is not registered yet: this page registers it with GitHub from app.yml and keeps what
// GitHub answers in `.env`.
// https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Settings } from '../wire.ts'
import type { App } from './app.ts'
import { listening } from './guarded.ts'

const manifestFile = new URL('../../../app.yml', import.meta.url)
const manifest = z.looseObject({ name: z.string(), default_permissions: z.record(z.string(), z.string()) })
const conversion = z.object({ id: z.number(), pem: z.string(), webhook_secret: z.string(), html_url: z.string() })

export async function startRegistration({ host, port, apiUrl }: Settings): Promise<App> {
  const state = randomBytes(16).toString('hex')
  const asked = manifest.parse(parse(await readFile(manifestFile, 'utf8')))
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      console.error(error)
      page(
        response,
        500,
        'Registration failed',
        `<p>${escape(error instanceof Error ? error.message : String(error))}</p>`,
      )
    })
  })
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const own = `http://${request.headers.host ?? `${host}:${port}`}`
    const url = new URL(request.url ?? '/', own)
    if (url.pathname === '/health') return json(response, { status: 'not registered', next: `open ${own}/` })
    if (url.pathname === '/registered') return registered(response, apiUrl, url, state)
    const { origin } = new URL(apiUrl)
    const web = apiUrl === 'https://api.github.com' ? 'https://github.com' : origin
    const filled = {
      ...asked,
      redirect_url: `${own}/registered`,
      hook_attributes: { url: `${own}/api/github/webhooks` },
    }
    return page(
      response,
      200,
      'Register Countersign',
      form(`${web}/settings/apps/new?state=${state}`, JSON.stringify(filled)),
    )
  }
  const url = await listening(server, host, port)
  console.log(
    `Countersign has no credentials yet. Open ${url}/ to register it with GitHub, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.`,
  )
  return { url, stop: () => new Promise((done) => server.close(() => done())) }
}

async function registered(response: ServerResponse, apiUrl: string, url: URL, state: string): Promise<void> {
  const code = url.searchParams.get('code')
  if (url.searchParams.get('state') !== state || code === null) {
    return page(response, 400, 'This is not our registration', '<p>Begin again on the <a href="/">first page</a>.</p>')
  }
  const answer = await fetch(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, { method: 'POST' })
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to the registration: begin again`)
  const { id, pem, webhook_secret, html_url } = conversion.parse(await answer.json())
  const lines = [
    `APP_ID=${id}`,
    `WEBHOOK_SECRET=${webhook_secret}`,
    `PRIVATE_KEY="${pem.trim().replaceAll('\n', String.raw`\n`)}"`,
  ]
  await keep(lines)
  const next = `<p>The credentials are in <code>.env</code>.</p><ol><li>Stop this process and start it again.</li><li><a href="${escape(html_url)}/installations/new">Install the App</a> on a repository.</li><li>Require the check <code>countersign</code>, pinned to this App, in the rules of your default branch.</li></ol>`
  return page(response, 200, 'Registered', next)
}

/** Behind whatever the file holds already, and readable by its owner alone. */
async function keep(lines: readonly string[]): Promise<void> {
  const before = await readFile('.env', 'utf8').catch(() => '')
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  await appendFile('.env', `${gap}${lines.join('\n')}\n`, { mode: 0o600 })
  await chmod('.env', 0o600)
}

const form = (action: string, value: string): string =>
  `<p>This creates a GitHub App of your own with the permissions that Countersign needs, and nothing more: it never merges and never pushes.</p>
<form action="${escape(action)}" method="post"><input type="hidden" name="manifest" value="${escape(value)}"><button>Register with GitHub</button></form>`

function page(response: ServerResponse, status: number, title: string, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>body{font:16px/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style><h1>${title}</h1>${body}</html>`,
  )
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
