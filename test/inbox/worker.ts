// A process that brings deliveries to an inbox and handles them until it is killed. It says each one that was
// acknowledged; what was handled is written into a table of the same database, in the order in which it happened.
// Run as: node test/inbox/worker.ts <directory or Postgres address> [<from when on it is a storm>], then tell it `send <name>` or
// `drain`.
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { openInbox } from '../../src/adapters/inbox/inbox.ts'
import { openDatabase } from './opened.ts'

const bodyForm = z.object({ sender: z.string(), number: z.int() })
/** So that there is something to interrupt. */
const workMs = 5
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const database = await openDatabase(process.argv[2] ?? '')
await database.sql.query(
  'create table if not exists handled (place integer generated always as identity, key text, sender text, number integer)',
)
const inbox = await openInbox(
  database,
  {
    deliveries: async (key, deliveries) => {
      for (const delivery of deliveries) {
        const { sender, number } = bodyForm.parse(delivery.body)
        const insert = 'insert into handled (key, sender, number) values ($1, $2, $3)'
        await database.sql.query(insert, [key, sender, number])
        await delay(workMs)
      }
    },
    ask: async () => null,
  },
  {
    clock: { now: () => new Date().toISOString() },
    onError: (error) => void process.stderr.write(`${error.stack}\n`),
    retryDelaySeconds: 0,
    stormFrom: Number(process.argv[3] ?? Infinity),
  },
)
say('open')

const sending = new AbortController()
async function send(sender: string, key: string): Promise<void> {
  for (let number = 0; !sending.signal.aborted; number += 1) {
    await inbox.ingest({ guid: `${sender} ${key} ${number}`, key, body: { sender, number } })
    say(`${key}/${sender} ${number}`)
  }
}

async function drain(): Promise<void> {
  sending.abort()
  for (;;) {
    const { waiting, active } = await inbox.status()
    if (waiting === 0 && active === 0) break
    await delay(20)
  }
  say('drained')
  await inbox.stop()
  await database.close()
  process.exit()
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, sender = ''] = line.split(' ')
  if (command === 'drain') void drain()
  else for (let key = 0; key < 12; key += 1) void send(sender, `repository#${key}`)
}
