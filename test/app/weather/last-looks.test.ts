// Since when a repository was looked at by nobody, as each process knows it by what it and others noted.
import { expect, test } from 'vitest'
import { lastLooks } from '../../../src/entry/app/rounds/last-looks.ts'
import { RateLimited } from '../../../src/adapters/github/traffic/pacing.ts'

const [eight, nine, ten, eleven] = [
  '2026-11-16T08:00:00Z',
  '2026-11-16T09:00:00Z',
  '2026-11-16T10:00:00Z',
  '2026-11-16T11:00:00Z',
]
const shop = { repository: 'R1', installation: 7 }
const other = { repository: 'R2', installation: 8 }

/** Nobody ever looks at the other one. */
const unseen = ['R2', eight]

function aProcess() {
  const noted = new Map<string, string>()
  const missed: [string, string][] = []
  const sights = {
    looked: async (these: readonly { repository: string }[], at: string): Promise<void> => {
      for (const { repository } of these) noted.set(repository, at)
    },
  }
  const looks = lastLooks(sights, (since) => missed.push(...since))
  const begins = (at: string): void =>
    looks.begins(new Map(['R1', 'R2'].map((one) => [one, { looked: noted.get(one) ?? eight }] as const)), at)
  return { ...looks, begins, noted, missed }
}

test('what nobody ever looked at is missed since it is seen, once', () => {
  const { begins, missed } = aProcess()
  begins(nine)
  begins(ten)
  expect(missed).toEqual([
    ['R1', eight],
    ['R2', eight],
  ])
})

test('what another process looked at last may be missed since then, and what this one looked at is not', async () => {
  const { begins, looked, keep, noted, missed } = aProcess()
  noted.set('R1', nine)
  begins(ten)
  expect(missed).toEqual([['R1', nine], unseen])
  looked(shop)
  await keep()
  begins(eleven)
  expect([noted.get('R1'), missed.length]).toEqual([ten, 2])
  noted.set('R1', eleven)
  begins(eleven)
  expect(missed).toEqual([['R1', nine], unseen, ['R1', eleven]])
})

test('where something fails in every round it is missed once, and what was not looked at keeps its time', async () => {
  const { begins, keep, noted, missed } = aProcess()
  noted.set('R1', nine)
  for (const at of [ten, eleven]) {
    begins(at)
    await keep()
  }
  expect([noted.get('R1'), missed]).toEqual([nine, [['R1', nine], unseen]])
})

test('what a round has no room for is left for the next one, and keeps its time', async () => {
  const { begins, reads, looked, keep, noted } = aProcess()
  begins(nine)
  const answers: unknown[] = []
  for (let pull = 0; pull < 50; pull += 1) answers.push(await reads(shop)('green', pull, async () => pull))
  const done = answers.filter((one) => one !== null).length
  expect([done > 0, done < 50]).toEqual([true, true])
  // One kind takes nothing of the room of the other.
  expect(await reads(shop)('other', 1, async () => 'read')).toBe('read')
  looked(shop)
  looked(other)
  await keep()
  expect([...noted]).toEqual([['R2', nine]])
  begins(ten)
  expect(await reads(shop)('green', 20, async () => 'read')).toBe('read')
  looked(shop)
  await keep()
  expect(noted.get('R1')).toBe(ten)
})

test.each([
  ['in another repository', { ...shop, repository: 'R2' }],
  ['in another installation', other],
  ['behind them in the same repository', shop],
])('what moves all the time takes no room for ever of what moved %s', async (_, place) => {
  const { begins, reads } = aProcess()
  const rounds: (string | null)[] = []
  for (const at of [nine, ten, eleven]) {
    begins(at)
    for (let pull = 0; pull < 20; pull += 1) await reads(shop)('green', pull, async () => 'read')
    rounds.push(await reads(place)('green', 20, async () => 'read'))
  }
  expect(rounds).toContain('read')
})

test('who has to wait for more requests keeps no other installation waiting, and has its place kept', async () => {
  const { begins, reads } = aProcess()
  const limited = () => Promise.reject(new RateLimited('7', { at: Date.parse(eleven), why: 'no more' }))
  begins(nine)
  expect(await reads(shop)('green', 1, limited)).toBeNull()
  expect(await reads(shop)('green', 2, async () => 'read')).toBeNull()
  expect(await reads(other)('green', 1, async () => 'read')).toBe('read')
  begins(ten)
  for (let pull = 3; pull < 20; pull += 1) await reads(other)('green', pull, async () => 'read')
  expect(await reads(shop)('green', 2, async () => 'read')).toBe('read')
})

test('what fails in another way than for want of requests is told', async () => {
  const { begins, reads } = aProcess()
  begins(nine)
  await expect(reads(shop)('green', 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
