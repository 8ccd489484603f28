// What every event store promises, whatever it stores in. Each store runs this suite; a promise is added here once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAll, verifyStream } from '../../src/adapters/store/audit.ts'
import { NotOnRecord } from '../../src/core/decision/record/chain.ts'
import { Conflict, type Store } from '../../src/ports.ts'
import { lastOf, numbered, sealedEvents } from './streams.ts'

export type Opened = {
  readonly store: Store
  /** Changes what is stored behind the store's back. */
  readonly tamper: (stream: string, change: (bodies: readonly string[]) => readonly string[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** Without a way to open it the suite is skipped, visibly. */
export function storeContract(name: string, open: (() => Promise<Opened>) | null): void {
  describe.skipIf(open === null).each([name])('%s', () => {
    let opened: Opened
    beforeAll(async () => {
      if (open !== null) opened = await open()
    }, 30_000)
    afterAll(() => opened.close())

    test('a stream nobody wrote to is empty', async () => {
      expect(await opened.store.read('unheard of')).toEqual([])
    })

    test('events come back as they were appended, in order', async () => {
      const events = sealedEvents('order', numbered(600))
      await opened.store.append('order', 0, events.slice(0, 3))
      await opened.store.append('order', 3, events.slice(3))
      expect(await opened.store.read('order')).toEqual(events)
      expect(await opened.store.readRaw('order')).toEqual(events)
    })

    test.each([0, 1, 299, 300, 301])('reading after %i of 300 gives the rest', async (after) => {
      const stream = `after ${after}`
      const events = sealedEvents(stream, numbered(300))
      await opened.store.append(stream, 0, events)
      expect(await opened.store.read(stream, after)).toEqual(events.slice(after))
    })

    test.each([
      ['of several scripts', 'naïve 世界 🦉 עברית'],
      ['that break naive quoting', `'"\\{},$1\n\r\t</script>`],
      ['that databases dislike', 'nul \u0000, half a pair \ud83e, separator \u2028'],
      ['by the megabyte', '0123456789abcde🦉'.repeat(60_000)],
    ])('keeps characters %s', async (kind, text) => {
      const stream = `${kind} 世界 🦉 '"\\`
      const events = sealedEvents(stream, [text, text])
      await opened.store.append(stream, 0, events)
      expect(await opened.store.read(stream)).toEqual(events)
      expect(await verifyStream(opened.store, stream)).toBeNull()
    })

    test('of concurrent appends to one stream exactly one wins, each time', async () => {
      let tail: Parameters<typeof sealedEvents>[2]
      for (let round = 0; round < 10; round += 1) {
        const batches = numbered(8).map((who) => sealedEvents('race', [`${who} round ${round}`, 'and more'], tail))
        const ends = await Promise.allSettled(batches.map((batch) => opened.store.append('race', round * 2, batch)))
        const lost = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []))
        expect(lost).toEqual(Array(7).fill(expect.any(Conflict)))
        const stored = await opened.store.read('race', round * 2)
        expect(stored).toEqual(batches[ends.findIndex((end) => end.status === 'fulfilled')])
        tail = lastOf(stored)
      }
      expect(await verifyStream(opened.store, 'race')).toBeNull()
    })

    test('of appends to many streams that come together each is taken or lost by itself', async () => {
      const { store } = opened
      const streams = numbered(30).map((name) => `together ${name}`)
      const first = new Map(streams.map((stream) => [stream, sealedEvents(stream, numbered(3))]))
      const eventsOf = (stream: string) => first.get(stream) ?? []
      await Promise.all(streams.map((stream) => store.append(stream, 0, eventsOf(stream).slice(0, 2))))
      for (const stream of streams) expect(await store.read(stream)).toEqual(eventsOf(stream).slice(0, 2))
      // Each third one comes too late, and each fifth one is followed at once by what follows it.
      const late = streams.filter((_, index) => index % 3 === 0)
      const ends = await Promise.allSettled(
        streams.flatMap((stream, index) => {
          const [, second, third] = eventsOf(stream)
          if (!second || !third) throw new Error('three events were sealed')
          if (late.includes(stream)) return [store.append(stream, 1, [second])]
          const next = sealedEvents(stream, ['and the next'], third)
          return [store.append(stream, 2, [third]), ...(index % 5 === 0 ? [store.append(stream, 3, next)] : [])]
        }),
      )
      const lost = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []))
      expect(lost).toEqual(late.map(() => expect.any(Conflict)))
      for (const stream of late) expect(await store.read(stream)).toHaveLength(2)
      for (const [index, stream] of streams.entries()) {
        if (late.includes(stream)) continue
        const all = await store.read(stream)
        expect(all.slice(0, 3)).toEqual(eventsOf(stream))
        expect(all).toHaveLength(index % 5 === 0 ? 4 : 3)
        expect(await store.read(stream, 2)).toEqual(all.slice(2))
        expect(await verifyStream(store, stream)).toBeNull()
      }
    })

    test('what was added since is read of many streams at once, little and much', async () => {
      const { store } = opened
      const long = 'x'.repeat(40_000)
      const added = new Map<string, readonly string[]>([
        ['added nothing', []],
        ['added one', ['one']],
        ['added many', numbered(60)],
        ['added large', [long, long]],
      ])
      const all = new Map([...added].map(([stream, more]) => [stream, sealedEvents(stream, ['first', ...more])]))
      for (const [stream, events] of all) await store.append(stream, 0, events)
      const read = await Promise.all([...all.keys(), 'added never'].map((stream) => store.read(stream, 1)))
      expect(read).toEqual([...[...all.values()].map((events) => events.slice(1)), []])
    })

    test.each([
      ['at a version that is taken', 1],
      ['that would leave a gap', 3],
    ])('an append %s is a conflict and leaves nothing', async (kind, expected) => {
      const [first, second, third, fourth, fifth] = sealedEvents(kind, numbered(5))
      if (!first || !second || !third || !fourth || !fifth) throw new Error('five events were sealed')
      await opened.store.append(kind, 0, [first, second])
      const batch = expected === 1 ? [second, third] : [fourth, fifth]
      await expect(opened.store.append(kind, expected, batch)).rejects.toThrow(Conflict)
      expect(await opened.store.read(kind)).toEqual([first, second])
    })

    test('what is remembered of a stream is held against what stands there', async () => {
      const { store } = opened
      const [stream, all] = ['remembered', sealedEvents('remembered', numbered(5))]
      await store.append(stream, 0, all)
      expect(await store.read(stream, 3, all[2]?.hash)).toEqual(all.slice(3))
      expect(await store.read(stream, 5, all[4]?.hash)).toEqual([])
      for (const [version, hash] of [
        [3, all[1]?.hash],
        [6, all[4]?.hash],
      ] as const) {
        await expect(store.read(stream, version, hash)).rejects.toBeInstanceOf(NotOnRecord)
      }
    })

    test('an append that follows another history of the same length is a conflict', async () => {
      const ours = sealedEvents('history', ['what we know'])
      await opened.store.append('history', 0, sealedEvents('history', ['what happened']))
      const next = sealedEvents('history', ['and so on'], lastOf(ours))
      await expect(opened.store.append('history', 1, next)).rejects.toThrow(Conflict)
      expect(await opened.store.read('history')).toHaveLength(1)
    })

    test('an append that names the right hash at the wrong version is a conflict', async () => {
      const events = sealedEvents('misplaced', ['first'])
      await opened.store.append('misplaced', 0, events)
      const later = sealedEvents('misplaced', ['later'], { version: 3, hash: lastOf(events).hash })
      await expect(opened.store.append('misplaced', 3, later)).rejects.toThrow(Conflict)
      expect(await opened.store.read('misplaced')).toEqual(events)
    })

    test('a batch that was put together wrongly is refused with what is wrong, and is no conflict', async () => {
      const events = sealedEvents('wrong', numbered(3))
      const refusal = (stream: string, expected: number, batch: typeof events): Promise<unknown> =>
        opened.store.append(stream, expected, batch).catch((error: unknown) => error)
      for (const [end, words] of [
        [await refusal('other', 0, events), 'it was sealed for wrong'],
        [await refusal('wrong', 1, events), 'it has version 1 and would follow 1'],
        [await refusal('wrong', 0, events.toSpliced(1, 1)), 'it has version 3 and would follow 1'],
        [
          await refusal('wrong', 0, [...events.slice(0, 2), ...sealedEvents('wrong', numbered(3, '!')).slice(2)]),
          'as the hash before it',
        ],
      ] as const) {
        expect(end).toBeInstanceOf(Error)
        expect(end).not.toBeInstanceOf(Conflict)
        expect(end).toHaveProperty('message', expect.stringContaining(words))
      }
      expect(await opened.store.read('wrong')).toEqual([])
    })

    test('a stream is open until it is finished at its last version, and opens again with the next event', async () => {
      const { store } = opened
      const openOnes = async () => (await store.open('left', 3)).filter(({ stream }) => stream.startsWith('left'))
      const [first, second, third] = sealedEvents('left 1', numbered(3))
      if (!first || !second || !third) throw new Error('three events were sealed')
      await store.append('left 1', 0, [first, second])
      await store.append('left 2', 0, sealedEvents('left 2', ['x']))
      expect(await openOnes()).toMatchObject([
        { stream: 'left 1', version: 2, at: second.at },
        { stream: 'left 2', version: 1 },
      ])
      expect(await store.open('left', 1)).toHaveLength(1)
      expect(await store.open('left 1', 1)).toMatchObject([{ stream: 'left 2' }])
      // Somebody appended since it was looked at.
      await store.finish('left 1', 1)
      expect(await openOnes()).toHaveLength(2)
      await store.finish('left 1', 2)
      expect(await openOnes()).toMatchObject([{ stream: 'left 2' }])
      await store.append('left 1', 2, [third])
      expect(await openOnes()).toMatchObject([{ stream: 'left 1', version: 3 }, { stream: 'left 2' }])
    })

    test('an event too large to be read back with its neighbours is refused', async () => {
      const events = sealedEvents('large', ['x'.repeat(2 * 1024 * 1024)])
      await expect(opened.store.append('large', 0, events)).rejects.toThrow('the store takes events up to')
    })

    test('appending nothing changes nothing', async () => {
      await opened.store.append('nothing', 0, [])
      expect(await opened.store.read('nothing')).toEqual([])
    })

    test('the newest event of each of many streams is told as it was stored, and of none where there is none', async () => {
      const { store } = opened
      const names = ['newest 1', 'newest 2']
      const all = names.map((name, index) => sealedEvents(name, numbered(index + 2)))
      for (const [index, events] of all.entries()) await store.append(names[index] ?? '', 0, events)
      expect(await store.newest(['newest 2', 'newest never', 'newest 1'])).toEqual(
        new Map(names.map((name, index) => [name, all[index]?.at(-1)])),
      )
      expect(await store.newest([])).toEqual(new Map())
    })

    test('the names of streams come in order of their bytes, a page at a time', async () => {
      const names = ['page:1', 'page:10', 'page:2', 'page:Z', 'page:a', 'page:\uff61', 'page:🦉']
      for (const name of names.toReversed()) await opened.store.append(name, 0, sealedEvents(name, numbered(3)))
      expect(await opened.store.streams('page:', 3)).toEqual(names.slice(0, 3))
      expect(await opened.store.streams('page:2', 3)).toEqual(names.slice(3, 6))
      expect(await opened.store.streams('page:\uff61', 1)).toEqual(['page:🦉'])
      expect(await opened.store.streams('page:', 0)).toEqual([])
    })

    test.each([
      ['edited', 2, 'content does not match', (b: readonly string[]) => b.with(1, swap(b[1], 'number 2', 'number 9'))],
      ['removed', 3, 'version 2 is missing', (b: readonly string[]) => b.toSpliced(1, 1)],
      ['removed at the beginning', 2, 'version 1 is missing', (b: readonly string[]) => b.slice(1)],
      [
        'swapped with the next',
        2,
        'does not name the hash',
        (b: readonly string[]) => [
          ...b.slice(0, 1),
          swap(b[2], '"version":3', '"version":2'),
          swap(b[1], '"version":2', '"version":3'),
          ...b.slice(3),
        ],
      ],
    ] as const)('an event %s behind its back is found', async (kind, version, why, change) => {
      const stream = `tampered: ${kind}`
      await opened.store.append(stream, 0, sealedEvents(stream, numbered(4)))
      expect(await verifyStream(opened.store, stream)).toBeNull()
      await opened.tamper(stream, change)
      expect(await verifyStream(opened.store, stream)).toEqual({ stream, version, why: expect.stringContaining(why) })
      const audit = await verifyAll(opened.store)
      expect(audit.broken.filter((link) => link.stream === stream)).toHaveLength(1)
      expect(audit.broken.filter((link) => !link.stream.startsWith('tampered'))).toEqual([])
    })
  })
}

function swap(body: string | undefined, from: string, to: string): string {
  if (body === undefined || !body.includes(from)) throw new Error(`no ${from} to replace`)
  return body.replace(from, to)
}
