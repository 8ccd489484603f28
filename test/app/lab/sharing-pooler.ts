// A pooler as it must not stand between the App and its server: for each transaction it hands out one of a few sessions, whoever
// asks. Which one that is, is chosen as poolers choose: the one that was free the longest, or the shortest, or any.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { onLoopback } from '../../loopback.ts'

export type Choice = 'oldest' | 'newest' | 'any'
type Wish = { readonly size: number; readonly choice: Choice }

/** An open door, as the server says it: `AuthenticationOk`, and that no transaction is open. */
const welcome = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0, ...Buffer.from('Z'), 0, 0, 0, 5, 0x49])
const [readyByte = 0, goodbyeByte = 0, idleByte = 0] = Buffer.from('ZXI')
const headBytes = 5

export async function sharingPooler(url: string, { size, choice }: Wish) {
  const free = await Promise.all(Array.from({ length: size }, () => session(url)))
  const all = [...free]
  const waiting: ((one: Socket) => void)[] = []
  const take = async (): Promise<Socket> => {
    const places = { oldest: 0, newest: free.length - 1, any: Math.floor(Math.random() * free.length) }
    const [one] = free.splice(places[choice], 1)
    return one ?? new Promise((done) => waiting.push(done))
  }
  const giveBack = (one: Socket): void => {
    const next = waiting.shift()
    if (next === undefined) free.push(one)
    else next(one)
  }
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => client.destroy())
    serve(client, take, giveBack)
  })
  const through = new URL(url)
  through.host = `127.0.0.1:${await onLoopback(server)}`
  return {
    url: through.href,
    close: () => {
      server.close()
      for (const one of [...clients, ...all]) one.destroy()
    },
  }
}

/** One of the server's own, opened as the driver opens it. */
async function session(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  await new Client({ connectionString: url, stream: () => socket }).connect()
  socket.removeAllListeners()
  return socket.on('error', () => socket.destroy())
}

/** What a client sends until its transaction ends goes to one session, whose answers go back to it. */
function serve(client: Socket, take: () => Promise<Socket>, giveBack: (one: Socket) => void): void {
  let greeted = false
  let taken: Promise<Socket> | null = null
  const begun = async (): Promise<Socket> => {
    const one = await take()
    passBack(one, client, () => {
      taken = null
      giveBack(one)
    })
    return one
  }
  client.on('data', (bytes: Buffer) => {
    if (!greeted) {
      greeted = true
      client.write(welcome)
    } else if (bytes[0] === goodbyeByte) client.end()
    else {
      taken ??= begun()
      void taken.then((one) => one.write(bytes))
    }
  })
}

function passBack(session: Socket, client: Socket, onEnd: () => void): void {
  let rest = Buffer.alloc(0)
  const pass = (bytes: Buffer): void => {
    client.write(bytes)
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= headBytes) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      const isOver = rest[0] === readyByte && rest[headBytes] === idleByte
      rest = rest.subarray(length)
      if (!isOver) continue
      session.off('data', pass)
      return onEnd()
    }
  }
  session.on('data', pass)
}
