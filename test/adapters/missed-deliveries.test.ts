// What of missed deliveries is asked for again, look after look: while nobody takes any, and where one is never taken.
import { expect, test } from 'vitest'
import { missedDeliveries } from '../../src/entry/app/rounds/missed-deliveries.ts'
import { scripted } from './scripted.ts'

const LOOK_MS = 5 * 60_000
const KEPT_MS = 3 * 24 * 60 * 60_000
const PAGE = 100
const begin = Date.parse('2026-11-20T10:00:00Z')

/** A GitHub whose deliveries arrive only as far as `takes` says, and an App that looks at them every five minutes. */
function delivering(takes: (guid: string, ms: number) => boolean) {
  let ms = 0
  let ids = 0
  let isListed = true
  let attempts: { id: number; guid: string; status_code: number; delivered_at: string }[] = []
  const deliver = (guid: string): void => {
    const delivered_at = new Date(begin + ms).toISOString()
    attempts.unshift({ id: (ids += 1), guid, status_code: takes(guid, ms) ? 202 : 401, delivered_at })
  }
  const { access, asked } = scripted(({ line }) => {
    const kept = new Date(begin + ms - KEPT_MS).toISOString()
    attempts = attempts.filter(({ delivered_at }) => delivered_at >= kept)
    if (line.startsWith('GET')) {
      if (!isListed) return { status: 502, json: { message: 'Bad Gateway' } }
      const from = Number(/cursor=(\d+)/.exec(line)?.[1] ?? 0)
      const link = `<https://api.github.com/app/hook/deliveries?cursor=${from + PAGE}>; rel="next"`
      const more = from + PAGE < attempts.length ? { link } : {}
      return { json: attempts.slice(from, from + PAGE), headers: more }
    }
    const id = Number(/deliveries\/(\d+)/.exec(line)?.[1])
    deliver(attempts.find((one) => one.id === id)?.guid ?? '')
    return { status: 202, json: {} }
  })
  const pause = async (pausedMs: number): Promise<void> => void (ms += pausedMs)
  let taken = ''
  const onTaken = async (until: string): Promise<void> => void (taken = until)
  const means = { now: () => begin + ms, onMissed: () => undefined, onTaken, pause }
  let { look } = missedDeliveries('', means)
  return {
    deliver,
    listed: (listed: boolean) => void (isListed = listed),
    /** Another App comes after this one, and knows of it what it noted. */
    next: () => void ({ look } = missedDeliveries(taken, means)),
    /** How often something was asked for again in each look. */
    looks: async (times: number, everyMs = LOOK_MS): Promise<number[]> => {
      const counts: number[] = []
      for (let count = 0; count < times; count += 1) {
        const before = asked.length
        ms += everyMs
        await look(access.octokit)
        counts.push(asked.slice(before).filter(({ line }) => line.startsWith('POST')).length)
      }
      return counts
    },
    arrived: () => new Set(attempts.filter(({ status_code }) => status_code === 202).map(({ guid }) => guid)).size,
  }
}

test('while nobody takes what is asked for, three of many are, and all of them in the look that finds the door open', async () => {
  const opensAt = 6.5 * LOOK_MS
  const github = delivering((_guid, ms) => ms > opensAt)
  for (let count = 0; count < 40; count += 1) github.deliver(`d${count}`)
  expect(await github.looks(6)).toEqual([40, 3, 3, 3, 3, 3])
  expect(github.arrived()).toBe(0)
  expect(await github.looks(1)).toEqual([40])
  expect(github.arrived()).toBe(40)
  expect(await github.looks(2)).toEqual([0, 0])
})

test('those that nobody can take keep back none of the others when the door is open again', async () => {
  const opensAt = 3.5 * LOOK_MS
  const github = delivering((guid, ms) => ms > opensAt && !guid.startsWith('broken'))
  for (let count = 0; count < 6; count += 1) github.deliver(`broken${count}`)
  for (let count = 0; count < 4; count += 1) github.deliver(`fine${count}`)
  await github.looks(5)
  expect(github.arrived()).toBe(4)
})

test('one that is never taken while others arrive is asked for ever less often, and goes on to be asked for', async () => {
  const github = delivering((guid) => guid !== 'broken')
  github.deliver('broken')
  const counts: number[] = []
  for (let look = 0; look < 288; look += 1) {
    github.deliver(`live${look}`)
    counts.push(...(await github.looks(1)))
  }
  const hours = Array.from({ length: 24 }, (_, hour) => counts.slice(hour * 12, hour * 12 + 12))
  const byHour = hours.map((some) => some.reduce((sum, count) => sum + count, 0))
  expect(byHour.slice(0, 2)).toEqual([4, 1])
  expect(byHour.reduce((sum, count) => sum + count, 0)).toBeLessThan(12)
  expect(byHour.slice(-7).some((count) => count > 0)).toBe(true)
})

test('what GitHub has forgotten is not asked for', async () => {
  const github = delivering(() => false)
  github.deliver('old')
  expect(await github.looks(2)).toEqual([1, 1])
  expect(await github.looks(8, KEPT_MS / 6)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
})

test('what did not arrive is asked for by whoever comes after, however much did since, also where GitHub listed none of it', async () => {
  let isOpen = true
  const github = delivering((guid) => isOpen || guid.startsWith('live'))
  github.deliver('early')
  await github.looks(1)
  isOpen = false
  for (let count = 0; count < 6; count += 1) github.deliver(`d${count}`)
  await github.looks(1)
  for (let count = 0; count < 2 * PAGE; count += 1) github.deliver(`live before ${count}`)
  await github.looks(1)
  for (let count = 6; count < 10; count += 1) github.deliver(`d${count}`)
  github.listed(false)
  await expect(github.looks(1)).rejects.toThrow('Bad Gateway')
  for (let count = 0; count < 2 * PAGE; count += 1) github.deliver(`live after ${count}`)
  await expect(github.looks(3)).rejects.toThrow('Bad Gateway')
  isOpen = true
  github.listed(true)
  github.next()
  expect(await github.looks(2)).toEqual([10, 0])
  expect(github.arrived()).toBe(11 + 4 * PAGE)
})
