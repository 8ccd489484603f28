// The inbox in processes that die: nothing that was acknowledged is lost, skipped or reordered, whoever takes over.
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { madeStoreIn } from '../made-store.ts'
import { type Child, startChild } from '../store/processes.ts'
import { temporaryDirectory } from '../store/opened.ts'
import { newPostgres, openDatabase } from './opened.ts'

const databaseUrl = process.env['DATABASE_URL']

test.each([
  ['as it comes', Infinity],
  ['as a storm', 0],
])(
  'on PGlite, kill -9 in the middle and a start afterwards, with what is brought %s',
  async (_, stormFrom) => {
    const { directory, remove } = temporaryDirectory()
    onTestFinished(remove)
    madeStoreIn(directory)
    const acknowledged: string[] = []
    for (const name of ['first', 'second']) {
      const child = await started(directory, stormFrom)
      child.say(`send ${name}\n`)
      acknowledged.push(...(await lines(child, 100 + Math.floor(Math.random() * 300))), ...(await child.kill()))
    }
    const child = await started(directory, stormFrom)
    child.say('drain\n')
    expect(await child.line()).toBe('drained')
    await child.end()
    await checkHandled(directory, acknowledged)
  },
  60_000,
)

test.skipIf(databaseUrl === undefined)(
  'on Postgres, kill -9 of one of two processes while the other goes on (needs DATABASE_URL)',
  async () => {
    const { place, remove } = await newPostgres(databaseUrl ?? '')
    const one = await started(place)
    const other = await started(place)
    one.say('send one\n')
    other.say('send other\n')
    const acknowledged = [...(await lines(one, 500)), ...(await one.kill())]
    const killed = performance.now()
    acknowledged.push(...(await lines(other, 500)))
    other.say('drain\n')
    for (let line = await other.line(); line !== 'drained' && line !== null; line = await other.line()) {
      acknowledged.push(line)
    }
    await other.end()
    const seconds = ((performance.now() - killed) / 1_000).toFixed(1)
    process.stdout.write(`The work of a killed process was taken over after ${seconds} s\n`)
    await checkHandled(place, acknowledged)
    expect(acknowledged.length).toBeGreaterThan(999)
    await remove()
  },
  60_000,
)

async function started(place: string, stormFrom = Infinity): Promise<Child> {
  const child = startChild('../inbox/worker.ts', place, String(stormFrom))
  expect(await child.line()).toBe('open')
  return child
}

async function lines(child: Child, wanted: number): Promise<readonly string[]> {
  const read: string[] = []
  while (read.length < wanted) {
    const line = await child.line()
    if (line === null) throw new Error('the process ended by itself')
    read.push(line)
  }
  return read
}

const handledRows = z.array(z.object({ line: z.string(), number: z.int() }))

/** Lines are `<key>/<sender> <number>`; each sender counts up on each key. */
async function checkHandled(place: string, acknowledged: readonly string[]): Promise<void> {
  const { sql, close } = await openDatabase(place)
  const rows = await sql.query(`select key || '/' || sender as line, number from handled order by place`)
  await close()
  const handled = Map.groupBy(handledRows.parse(rows), ({ line }) => line)
  const first = new Map([...handled].map(([line, many]) => [line, [...new Set(many.map(({ number }) => number))]]))
  for (const [line, numbers] of first) expect([line, numbers]).toEqual([line, numbers.map((_, index) => index)])
  const lost = acknowledged.filter((text) => {
    const [, line = '', number = ''] = /^(.*) (\d+)$/.exec(text) ?? []
    return first.get(line)?.includes(Number(number)) !== true
  })
  expect(lost).toEqual([])
  const again = rows.length - [...first.values()].flat().length
  process.stdout.write(
    `${acknowledged.length} acknowledged, ${rows.length} handled, ${again} of them for a second time\n`,
  )
}
