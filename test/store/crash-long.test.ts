// The embedded store as a process that dies: nothing that was acknowledged may be missing afterwards, nobody else is let
// in meanwhile, and the log that makes this so stays small.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifyAll } from '../../src/adapters/store/audit.ts'
import { openEmbedded, openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import { temporaryDirectory } from './opened.ts'
import { type Child, startChild } from './processes.ts'

const { directory, remove } = temporaryDirectory()
afterAll(remove)
const home = join(directory, 'made', 'when missing')

test('kill -9 in the middle of appends loses nothing that was acknowledged', async () => {
  mkdirSync(join(home, 'data.unfinished'), { recursive: true })
  writeFileSync(join(home, 'data.unfinished', 'PG_VERSION'), 'half a database')
  const acknowledged = new Map<string, number>()
  for (let round = 0; round < 5; round += 1) {
    const child = startChild('appender.ts', home)
    expect(await child.line()).toBe('open')
    for (const line of await linesUntilKilled(child, 1 + Math.floor(Math.random() * 300))) {
      const [stream = '', version = ''] = line.split(' ')
      acknowledged.set(stream, Number(version))
    }
  }
  const store = await openEmbedded(home)
  for (const [stream, version] of acknowledged) {
    const events = await store.read(stream)
    expect(events.map((event) => event.version)).toEqual(events.map((_, index) => index + 1))
    expect(events.length).toBeGreaterThanOrEqual(version)
  }
  expect(await verifyAll(store)).toEqual({ streams: 3, broken: [] })
  expect((await store.read('ten')).length % 10).toBe(0)
  expect((await store.read('three')).length % 3).toBe(0)
  await store.close()
  expect(existsSync(join(home, 'lock'))).toBe(false)
}, 90_000)

test('while a process has the directory another is refused, and told by whom', async () => {
  const child = startChild('appender.ts', home)
  expect(await child.line()).toBe('open')
  const refused = await openEmbedded(home).catch((error: unknown) => error)
  expect(refused).toMatchObject({ name: 'StoreLocked', directory: home, holder: { pid: child.pid } })
  expect(refused).toHaveProperty('message', expect.stringContaining(`${home} is in use by process ${child.pid} on `))
  await child.kill()
  const store = await openEmbedded(home)
  await expect(openEmbedded(home)).rejects.toThrow(`in use by process ${process.pid} on `)
  await store.close()
})

test('the log is cut down before it fills the disk', async () => {
  const { sql, flush } = await openPglite(home)
  await sql.query('create table noise as select repeat(md5(random()::text), 30) as text from generate_series(1, 75000)')
  const logBytes = async (): Promise<number> => {
    const [log] = await sql.query(
      'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
    )
    return Number(log?.['bytes'])
  }
  expect(await logBytes()).toBeGreaterThan(64 * 1024 * 1024)
  for (let flushes = 0; flushes < 100; flushes += 1) await flush()
  expect(await logBytes()).toBeLessThan(1024 * 1024)
  await sql.close()
})

async function linesUntilKilled(child: Child, wanted: number): Promise<readonly string[]> {
  const lines: string[] = []
  while (lines.length < wanted) {
    const line = await child.line()
    if (line === null) throw new Error('the process ended by itself')
    lines.push(line)
  }
  return [...lines, ...(await child.kill())]
}
