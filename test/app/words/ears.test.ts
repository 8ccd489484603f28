// What GitHub names and does not show, and how long anything waits for it.
import { expect, test } from 'vitest'
import { isHeard, nameOf } from '../../../src/adapters/github/people/heard-keys.ts'
import { heard } from '../../../src/adapters/github/webhooks/payloads.ts'
import type { Piece, Saying, Words } from '../../../src/core/news.ts'
import { appEars } from '../../../src/entry/app/hearing/ears.ts'

const at = '2026-11-20T10:00:00Z'
const piece: Piece = { kind: 'said', key: 'comment-7', at }
const said: Saying = {
  piece,
  told: {
    event: 'issue_comment',
    payload: {
      action: 'created',
      sender: { login: 'bob', type: 'User' },
      issue: { number: 3, pull_request: {} },
      comment: { id: 7, body: '/reject no', created_at: at, user: { login: 'bob', type: 'User' } },
    },
  },
}

const words: Words = {
  kind: 'said',
  pull: 3,
  comment: 7,
  key: 'comment-7',
  body: '/reject no',
  at,
  through: null,
  found: null,
  by: { id: null, login: 'bob', kind: 'human' },
}

function someEars() {
  const shown: Saying[] = []
  const taken: string[] = []
  const never: string[] = []
  const waiting: string[] = []
  let reads = 0
  let now = 0
  const saidSince = async () => {
    reads += 1
    return shown
  }
  const ears = appEars({
    places: {
      of: async () => ({ saidSince }),
      placeOf: async () => ({ installation: 1, repository: { key: 'R1', full_name: 'acme/shop' } }),
    },
    waiting: async () => waiting,
    take: async ({ event }) => taken.push(event),
    newsIn: (webhook) => heard(webhook, 0)?.understood.news ?? null,
    isHeard,
    nameOf,
    since: '',
    ms: () => now,
    onNeverShown: (_line, name) => never.push(name),
  })
  const mayHaveMissed = () => ears.mayHaveMissed('R1', { number: 3, updated_at: at })
  const asked = () =>
    ears.heardAll('R1', { is: 'pull', number: 3, since: '', updated_at: at, heard: [] }, { since: '', pieces: [piece] })
  return {
    ears,
    asked,
    mayHaveMissed,
    shown,
    waiting,
    taken,
    never,
    reads: () => reads,
    pass: (ms: number) => (now += ms),
  }
}

test('what is named and not shown is waited for, and heard once it is', async () => {
  const { asked, shown, taken, pass } = someEars()
  expect(await asked()).toBe(false)
  pass(60_000)
  expect(await asked()).toBe(false)
  shown.push(said)
  expect(await asked()).toBe(false)
  expect(taken).toEqual(['issue_comment'])
  expect(await asked()).toBe(true)
})

test('what is never shown keeps nothing waiting for ever, and says so once', async () => {
  const { asked, never, reads, pass } = someEars()
  expect(await asked()).toBe(false)
  pass(599_999)
  expect(await asked()).toBe(false)
  pass(1)
  expect(await asked()).toBe(true)
  expect(await asked()).toBe(true)
  expect(never).toEqual(['comment-7'])
  expect(reads()).toBe(3)
})

test('where we are let in again something may have been said in the very second of the last change that we know', async () => {
  const { ears, asked, mayHaveMissed, shown } = someEars()
  shown.push(said)
  await asked()
  expect(await asked()).toBe(true)
  expect(mayHaveMissed()).toBe(false)
  ears.letIn((repository) => repository === 'R2')
  expect(mayHaveMissed()).toBe(false)
  ears.letIn((repository) => repository === 'R1')
  expect(mayHaveMissed()).toBe(true)
  expect(await asked()).toBe(true)
  expect(mayHaveMissed()).toBe(false)
})

test('words are met once they were handled, and only their own handling may count on that before, once they are taken', async () => {
  const { ears, asked, shown, waiting, taken } = someEars()
  const handled = async (isTaken: boolean) => {
    waiting.push('one')
    await ears.handling({ line: 'R1#3', guids: ['one'], words }, async () => {
      ears.taken('R1', { ...words, key: 'comment-8' })
      ears.taken('R1', { ...words, pull: 4 })
      expect(await asked()).toBe(false)
      ears.taken('R1', words)
      expect(await asked()).toBe(true)
      return isTaken
    })
    waiting.pop()
  }
  shown.push(said)
  await handled(false)
  expect(await asked()).toBe(false)
  expect(taken).toEqual(['issue_comment'])
  expect(await asked()).toBe(true)
  // It was brought, and found nobody again.
  await handled(false)
  expect(await asked()).toBe(false)
  expect(taken).toEqual(['issue_comment', 'issue_comment'])
  const other = someEars()
  other.ears.told({ line: 'R1#3', at, opened: true, piece: 'comment-7' }, 'of concern')
  expect(await other.asked()).toBe(false)
  other.ears.told({ line: 'R1#3', at, opened: true, piece: 'comment-7' }, 'of no concern')
  expect(await other.asked()).toBe(true)
})

test('where what was taken in may be lost nothing that was remembered of it counts, not even what is just being done', async () => {
  const { ears, asked, mayHaveMissed, shown, taken } = someEars()
  shown.push(said)
  await asked()
  expect(await asked()).toBe(true)
  await ears.handling({ line: 'R1#3', guids: [], words }, async () => {
    ears.unsure(at)
    return true
  })
  expect(mayHaveMissed()).toBe(true)
  expect(await asked()).toBe(false)
  expect(taken).toHaveLength(2)
  expect(await asked()).toBe(true)
  const asking = asked()
  ears.unsure(at)
  expect(await asking).toBe(false)
})
