// A database of its own on the server that DATABASE_URL names, for an account without privileges, and the network before
// it: it passes everything on, or is shut, or swallows what it is given, as an address does that has moved elsewhere.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { z } from 'zod'
import { openPool } from '../../../src/adapters/store/postgres/postgres.ts'
import { freePort } from './running.ts'

export const server = process.env['DATABASE_URL'] ?? ''

export type ADatabase = {
  /** Through the network, as the App reaches it. */
  readonly url: string
  readonly network: { readonly open: () => Promise<void>; readonly shut: () => void; readonly swallow: () => void }
  /** Nobody answers under its address while this is done. */
  readonly away: (work: () => Promise<void>) => Promise<void>
  /** As an operator would, in the database itself. `{name}` and `{role}` are filled in. */
  readonly ask: (
    statement: string,
    values?: readonly unknown[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Ends every connection of the account, whoever has it. */
  readonly cut: () => Promise<number>
  /** Of these, the deliveries that are stored. */
  readonly stored: (guids: readonly string[]) => Promise<readonly string[]>
  /** While nobody works on it: nothing is left, all is put aside, and what was put aside is all there is. */
  readonly empty: () => Promise<void>
  readonly backUp: () => Promise<void>
  readonly restore: () => Promise<void>
  readonly remove: () => Promise<void>
}

export async function aDatabase(): Promise<ADatabase> {
  const name = `weather_${randomUUID().replaceAll('-', '')}`
  const filled = (statement: string): string => statement.replaceAll('{name}', name).replaceAll('{role}', name)
  const all = openPool(server)
  for (const statement of ["create role {role} login password 'x'", 'create database {name} owner {role}']) {
    await all.query(filled(statement))
  }
  const direct = new URL(server)
  direct.pathname = `/${name}`
  // Also where the database takes no writes.
  const operator = new URL(direct.href)
  operator.searchParams.set('options', '-c default_transaction_read_only=off')
  let inside = openPool(operator.href)
  const port = await freePort()
  const network = aNetwork(port, { host: direct.hostname, port: Number(direct.port) })
  await network.open()
  const url = new URL(direct.href)
  Object.assign(url, { host: `127.0.0.1:${port}`, username: name, password: 'x' })
  const ask: ADatabase['ask'] = (statement, values) => inside.query(filled(statement), values)
  /** The server copies and drops only what nobody is connected to. */
  const alone = async (...statements: readonly string[]): Promise<void> => {
    await inside.close()
    const ended = `select pg_terminate_backend(pid) from pg_stat_activity where datname like '{name}%'`
    for (const statement of [ended, ...statements]) await all.query(filled(statement))
    inside = openPool(operator.href)
  }
  const copied = (from: string, to: string): string => `create database ${to} template ${from} owner {role}`
  return {
    url: url.href,
    network,
    away: async (work) => {
      network.shut()
      await work()
      await network.open()
    },
    ask,
    empty: () => alone('drop database {name} with (force)', 'create database {name} owner {role}'),
    backUp: () => alone('drop database if exists {name}_old', copied('{name}', '{name}_old')),
    restore: () => alone('drop database {name} with (force)', copied('{name}_old', '{name}')),
    cut: async () => {
      const statement = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1'
      return (await all.query(statement, [name])).length
    },
    stored: async (guids) => {
      const rows = await ask('select guid from delivery where guid = any($1::text[])', [guids])
      return z
        .array(z.object({ guid: z.string() }))
        .parse(rows)
        .map(({ guid }) => guid)
    },
    remove: async () => {
      network.shut()
      await inside.close()
      await all.query(filled('drop database {name} with (force)'))
      await all.query(filled('drop database if exists {name}_old with (force)'))
      await all.query(filled('drop role {role}'))
      await all.close()
    },
  }
}

function aNetwork(port: number, to: { host: string; port: number }): ADatabase['network'] {
  let passing: Server | null = null
  let swallows = false
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const passed = (from: Socket, other: Socket): void => {
    // What was once swallowed stays so: the machine on the other side is another one by now.
    let lost = false
    from.on('data', (bytes) => {
      lost ||= swallows
      if (!lost) other.write(bytes)
    })
    from.on('close', () => {
      if (!lost) other.destroy()
    })
  }
  return {
    open: async () => {
      swallows = false
      if (passing !== null) return
      passing = createServer((inward) => {
        const outward = track(connect(to))
        track(inward)
        passed(inward, outward)
        passed(outward, inward)
      }).listen(port, '127.0.0.1')
      await once(passing, 'listening')
    },
    shut: () => {
      passing?.close()
      passing = null
      for (const socket of sockets) socket.destroy()
    },
    swallow: () => void (swallows = true),
  }
}
