// What somebody may do whose permission GitHub does not find: nothing where they have no account, and otherwise it is asked again.
import { expect, test } from 'vitest'
import type { Maker } from '../../src/core/people/people.ts'
import { personNow } from '../../src/adapters/github/people/collaborators.ts'
import { scripted } from './scripted.ts'

/** Nobody's permission is found; these have accounts. */
const accounts: Readonly<Record<string, number>> = { ada: 7, ghost: 10137, 'helper[bot]': 9 }
const shown = (login: string | undefined, id: number | undefined) =>
  login === undefined || id === undefined ? null : { json: { id, login } }
const byName = (line: string) => {
  const login = decodeURIComponent(/^GET \/users\/([^/]+)$/.exec(line)?.[1] ?? '')
  return shown(login, accounts[login])
}
const byNumber = (line: string) => {
  const id = Number(/^GET \/user\/(\d+)$/.exec(line)?.[1])
  return shown(
    Object.keys(accounts).find((login) => accounts[login] === id),
    id,
  )
}
const { access } = scripted(({ line }) => byName(line) ?? byNumber(line))
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

const may = (id: number, role_name: string) => ({ json: { role_name, user: { id } } })

test('somebody who is called otherwise by now is asked about by their number', async () => {
  const { access } = scripted(({ line }) => {
    if (line.endsWith('/collaborators/ada/permission')) return may(7, 'admin')
    return line.endsWith('/collaborators/grace/permission')
      ? may(8, 'write')
      : line === 'GET /user/8'
        ? shown('grace', 8)
        : null
  })
  const who = { id: 8, kind: 'human' } as const
  const grace = { id: 8, login: 'grace', permission: 'write' }
  expect(await personNow(access, { ...who, login: 'ada' }, [])).toMatchObject(grace)
  expect(await personNow(access, { ...who, login: 'nobody-now' }, [])).toMatchObject(grace)
})

test('where GitHub finds nobody by a number, the name alone tells whether there is an account', async () => {
  const { access } = scripted(({ line }) => byName(line))
  await expect(personNow(access, { id: 7, login: 'ada', kind: 'human' }, [])).rejects.toThrow('does not show')
  expect(await personNow(access, { id: 8, login: 'ada', kind: 'human' }, [])).toMatchObject({ permission: 'none' })
})
