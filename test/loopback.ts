// Where a server of the tests listens: on this machine alone.
import { once } from 'node:events'
import type { Server } from 'node:net'

/** The port on which it listens from now on; one that the system chooses, where none is named. */
export async function onLoopback(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}
