// `npm run scale`: what a store on Postgres costs that holds years of finished tasks, against an empty one: start, sweep, and
// one event. The tasks are one that the rules judged, copied by the server under other names: as large as real ones and as many,
// though their chains are not their own. Two processes may get a share of a processor each and no more: where the machine has
// few, GitHub and the server of the measurement would want the same ones.
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { migrateServer, openPool } from '../../src/adapters/store/postgres/postgres.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { emptyTail, seal } from '../../src/core/decision/record/chain.ts'
import { engineOver } from '../../src/engine/engine.ts'
import { sweep } from '../../src/engine/rounds/sweep.ts'
import { aTask, sealing } from './crowd.ts'
import { aLab } from './lab.ts'
import { atLeast, atMost, median, rounded, tableOf, type Row } from './row.ts'
import { shareOf } from './share.ts'
import { allShownMs, eventToShown, manyWaiting, shopsMax } from './shown.ts'
import { asked } from '../options.ts'

const about = `Start, sweep and one event with years of finished tasks in the store, held against an empty one. DATABASE_URL names the
Postgres server.`
const { is, text, whole, refused } = asked('scale', about, {
  tasks: { takes: 'number', about: 'so many finished tasks', default: '100000' },
  together: { about: 'measure two processes against one as well' },
  share: { takes: 'part', about: 'with --together: what each process has of a processor, above 0 and up to 1' },
  json: { about: 'print rows only' },
})
const tasks = whole('tasks', 1)
const share = Number(text('share'))
const server = process.env['DATABASE_URL'] ?? ''
if (server === '') refused('DATABASE_URL names no Postgres server')
if (text('share') !== '' && !(is('together') && share > 0 && share <= 1))
  refused('--share takes a number above zero and up to 1, and goes with --together')

const copyMsMax = 6 * 60 * 60_000
const copiedAtOnce = 20_000
const repeats = 5
const withinPercent = 10
/** Until then much of what runs is not compiled yet, in two processes for longer than in one. */
const batchesBefore = 2
const batches = 4
/** In each of 25 repositories: more than one process takes up at once. */
const pullsPerShop = 16
/** Often asked, a process with a small share does little else. */
const askedEveryMs = 300
const sizes = z.tuple([z.object({ bytes: z.number() })])

const together = is('together') ? [await togetherRow()] : []
const empty = await withDatabase(measured)
const full = await withDatabase(async (url) => {
  const { events, bytes } = await fill(url)
  return { ...(await measured(url)), events, bytes }
})
const over = (name: string, value: number, base: number): Row =>
  atMost(
    `${name} with ${tasks} tasks, over an empty store (${base.toFixed(1)} ms)`,
    (value / base - 1) * 100,
    '%',
    withinPercent,
  )
const rows = [
  ...together,
  over('start', full.startMs, empty.startMs),
  atMost(`sweep with ${tasks} tasks (empty: ${empty.sweepMs.toFixed(1)} ms)`, full.sweepMs, 'ms', 20),
  over('event to decision shown', full.shownMs, empty.shownMs),
  atMost(`room for a finished task, of ${full.events} events in all`, full.bytes / tasks / 1_000, 'KB', 40),
]
console.log(is('json') ? JSON.stringify({ rows }) : tableOf(rows))
process.exit(0)

async function withDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const name = `scale_${randomUUID().replaceAll('-', '')}`
  const all = openPool(server)
  await all.query(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  try {
    await migrateServer(url.href)
    return await work(url.href)
  } finally {
    await all.query(`drop database ${name} with (force)`)
    await all.close()
  }
}

/** How long more events than one takes up at once take one process, and two behind a balancer. */
async function togetherRow(): Promise<Row> {
  const of = (processes: number) =>
    withDatabase(async (databaseUrl) => {
      const lab = await aLab({ databaseUrl, processes, askedEveryMs })
      const own = share > 0 ? shareOf(lab.pids(), share) : null
      const times: number[] = []
      for (let index = 0; index < batchesBefore + batches; index += 1) {
        const heads = await manyWaiting(lab, pullsPerShop)
        own?.on()
        times.push(await allShownMs(lab, heads))
        own?.off()
      }
      await lab.stop()
      own?.forget()
      return median(times.slice(batchesBefore))
    })
  const [one, two] = [await of(1), await of(2)]
  const room = share > 0 ? `each with ${share} of a processor` : `on ${availableParallelism()} processors`
  const told = `${rounded(one / 1_000)} s by one, ${rounded(two / 1_000)} s by two, ${room}`
  return atLeast(
    `what two processes carry of ${pullsPerShop * shopsMax} events at once, of what one does: ${told}`,
    one / two,
    'times',
    1.7,
  )
}

async function measured(databaseUrl: string) {
  const lab = await aLab({ databaseUrl })
  const starts: number[] = []
  for (let index = 0; index < repeats; index += 1) starts.push(await lab.restart())
  const shownMs = await eventToShown(lab)
  await lab.stop()
  return { startMs: median(starts), sweepMs: await sweepMs(databaseUrl), shownMs }
}

async function sweepMs(url: string): Promise<number> {
  const sql = openPool(url)
  const nobody = async () => Promise.reject(new Error('Nobody is asked'))
  const engine = engineOver({
    store: sqlStore(sql),
    forges: { of: nobody },
    verifier: { available: false, verify: nobody, judgeGate: nobody },
    clock: { now: () => new Date().toISOString() },
    ids: { next: () => 'id' },
    aside: aside(inLine),
  })
  // What the measured App left open is not what a store full of finished tasks costs.
  await sql.query('delete from open_stream')
  const times: number[] = []
  for (let index = 0; index < repeats; index += 1) {
    const began = performance.now()
    await sweep(engine)
    times.push(performance.now() - began)
  }
  await sql.close()
  return median(times)
}

/** One task through the store's own adapter, and the others as copies of its rows. */
async function fill(url: string): Promise<{ events: number; bytes: number }> {
  const sql = openPool(url, { statementMsMax: copyMsMax })
  const events = seal(aTask(), emptyTail, sealing('R0#0'))
  const store = sqlStore(sql)
  await store.append('R0#0', 0, events)
  await store.finish('R0#0', events.length)
  for (let from = 1; from < tasks; from += copiedAtOnce) {
    const range = [from, Math.min(tasks, from + copiedAtOnce) - 1]
    const name = `'R' || lpad((n / 100 + 1)::text, 6, '0') || '#' || n % 100`
    const copies = `generate_series($1::integer, $2::integer) as n`
    await sql.query(
      `insert into event (stream, version, id, type, at, hash, body, packed)
       select ${name}, version, id, type, at, hash, body, packed from ${copies}, event
       where event.stream = 'R0#0' order by 1, 2`,
      range,
    )
    await sql.query(
      `insert into stream_key (key, stream) select key || ':' || n, ${name} from ${copies}, stream_key where stream = 'R0#0'`,
      range,
    )
    await sql.query(
      `insert into closed_stream (stream, at) select ${name}, at from ${copies}, closed_stream where stream = 'R0#0'`,
      range,
    )
  }
  for (const table of ['event', 'stream_key', 'closed_stream']) await sql.query(`vacuum analyze ${table}`)
  // What the copying left to be written is not what a full store costs.
  await sql.query('checkpoint').catch(() => undefined)
  const [size] = sizes.parse(
    await sql.query(`select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
      where relname in ('event', 'stream_key', 'open_stream', 'closed_stream')`),
  )
  await sql.close()
  return { events: tasks * events.length, bytes: size.bytes }
}
