// A process that appends to an embedded store until it is killed, and says each event that was acknowledged.
// Run as: node test/store/appender.ts <directory>
import { emptyTail } from '../../src/core/decision/record/chain.ts'
import { openEmbedded } from '../../src/adapters/store/embedded/embedded.ts'
import { sealedEvents } from './streams.ts'

const store = await openEmbedded(process.argv[2] ?? '')
process.stdout.write('open\n')

async function appendTo(stream: string, batch: number): Promise<never> {
  let tail = (await store.read(stream)).at(-1) ?? emptyTail
  for (;;) {
    const events = sealedEvents(stream, Array<string>(batch).fill('x'.repeat(500)), tail)
    await store.append(stream, tail.version, events)
    tail = events.at(-1) ?? tail
    process.stdout.write(`${stream} ${tail.version}\n`)
  }
}

await Promise.all([appendTo('one', 1), appendTo('three', 3), appendTo('ten', 10)])
