// The ear of an App under test: a server that receives webhooks, checks their signature and keeps them.
import { createServer } from 'node:http'
import { verify } from '@octokit/webhooks-methods'
import { onLoopback } from '../loopback.ts'

export type Heard = {
  readonly event: string
  readonly action: string | null
  readonly guid: string
  readonly signed: boolean
  readonly payload: Record<string, unknown>
}

/** An App's ear: it answers 200 unless told otherwise, and keeps what it heard. */
export async function anEar(secret: string) {
  const heard: Heard[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(Buffer.from(part))
      const text = Buffer.concat(parts).toString()
      const payload: Record<string, unknown> = JSON.parse(text)
      const signed = await verify(secret, text, String(request.headers['x-hub-signature-256']))
      const guid = String(request.headers['x-github-delivery'])
      const action = typeof payload['action'] === 'string' ? payload['action'] : null
      heard.push({ event: String(request.headers['x-github-event']), action, guid, signed, payload })
      response.statusCode = answers.shift() ?? 200
      response.end('heard')
    })()
  })
  const port = await onLoopback(server)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, heard, answers, close }
}
