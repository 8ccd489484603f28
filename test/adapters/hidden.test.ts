// A repository that GitHub does not find is waited for; where it is not listed either for a while, it is not ours any more.
import { expect, test } from 'vitest'
import { githubTraffic } from '../../src/adapters/github/traffic/client.ts'
import { realTime } from '../../src/adapters/github/traffic/time.ts'
import { NotInstalled } from '../../src/ports.ts'
import { aGithub, anApp, errorOf, repo } from './small-github.ts'

/** It finds none of the repositories, and lists these. */
async function hiding(listed: () => { readonly total_count: number; readonly repositories: readonly object[] }) {
  let ahead = 0
  const traffic = githubTraffic({ time: { ...realTime, now: () => realTime.now() + ahead } })
  const { url, seen } = await aGithub(({ line }) => {
    if (line.startsWith('GET /installation/repositories')) return { json: listed() }
    return line.startsWith('GET /repos/') ? { status: 404, json: { message: 'Not Found' } } : null
  })
  const octokit = await anApp(url, traffic).app.auth(1)
  return {
    hiding: traffic.hiding,
    pass: (minutes: number) => void (ahead += minutes * 60_000),
    error: () => errorOf(octokit.rest.pulls.get({ ...repo, pull_number: 7 })),
    lists: () => seen.filter((line) => line.startsWith('GET /installation/')).length,
  }
}
const named = (...names: readonly string[]) => names.map((full_name, id) => ({ id, full_name }))
const others = { total_count: 1, repositories: named('ada/other') }
const hidden = { name: 'RepositoryHidden', status: 403 }

test('for a moment it is only hidden, and nobody asks for the list', async () => {
  const { error, pass, lists } = await hiding(() => others)
  expect(await error()).toMatchObject(hidden)
  pass(0.9)
  expect(await error()).toMatchObject(hidden)
  expect(lists()).toBe(0)
})

test('where it is not listed after a minute either, nobody lets us in, and that is not asked each time', async () => {
  const { error, pass, lists } = await hiding(() => others)
  await error()
  pass(1)
  for (const _ of [1, 2, 3]) expect(await error()).toBeInstanceOf(NotInstalled)
  pass(9)
  expect(await error()).toBeInstanceOf(NotInstalled)
  expect(lists()).toBe(1)
  pass(2)
  await error()
  expect(lists()).toBe(2)
})

test.each([
  ['lists it', { total_count: 2, repositories: named('ada/other', 'Ada/Engine') }],
  ['does not list all that there are', { ...others, total_count: 2 }],
])('whoever %s says that it is there', async (_, listed) => {
  const { error, pass } = await hiding(() => listed)
  await error()
  pass(2)
  expect(await error()).toMatchObject(hidden)
  pass(20)
  expect(await error()).toMatchObject(hidden)
})

test('a list from before it was hidden, or before we were let in again, says nothing about it', async () => {
  let listed: Parameters<typeof hiding>[0] extends () => infer L ? L : never = others
  const { error, pass, hiding: known } = await hiding(() => listed)
  await error()
  pass(1)
  expect(await error()).toBeInstanceOf(NotInstalled)
  known.forget('1')
  listed = { total_count: 1, repositories: named('ada/engine') }
  expect(await error()).toMatchObject(hidden)
  pass(1)
  expect(await error()).toMatchObject(hidden)
})
