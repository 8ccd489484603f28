// What the inbox promises, on whatever database. A promise is added here once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appendDeliveries } from '../../src/adapters/inbox/lines.ts'
import { RetryLater } from '../../src/adapters/inbox/retry-later.ts'
import type { Place } from './places.ts'
import { type Rig, openRig, triesMax } from './rig.ts'

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
const soon = { timeout: 10_000, interval: 20 }

/** Without a place the suite is skipped, visibly. */
export function inboxContract(name: string, open: (() => Promise<Place>) | null): void {
  describe.skipIf(open === null).each([name])('%s', () => {
    let made: Place
    let rig: Rig
    beforeAll(async () => {
      if (open === null) return
      made = await open()
      rig = await openRig(made.place)
    }, 30_000)
    afterAll(async () => {
      await rig.close()
      await made.remove()
    })

    test('a delivery that is brought again is handled once', async () => {
      await Promise.all([rig.ingest('again', 'first', 'a'), rig.ingest('again', 'first', 'a')])
      await expect.poll(() => rig.handled('again'), soon).toEqual(['first'])
      await rig.ingest('again', 'first', 'a')
      await rig.ingest('again', 'second', 'b')
      await expect.poll(() => rig.handled('again'), soon).toEqual(['first', 'second'])
      await expect.poll(() => rig.inbox.status(), soon).toMatchObject({ waiting: 0, active: 0 })
    })

    test('bodies come back to the letter', async () => {
      const bodies = [null, 1.5, 'nul \u0000, half a pair \ud83e', { 世界: ['🦉', `'"\\{},$1\n`] }, [], '\u001e', '']
      await Promise.all(bodies.map((body) => rig.ingest('letter', body)))
      await expect.poll(() => rig.handled('letter'), soon).toEqual(bodies)
    })

    test('what was stored is handled although more arrives all the time', async () => {
      const flood = { over: false }
      const senders = upTo(8).map(async (sender) => {
        for (let sent = 0; !flood.over; sent += 1) await rig.ingest(`flood ${sender}`, sent)
      })
      await rig.ingest('amid the flood', 'here')
      await expect.poll(() => rig.handled('amid the flood'), soon).toEqual(['here'])
      flood.over = true
      await Promise.all(senders)
      await expect.poll(() => rig.inbox.status(), soon).toMatchObject({ waiting: 0, active: 0 })
    })

    test('keys are handled side by side, each in the order of its deliveries and never twice at once', async () => {
      const keys = upTo(20).map((number) => `order ${number}`)
      const active = new Set<string>()
      let most = 0
      for (const key of keys) {
        rig.whenHandling(key, async () => {
          expect(active.has(key)).toBe(false)
          active.add(key)
          most = Math.max(most, active.size)
          await new Promise(setImmediate)
          active.delete(key)
        })
      }
      await Promise.all(
        keys.map(async (key) => {
          for (const number of upTo(50)) await rig.ingest(key, number)
        }),
      )
      for (const key of keys) await expect.poll(() => rig.handled(key), soon).toEqual(upTo(50))
      expect(most).toBeGreaterThan(5)
    })

    test('what arrives while a key is busy is handled together, a hundred at a time', async () => {
      const busy = Promise.withResolvers<void>()
      rig.whenHandling('busy', (_, calls) => (calls === 0 ? busy.promise : null))
      await rig.ingest('busy', 'first')
      await expect.poll(() => rig.calls('busy'), soon).toHaveLength(1)
      await Promise.all(upTo(250).map((number) => rig.ingest('busy', number)))
      expect(await rig.inbox.status()).toMatchObject({ waiting: 251, active: 1, oldest_waiting_at: expect.any(String) })
      busy.resolve()
      await expect.poll(() => rig.handled('busy'), soon).toHaveLength(251)
      expect(rig.calls('busy').map(({ bodies }) => bodies.length)).toEqual([1, 100, 100, 50])
    })

    test('a delivery that always fails is found and given up, while all others are handled in order', async () => {
      const poison = ({ body }: { body: unknown }): boolean => body === 2 || body === 5
      rig.whenHandling('poison', (deliveries) => {
        if (deliveries.some(poison)) throw new Error(`cannot digest ${deliveries.length}`)
      })
      const held = Promise.withResolvers<void>()
      rig.whenHandling('held', () => held.promise)
      await rig.ingest('held', 0)
      await Promise.all(upTo(8).map((number) => rig.ingest('poison', number, `poison ${number}`)))
      await expect.poll(() => rig.handled('poison'), soon).toEqual([0, 1, 3, 4, 6, 7])
      held.resolve()
      const dead = { key: 'poison', received_at: expect.any(String), error: 'cannot digest 1' }
      await expect
        .poll(() => rig.inbox.dead(10), soon)
        .toEqual([
          { ...dead, guid: 'poison 2' },
          { ...dead, guid: 'poison 5' },
        ])
      expect(await rig.inbox.dead(1)).toHaveLength(1)
      expect(await rig.inbox.status()).toMatchObject({ dead: 2 })
      for (const culprit of [2, 5]) {
        const alone = rig.calls('poison').filter(({ bodies }) => bodies.length === 1 && bodies[0] === culprit)
        expect(alone).toHaveLength(triesMax)
      }
    })

    test('a dead delivery can be replayed, behind what was handled since, and once', async () => {
      rig.whenHandling('poison', () => {})
      expect(await rig.inbox.replay('poison 2')).toBe(true)
      await expect.poll(() => rig.handled('poison'), soon).toEqual([0, 1, 3, 4, 6, 7, 2])
      expect(await Promise.all(['poison 2', 'poison 3', 'nothing'].map(rig.inbox.replay))).toEqual([
        false,
        false,
        false,
      ])
      expect(await rig.inbox.replay('poison 5')).toBe(true)
      await expect.poll(() => rig.handled('poison').at(-1), soon).toBe(5)
      expect(await rig.inbox.dead(10)).toEqual([])
    })

    test('being told to wait is no failure, however often', async () => {
      rig.whenHandling('limited', (_, calls) => {
        if (calls < 3 * triesMax) throw new RetryLater(0, 'the rate limit is used up')
      })
      await rig.ingest('limited', 'patience')
      await expect.poll(() => rig.handled('limited'), soon).toEqual(['patience'])
      expect(rig.calls('limited')).toHaveLength(3 * triesMax + 1)
    })

    test('what comes in while a key waits neither jumps the wait nor is lost', async () => {
      rig.whenHandling('waits', (_, calls) => {
        if (calls === 0) throw new RetryLater(3_600, 'not within the hour')
      })
      await rig.ingest('waits', 0)
      await expect.poll(() => rig.calls('waits'), soon).toHaveLength(1)
      await rig.ingest('waits', 1)
      await rig.ingest('passes', 1)
      await rig.inbox.sweep()
      await expect.poll(() => rig.handled('passes'), soon).toEqual([1])
      expect(rig.calls('waits')).toHaveLength(1)
      await wakeUp('waits', 0)
      await expect.poll(() => rig.calls('waits').at(-1)?.bodies, soon).toEqual([0, 1])
    })

    test('a delivery that killed the process in each of its tries is given up without another', async () => {
      rig.whenHandling('killer', (_, calls) => {
        if (calls === 0) throw new RetryLater(3_600, 'not within the hour')
      })
      await rig.ingest('killer', 'out of memory', 'killer')
      await expect.poll(() => rig.calls('killer'), soon).toHaveLength(1)
      await rig.ingest('killer', 'innocent')
      await wakeUp('killer', triesMax + 1)
      await expect.poll(() => rig.handled('killer'), soon).toEqual(['innocent'])
      expect(await rig.inbox.dead(1)).toEqual([
        expect.objectContaining({ guid: 'killer', error: 'The process ended each time while this was handled.' }),
      ])
    })

    /** Makes a wait end at once, and the deliveries have failed so often. */
    async function wakeUp(key: string, tries: number): Promise<void> {
      await rig.sql.query(
        `update pgboss.job set start_after = created_on, data = data || jsonb_build_object('tries', $2::integer)
         where name = 'wake' and singleton_key = $1`,
        [key, tries],
      )
    }

    test('who lost the claim on a key is told to stop, and can no longer move it on', async () => {
      const late = Promise.withResolvers<void>()
      const signals: AbortSignal[] = []
      rig.whenHandling('stolen', (_, calls, signal) => {
        signals.push(signal)
        return calls === 0 ? late.promise : null
      })
      await rig.ingest('stolen', 0)
      await expect.poll(() => rig.calls('stolen'), soon).toHaveLength(1)
      await rig.ingest('stolen', 1)
      await rig.ingest('stolen', 2)
      await rig.sql.query(`update pgboss.job set state = 'retry' where name = 'wake' and singleton_key = 'stolen'`)
      await expect.poll(() => rig.handled('stolen'), soon).toEqual([0, 1, 2])
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, false, false])
      late.resolve()
      await expect.poll(() => rig.inbox.status(), soon).toMatchObject({ active: 0 })
      expect(rig.handled('stolen')).toEqual([0, 1, 2, 0])
      await rig.ingest('stolen', 3)
      await expect.poll(() => rig.handled('stolen').at(-1), soon).toBe(3)
      expect(rig.handled('stolen')).toEqual([0, 1, 2, 0, 3])
    })

    test('a delivery does not pay for the tries of the one before it', async () => {
      rig.whenHandling('neighbours', (_, calls) => {
        if (calls !== triesMax && calls !== triesMax + 2) throw new Error('not yet')
      })
      await Promise.all([rig.ingest('neighbours', 'slow'), rig.ingest('neighbours', 'next')])
      await expect.poll(() => rig.handled('neighbours'), soon).toEqual(['slow', 'next'])
      expect(rig.calls('neighbours')).toHaveLength(triesMax + 3)
    })

    test('a sweep finds deliveries that nobody was woken for', async () => {
      const lost = { key: 'unheard', guid: 'unheard', text: '"found"' }
      await rig.sql.transaction((query) => appendDeliveries(query, [lost], '2026-11-20T10:00:00.000Z'))
      await rig.inbox.sweep()
      await expect.poll(() => rig.handled('unheard'), soon).toEqual(['found'])
    })

    test('the answer to a slow question comes back as a delivery, and a failed one is asked again', async () => {
      let asked = 0
      rig.whenAsked('question', async (payload) => {
        asked += 1
        if (asked === 1) throw new Error('overloaded')
        return { guid: 'answer', key: 'asker', body: { payload } }
      })
      expect(await rig.inbox.later('question', { text: 'nul \u0000' })).toBe(true)
      await expect.poll(() => rig.handled('asker'), soon).toEqual([{ payload: { text: 'nul \u0000' } }])
      expect(asked).toBe(2)
    })

    test('a key has one unfinished question; when it is cancelled its answer is dropped and the next is taken', async () => {
      const signals: AbortSignal[] = []
      rig.whenAsked('superseded', async (payload, signal) => {
        signals.push(signal)
        if (payload === 'old') await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return { guid: `answer to ${JSON.stringify(payload)}`, key: 'superseder', body: payload }
      })
      expect(await rig.inbox.later('superseded', 'old')).toBe(true)
      await expect.poll(() => signals, soon).toHaveLength(1)
      expect(await rig.inbox.later('superseded', 'impatient')).toBe(false)
      await rig.inbox.cancel('superseded')
      expect(signals[0]?.aborted).toBe(true)
      expect(await rig.inbox.later('superseded', 'new')).toBe(true)
      await expect.poll(() => rig.handled('superseder'), soon).toEqual(['new'])
      await rig.inbox.cancel('nothing to cancel')
    })

    test.each([
      ['a thousand keys', 1_000, 1_000],
      ['one key', 1, 12],
    ])('a burst of a thousand deliveries on %s is handled, none lost', async (_, keys, callsMax) => {
      const names = upTo(keys).map((number) => `burst ${keys} ${number}`)
      const start = performance.now()
      const times = await Promise.all(
        upTo(1_000).map(async (number) => {
          await rig.ingest(names[number % keys] ?? '', number)
          return performance.now() - start
        }),
      )
      const count = (of: (key: string) => readonly unknown[]): number => names.flatMap(of).length
      await expect.poll(() => count(rig.handled), soon).toBe(1_000)
      const calls = count(rig.calls)
      expect(calls).toBeLessThanOrEqual(callsMax)
      expect(new Set(names.flatMap(rig.handled))).toEqual(new Set(upTo(1_000)))
      const millis = (part: number): string => `${times.sort((a, b) => a - b)[Math.floor(part * 999)]?.toFixed(0)} ms`
      const all = `${(performance.now() - start).toFixed(0)} ms`
      process.stdout.write(
        `${name}, 1000 at once on ${keys} keys: acknowledged p50 ${millis(0.5)}, p99 ${millis(0.99)}; handled after ${all} in ${calls} calls\n`,
      )
    })

    test('what the database would refuse is refused alone, without its neighbours', async () => {
      const [huge] = await Promise.allSettled([
        rig.ingest('huge', 'x'.repeat(27_000_000), 'huge'),
        rig.ingest('huge', 1),
      ])
      expect(huge).toHaveProperty('reason.message', expect.stringContaining('Delivery huge is 27000002 bytes long'))
      for (const [guid, key] of [
        ['', 'huge'],
        ['nul \u0000', 'huge'],
        ['long', 'x'.repeat(501)],
      ] as const) {
        await expect(rig.inbox.ingest({ guid, key, body: 0 })).rejects.toThrow('needs names of 1 to 500 characters')
      }
      await expect.poll(() => rig.handled('huge'), soon).toEqual([1])
    })

    test('stop lets what is active end and starts nothing more; the next start takes up the rest', async () => {
      const active = Promise.withResolvers<void>()
      rig.whenHandling('stops', () => active.promise)
      await rig.ingest('stops', 'active')
      await expect.poll(() => rig.calls('stops'), soon).toHaveLength(1)
      const stopped = rig.close()
      // One after the other takes long enough for a start that must not happen.
      for (const number of upTo(20)) await rig.ingest('starts', number)
      active.resolve()
      await stopped
      expect(rig.handled('stops')).toEqual(['active'])
      expect(rig.calls('starts')).toEqual([])
      await expect(rig.ingest('starts', 'late')).rejects.toThrow('The inbox is closed')
      rig = await openRig(made.place)
      await expect.poll(() => rig.handled('starts'), soon).toEqual(upTo(20))
      expect(rig.calls('stops')).toEqual([])
    })
  })
}
