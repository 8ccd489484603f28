// The event store in memory, for tests and for runs that keep nothing. It holds what the others would have on disk.
import { emptyTail, NotOnRecord, type Tail } from '../../core/decision/record/chain.ts'
import { upcast } from '../../core/decision/record/upcast.ts'
import { Conflict, type OpenStream, type Store } from '../../ports.ts'
import { keysOf, packBatch } from './batch.ts'

/** The streams may be handed in: they outlive the store, as a disk does. */
export function memoryStore(streams: Map<string, readonly string[]> = new Map()): Store {
  const finished = new Map<string, number>()
  const bodiesOf = (stream: string): readonly string[] => streams.get(stream) ?? []
  const names = (after: string): readonly string[] =>
    [...streams.keys()].filter((stream) => byBytes(stream, after) > 0).sort(byBytes)
  const lastOf = (stream: string): OpenStream => {
    const last = bodiesOf(stream).at(-1)
    if (last === undefined) throw new Error(`${stream} is empty`)
    const { version, at } = upcast(JSON.parse(last))
    return { stream, version, at }
  }
  return {
    read: async (stream, after = 0, hash) => {
      const all = bodiesOf(stream)
      const known = all.slice(after - 1, after)
      if (hash !== undefined && after > 0 && tailOf(known).hash !== hash) throw new NotOnRecord(stream, after)
      return all.slice(after).map((body) => upcast(JSON.parse(body)))
    },
    readRaw: async (stream) => bodiesOf(stream).map((body): unknown => JSON.parse(body)),
    newest: async (these) =>
      new Map(
        these.flatMap((stream) =>
          bodiesOf(stream)
            .slice(-1)
            .map((body) => [stream, JSON.parse(body)]),
        ),
      ),
    append: async (stream, expectedVersion, events) => {
      const batch = packBatch(stream, expectedVersion, events)
      if (batch === null) return
      const stored = bodiesOf(stream)
      const tail = tailOf(stored)
      if (tail.version !== batch.follows.version || tail.hash !== batch.follows.hash) {
        throw new Conflict(`${stream} is no longer at version ${expectedVersion}: somebody else was faster`)
      }
      streams.set(stream, [...stored, ...batch.bodies])
    },
    streams: async (after, limit) => names(after).slice(0, limit),
    open: async (after, limit) =>
      names(after)
        .filter((stream) => finished.get(stream) !== bodiesOf(stream).length)
        .slice(0, limit)
        .map((stream) => lastOf(stream)),
    finish: async (stream, version) => {
      if (bodiesOf(stream).length === version) finished.set(stream, version)
    },
    find: async (key) =>
      [...streams]
        .flatMap(([stream, bodies]) =>
          bodies.some((body) => keysOf(upcast(JSON.parse(body))).includes(key)) ? [stream] : [],
        )
        .sort(byBytes),
    close: async () => {},
  }
}

function tailOf(bodies: readonly string[]): Tail {
  const last = bodies.at(-1)
  return last === undefined ? emptyTail : upcast(JSON.parse(last))
}

/** The databases order names by their bytes; strings in JavaScript compare by UTF-16 units, which differs past U+FFFF. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
