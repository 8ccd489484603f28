// A connection on which a test says what it likes, byte by byte, and hears what comes back.
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { signatureOf } from './spawned.ts'
import { until } from './running.ts'

export type Line = {
  /** Resolves when the system has taken it, or the other side has gone. */
  readonly say: (words: string | Buffer) => Promise<void>
  /** The status of the first answer, once there is one; `closed` where the other side hangs up without one. */
  readonly answer: () => Promise<string>
  readonly heard: () => string
  readonly isOpen: () => boolean
  readonly hangUp: () => void
}

export async function lineTo(url: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true })
  let heard = ''
  let open = true
  let taken = Promise.withResolvers<void>()
  socket.setEncoding('latin1')
  socket.on('drain', () => taken.resolve())
  socket.on('data', (part) => (heard += String(part)))
  // Being cut off is an outcome that tests look for.
  socket.on('error', () => (open = false))
  socket.on('close', () => {
    open = false
    taken.resolve()
  })
  await once(socket, 'connect')
  return {
    say: async (words) => {
      if (!open || socket.write(words)) return
      taken = Promise.withResolvers<void>()
      await taken.promise
    },
    answer: async () => {
      await until(async () => statusIn(heard) !== undefined || !open)
      return statusIn(heard) ?? 'closed'
    },
    heard: () => heard,
    isOpen: () => open,
    hangUp: () => void socket.destroy(),
  }
}

const statusIn = (heard: string): string | undefined => /^HTTP\/1\.1 (?!100)(\d{3})/m.exec(heard)?.[1]

/** How a webhook begins. Headers that are null are left out. */
export function headOf(more: Readonly<Record<string, string | number | null>> = {}): string {
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    'x-github-event': 'pull_request',
    'x-github-delivery': crypto.randomUUID(),
    'x-hub-signature-256': signatureOf('what nobody sends', 'a guess'),
    ...more,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]))
  return `POST /api/github/webhooks HTTP/1.1\r\n${lines.join('')}\r\n`
}
