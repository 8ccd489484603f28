// A token that nobody was given opens nothing, and costs those who have one nothing: GitHub is asked about it once, and no
// oftener for all such tokens together than for one that is known.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import {
  githubReaders,
  AskedTooOften,
  ASKED_PER_MINUTE_MAX,
  MINUTE_MS,
} from '../../../src/adapters/github/people/readers.ts'
import { aGithub, errorOf, times } from '../../adapters/small-github.ts'
import { aDoor, knowing } from './a-door.ts'

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})
const ask = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers: headersOf(token), body: list })
  await answer.body?.cancel()
  return answer.status
}

test.each(['gho', 'ghs'])(
  'a token that begins with %s is let in where GitHub knows it, and is asked about once',
  async (kind) => {
    const github = await aGithub(knowing(`${kind}_good`))
    const { url } = await aDoor(github.url)
    const status = async (token: string) => [await ask(url, token), await ask(url, token)]
    expect(await status(`${kind}_made_up`)).toEqual([401, 401])
    expect(await status(`${kind}_good`)).toEqual([200, 200])
    expect(github.seen).toHaveLength(2)
  },
)

test('a document is shown to nobody whom GitHub does not know', async () => {
  const github = await aGithub(knowing('gho_good'))
  const { url, looked } = await aDoor(github.url)
  const answer = await fetch(`${url}/attempts/acme/shop/7`, { headers: headersOf('ghs_made_up') })
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(await answer.json()).toEqual({ error: 'GitHub does not know this token.' })
  expect([looked, github.seen]).toEqual([[], ['GET /installation/repositories?per_page=1']])
})

test('however many tokens are made up, GitHub is asked about so many in a minute, and whoever it knows is answered', async () => {
  const github = await aGithub(knowing('gho_ada', 'gho_bob'))
  let ms = 0
  const { url } = await aDoor(github.url, () => ms)
  expect(await ask(url, 'gho_ada')).toBe(200)
  const statuses = await Promise.all(times(ASKED_PER_MINUTE_MAX + 60, (index) => ask(url, `gho_${index}`)))
  expect(statuses.filter((one) => one === 401)).toHaveLength(ASKED_PER_MINUTE_MAX)
  expect(statuses.filter((one) => one === 429)).toHaveLength(60)
  expect(github.seen).toHaveLength(ASKED_PER_MINUTE_MAX + 1)
  expect([await ask(url, 'gho_ada'), await ask(url, 'gho_bob')]).toEqual([200, 429])
  ms += MINUTE_MS
  expect(await ask(url, 'gho_bob')).toBe(200)
})

test('a token that is known spends its own questions and nobody else’s', async () => {
  const { url, seen } = await aGithub(knowing('gho_ada', 'ghs_bob'))
  let ms = 0
  const readers = githubReaders(url, () => ms)
  expect([await readers.knows('gho_ada'), await readers.knows('ghs_bob')]).toEqual([true, true])
  const asked = await Promise.all(
    times(ASKED_PER_MINUTE_MAX, (index) => errorOf(readers.repository('gho_ada', `acme/r${index}`))),
  )
  expect(asked.filter((one) => one instanceof AskedTooOften)).toHaveLength(1)
  expect(await readers.repository('ghs_bob', 'acme/shop')).toBeNull()
  expect(seen).toHaveLength(ASKED_PER_MINUTE_MAX + 2)
  ms += MINUTE_MS
  expect(await errorOf(readers.repository('gho_ada', 'acme/anew'))).toBeNull()
})

test('whoever asks the same at the same moment is one question', async () => {
  const { url, seen } = await aGithub(knowing('gho_ada'), 20)
  const readers = githubReaders(url, () => 0)
  const answers = await Promise.all(times(20, () => readers.knows('gho_ada')))
  expect([new Set(answers), seen]).toEqual([new Set([true]), ['GET /user']])
})

test('where GitHub holds back, a token is neither known nor made up', async () => {
  let held = true
  const { url } = await aGithub((asked) =>
    held ? { status: 403, headers: { 'x-ratelimit-remaining': '0' }, json: {} } : knowing('gho_ada')(asked),
  )
  const readers = githubReaders(url, () => 0)
  expect(await errorOf(readers.knows('gho_ada'))).toMatchObject({ name: 'GitHubSilent' })
  held = false
  expect(await readers.knows('gho_ada')).toBe(true)
})

test('one request that listens is bounded in what it asks of GitHub', async () => {
  const github = await aGithub(knowing('ghs_bob'))
  const started = performance.now()
  // A minute passes in a tenth of a second.
  const { url } = await aDoor(github.url, () => (performance.now() - started) * 600)
  const requestInit = { headers: { authorization: 'Bearer ghs_bob' } }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
  const client = new Client({ name: 'an agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  const before = github.seen.length
  const resourceSubscriptions = times(20, (index) => `countersign://goals/acme/r${index}/1`)
  await client.listen({ resourceSubscriptions })
  await expect.poll(() => github.seen.length).toBeGreaterThan(before + 10)
  const minutes = ((performance.now() - started) * 600) / MINUTE_MS
  await client.close()
  expect(github.seen.length).toBeLessThan((minutes + 1) * ASKED_PER_MINUTE_MAX)
})
