// Readings that are true of another moment: stale ones, ones that something overtakes, and ones that are full of holes.
import { expect, test } from 'vitest'
import { aSecond } from '../app/lab/a-second.ts'
import { aGitHub, refusal, shop, type Setting } from './setting.ts'

async function aMovedPull() {
  const setting = await aGitHub()
  const { github } = setting
  const { number, head: first } = setting.aPull()
  github.push('acme/shop', 'release', { files: { 'notes.md': 'soon\n' }, author: 'olga' })
  const second = github.push('acme/shop', 'feature', { files: { 'src/b.ts': 'two\n' }, author: 'ada' })
  return { setting, github, number, first, second }
}

const seen = async (setting: Setting, pull_number: number) => {
  const { data } = await setting.asApp().rest.pulls.get({ ...shop, pull_number })
  return { head: data.head.sha, base: data.base.ref }
}
const files = async (setting: Setting, pull_number: number) =>
  (await setting.asApp().rest.pulls.listFiles({ ...shop, pull_number })).data.map(({ filename }) => filename)
const query = (number: number) => `{ repository(owner: "acme", name: "shop") {
  pullRequest(number: ${number}) { headRefOid closingIssuesReferences(first: 9) { nodes { number } } } } }`

test('a stale read shows the head before the push, for as many reads as were ordered', async () => {
  const { setting, github, number, first, second } = await aMovedPull()
  github.addFault({ method: 'GET', path: `/repos/*/pulls/${number}*`, times: 2, trouble: { kind: 'stale' } })
  expect(await seen(setting, number)).toEqual({ head: first, base: 'main' })
  expect(await files(setting, number)).toEqual(['src/a.ts'])
  expect(await seen(setting, number)).toEqual({ head: second, base: 'main' })
  expect(await files(setting, number)).toEqual(['src/a.ts', 'src/b.ts'])
})

test('one way of reading may be stale while the other is not', async () => {
  const { setting, github, number, first, second } = await aMovedPull()
  github.addFault({ path: '/graphql', holds: 'headRefOid', trouble: { kind: 'stale', pull: number } })
  const answer = await setting.asApp().graphql(query(number))
  expect(answer).toMatchObject({ repository: { pullRequest: { headRefOid: first } } })
  expect((await seen(setting, number)).head).toBe(second)
})

test('a stale read after a retarget shows the base before', async () => {
  const { setting, github, number, second } = await aMovedPull()
  github.editPull('acme/shop', number, { base: 'release', by: 'ada' })
  github.addFault({ path: '/repos/*/pulls/*', times: 1, trouble: { kind: 'stale' } })
  expect(await seen(setting, number)).toEqual({ head: second, base: 'main' })
  expect(await seen(setting, number)).toEqual({ head: second, base: 'release' })
})

test('a stale read is all of a moment before: it was updated when it was then', async () => {
  const { setting, github, number } = await aMovedPull()
  const updated = async () => (await setting.asApp().rest.pulls.get({ ...shop, pull_number: number })).data.updated_at
  const then = await updated()
  await aSecond()
  github.editPull('acme/shop', number, { base: 'release', by: 'ada' })
  github.addFault({ path: '/repos/*/pulls/*', times: 1, trouble: { kind: 'stale' } })
  expect(await updated()).toBe(then)
  expect(await updated()).not.toBe(then)
})

test('something happens between two readings', async () => {
  const { setting, github, number } = await aMovedPull()
  const read = { method: 'GET', path: `/repos/*/pulls/${number}` }
  github.before({ ...read, skip: 1 }, () => github.editPull('acme/shop', number, { base: 'release', by: 'ada' }))
  const bases = [await seen(setting, number), await seen(setting, number), await seen(setting, number)]
  expect(bases.map(({ base }) => base)).toEqual(['main', 'release', 'release'])
})

test('a list in GraphQL begins with a null, or is null itself', async () => {
  const { setting, github, number } = await aMovedPull()
  const asked = async () => JSON.stringify(await setting.asApp().graphql(query(number)))
  const hole = (field: string, where: 'first' | 'instead') =>
    github.addFault({ path: '/graphql', times: 1, trouble: { kind: 'null', field, where } })
  hole('nodes', 'first')
  expect(await asked()).toContain('"closingIssuesReferences":{"nodes":[null]}')
  hole('closingIssuesReferences', 'instead')
  expect(await asked()).toContain('"closingIssuesReferences":null')
})

test('a secondary limit may come with status 200', async () => {
  const { setting, github, number } = await aMovedPull()
  const errors = [{ type: 'RATE_LIMITED', message: 'You have exceeded a secondary rate limit.' }]
  const trouble = {
    kind: 'answer',
    status: 200,
    headers: { 'retry-after': '1' },
    body: { data: null, errors },
  } as const
  github.addFault({ path: '/graphql', times: 1, trouble })
  await expect(setting.asApp().graphql(query(number))).rejects.toMatchObject({ errors })
})

test('a refusal that stays may be ordered for one kind of request', async () => {
  const { setting, github, number } = await aMovedPull()
  const trouble = { kind: 'answer', status: 422, message: 'Sorry, this diff is taking too long to generate.' } as const
  github.addFault({ method: 'GET', path: '/repos/*/pulls/*/files', trouble })
  expect(await refusal(files(setting, number))).toContain('422 Sorry, this diff')
  expect((await seen(setting, number)).base).toBe('main')
})
