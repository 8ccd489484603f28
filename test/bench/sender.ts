// Sends webhooks as fast as one process can, or at a steady rate, and says how long each took to be acknowledged. A
// process of its own that speaks plain HTTP over sockets, so that what is measured is the door and not its visitor.
//   one line of JSON in (a Wish), one line of JSON out (a Report)
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

export const wish = z.object({
  url: z.string(),
  secret: z.string(),
  /** A payload that has `placeholder` where each one gets a commit of its own. */
  template: z.string(),
  placeholder: z.string(),
  seconds: z.number(),
  /** So many leave each second, however long the others take; or each sender sends when it was answered. */
  perSecond: z.number().nullable(),
  senders: z.number(),
})
export type Wish = z.output<typeof wish>
export const report = z.object({ took: z.array(z.number()), seconds: z.number() })
export type Report = z.output<typeof report>

/** A connection that carries one request at a time. */
type Line = { readonly socket: Socket; answered: ((status: string) => void) | null; heard: string; freeSince: number }
/** The App closes what was idle for five seconds, so that nothing is sent on such a line. */
const idleMsMax = 3_000

async function main({ url, secret, template, placeholder, seconds, perSecond, senders }: Wish): Promise<Report> {
  const { hostname, port, host } = new URL(url)
  const [before = '', after = ''] = template.split(placeholder)
  const length = Buffer.byteLength(before) + Buffer.byteLength(after) + 40
  const fixed =
    `POST /api/github/webhooks HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
    `content-length: ${length}\r\nx-github-event: check_run\r\n`
  const free: Line[] = []
  const send = async (): Promise<number> => {
    const body = `${before}${randomBytes(20).toString('hex')}${after}`
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const last = free.pop()
    const usable = last !== undefined && performance.now() - last.freeSince < idleMsMax
    const line = usable ? last : lineTo(hostname, Number(port))
    const { promise, resolve } = Promise.withResolvers<string>()
    line.answered = resolve
    const began = performance.now()
    line.socket.write(
      `${fixed}x-github-delivery: ${randomUUID()}\r\nx-hub-signature-256: sha256=${signature}\r\n\r\n${body}`,
    )
    const status = await promise
    line.freeSince = performance.now()
    free.push(line)
    if (!/^20[02]$/.test(status)) throw new Error(`A webhook was answered with ${status}`)
    return performance.now() - began
  }
  const began = performance.now()
  const took = perSecond === null ? await flood(send, senders, seconds) : await pace(send, perSecond, seconds)
  return { took, seconds: (performance.now() - began) / 1000 }
}

async function flood(send: () => Promise<number>, senders: number, seconds: number): Promise<number[]> {
  const took: number[] = []
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: senders }, async () => {
      while (performance.now() < until) took.push(await send())
    }),
  )
  return took
}

async function pace(send: () => Promise<number>, perSecond: number, seconds: number): Promise<number[]> {
  const began = performance.now()
  const sent: Promise<number>[] = []
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = began + (index * 1000) / perSecond
    while (performance.now() < due) await sleep(1)
    sent.push(send())
  }
  return Promise.all(sent)
}

function lineTo(host: string, port: number): Line {
  const line: Line = {
    socket: createConnection({ host, port, noDelay: true }),
    answered: null,
    heard: '',
    freeSince: 0,
  }
  line.socket.setEncoding('latin1')
  line.socket.on('data', (part) => {
    line.heard += String(part)
    const status = statusOf(line.heard)
    if (status === null) return
    line.heard = ''
    line.answered?.(status)
  })
  line.socket.on('close', () => line.answered?.('a closed connection'))
  line.socket.on('error', (error) => line.answered?.(error.message))
  return line
}

/** The status of an answer that is there as a whole, its body included, else null. */
function statusOf(heard: string): string | null {
  const headEnd = heard.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = heard.slice(0, headEnd).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  const whole = length === undefined ? heard.endsWith('0\r\n\r\n') : heard.length >= headEnd + 4 + Number(length)
  return whole ? (head.split(' ')[1] ?? '') : null
}

if (import.meta.main) {
  const told = JSON.stringify(await main(wish.parse(JSON.parse(await text(process.stdin)))))
  process.stdout.write(told, () => process.exit(0))
}
