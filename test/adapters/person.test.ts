// What somebody may do whose permission GitHub does not find: nothing where they have no account, and otherwise it is asked again.
import { expect, test } from 'vitest'
import type { Maker } from '../../src/core/people/people.ts'
import { personNow } from '../../src/adapters/github/people/collaborators.ts'
import { scripted } from './scripted.ts'

/** Nobody's permission is found; these have accounts. */
const accounts: Readonly<Record<string, number>> = { ada: 7, ghost: 10137, 'helper[bot]': 9 }
const { access } = scripted(({ line }) => {
  const id = accounts[decodeURIComponent(/^GET \/users\/([^/]+)$/.exec(line)?.[1] ?? '')]
  return id === undefined ? null : { json: { id } }
})
const read = (who: Maker) => personNow(access, who, [])

test('somebody who has an account waits', async () => {
  await expect(read({ id: 7, login: 'ada', kind: 'human' })).rejects.toMatchObject({ name: 'NotShownYet' })
  await expect(read({ id: null, login: 'ada', kind: 'human' })).rejects.toMatchObject({ name: 'NotShownYet' })
})

test.each<[string, Maker]>([
  ['somebody without an account', { id: 3, login: 'eve', kind: 'human' }],
  ['somebody whose name another one bears by now', { id: 8, login: 'ada', kind: 'human' }],
  ['somebody who is gone', { id: null, login: 'ghost', kind: 'human' }],
  ['a machine', { id: 9, login: 'helper[bot]', kind: 'bot' }],
])('%s may do nothing', async (_, who) => {
  expect(await read(who)).toMatchObject({ permission: 'none' })
})
