// A GitHub of a few lines, over real HTTP, and the App's own client to talk to it with.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Probot } from 'probot'
import { onTestFinished } from 'vitest'
import { countersignOctokit } from '../../src/adapters/github/traffic/app-octokit.ts'
import { githubTraffic } from '../../src/adapters/github/traffic/client.ts'
import { onLoopback } from '../loopback.ts'

export type Reply = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly json?: unknown
  /** Sent as it is; `cut` breaks the connection in the middle of it. */
  readonly raw?: string | Buffer
  readonly cut?: boolean
}
export type Rule = (request: {
  readonly line: string
  readonly headers: IncomingMessage['headers']
}) => Reply | null | Promise<Reply | null>

/** Answers by rule, after `ms`; hands out the token `token-<installation>` to whoever asks. */
export async function aGithub(rule: Rule, ms = 0): Promise<{ readonly url: string; readonly seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const line = `${request.method} ${request.url}`
      seen.push(line)
      const reply = (await rule({ line, headers: request.headers })) ?? tokenReply(line) ?? { json: {} }
      setTimeout(() => write(response, reply), ms)
    }
    request.resume()
    request.on('end', () => void answer())
  })
  const port = await onLoopback(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, seen }
}

function write(response: ServerResponse, { status = 200, headers = {}, json, raw, cut = false }: Reply): void {
  const body = raw ?? JSON.stringify(json)
  const type = raw === undefined ? 'application/json; charset=utf-8' : 'application/zip'
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers })
  if (!cut) return void response.end(body)
  response.write(body.slice(0, body.length / 2), () => response.destroy())
}

function tokenReply(line: string): Reply | null {
  const installation = /^POST \/app\/installations\/(\d+)\/access_tokens$/.exec(line)?.[1]
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  return installation === undefined ? null : { status: 201, json: { token: `token-${installation}`, expires_at } }
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

export function anApp(baseUrl: string, traffic = githubTraffic()) {
  const Octokit = countersignOctokit(traffic)
  const app = new Probot({ appId: 1, privateKey, secret: 'secret', baseUrl, Octokit, logLevel: 'fatal' })
  return { app, traffic }
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
export const repo = { owner: 'ada', repo: 'engine' }
export const run = { ...repo, name: 'countersign', head_sha: 'a1' }
export const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )
