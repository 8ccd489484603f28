// Waiting outlasts a moment in which the App, or GitHub, does not answer; what is refused ends it at once.
import { expect, test } from 'vitest'
import { decisionOf } from '../../src/entry/attempts/await-decision.ts'
import { attemptReader } from '../../src/entry/attempts/read-attempt.ts'
import { aGithub, errorOf, type Reply } from '../adapters/small-github.ts'
import { newDirectory } from './a-store.ts'
import { countersign } from './cli.ts'

const pull = { repository: 'acme/shop', number: 7 }
const nothing: Reply = { status: 404, json: { error: 'Nothing was judged there.' } }
const away: Reply = { status: 503, headers: { 'retry-after': '30' }, raw: 'The database does not answer.\n' }
const silent: Reply = { status: 502, json: { error: 'GitHub did not say what this token may read; ask again.' } }
const often: Reply = { status: 429, headers: { 'retry-after': '60' }, json: { error: 'This token asks too often.' } }
const broken: Reply = { json: { much: 'text' }, cut: true }

/** Answers each of these in turn, and the last one ever after. */
async function answering(...replies: readonly Reply[]) {
  let turn = 0
  return aGithub(() => replies[Math.min(turn++, replies.length - 1)] ?? nothing)
}

/** A wait of two minutes on a clock that only pauses move, looking every five seconds. */
async function waited(read: ReturnType<typeof attemptReader>) {
  let ms = 0
  const said: string[] = []
  const pauses: number[] = []
  const pause = async (some: number): Promise<void> => {
    ms += some
    pauses.push(some / 1_000)
  }
  const progress = (words: string): void => void said.push(words)
  const waiting = { sha: null, until: 120_000, now: () => ms, every: 5_000, pause, progress }
  const text = await decisionOf(() => read(pull), waiting)
  return { text, said: [...new Set(said)], pauses }
}

const none = 'nothing was judged yet'
test.each([
  ['the database of the App is away', away, 'it answered 503', 30],
  ['GitHub does not answer the App', silent, 'GitHub did not say what this token may read; ask again.', 5],
  ['the token asks too often', often, 'This token asks too often.', 60],
] as const)('%s for a moment', async (_, reply, why, seconds) => {
  const app = await answering(nothing, reply, nothing)
  const { text, said, pauses } = await waited(attemptReader({ GITHUB_TOKEN: 'gho_ada' }, app.url))
  expect(text).toBeNull()
  expect(said).toEqual([none, `the App at ${app.url} cannot say: ${why}`])
  expect(pauses.slice(0, 3)).toEqual([5, seconds, 5])
})

test('an answer that breaks off is no end, also as the first one', async () => {
  const app = await answering(broken, nothing)
  const { said } = await waited(attemptReader({ GITHUB_TOKEN: 'gho_ada' }, app.url))
  expect(said).toEqual([expect.stringContaining(`the App at ${app.url} does not answer (`), none])
})

test('GitHub itself may be away for a moment', async () => {
  let isAway = true
  const { url } = await aGithub(({ line }) => {
    if (line.endsWith('/pulls/7')) return { json: { number: 7, head: { sha: 'a1' } } }
    if (isAway) return { status: 502, json: {} }
    return { json: line.includes('/check-runs') ? { total_count: 0, check_runs: [] } : [] }
  })
  const read = attemptReader({ GITHUB_TOKEN: 'gho_ada', GITHUB_API_URL: url })
  await expect(read(pull)).rejects.toThrow('GitHub does not answer about acme/shop#7')
  isAway = false
  expect(await read(pull)).toEqual({ text: null, head: 'a1' })
})

test('where nobody answered to the end, that is the answer; where somebody did, what they said', async () => {
  const dead = await answering(away)
  const read = attemptReader({ GITHUB_TOKEN: 'gho_ada' }, dead.url)
  expect(await errorOf(waited(read))).toMatchObject({ message: expect.stringContaining('cannot say: it answered 503') })
  expect(dead.seen).toHaveLength(5)
  const died = await answering(nothing, away)
  expect((await waited(attemptReader({ GITHUB_TOKEN: 'gho_ada' }, died.url))).text).toBeNull()
})

test.each([401, 403, 404])('what is refused with %i is waited for by nobody', async (status) => {
  const app = await answering({ status, json: { error: 'not for you' } })
  const read = attemptReader({ GITHUB_TOKEN: 'gho_ada' }, app.url)
  expect(await errorOf(waited(read))).toMatchObject({ message: `the App at ${app.url} refuses: not for you` })
  expect(app.seen).toHaveLength(1)
})

test('the command goes on, and says why nobody answers', async () => {
  const app = await answering(nothing, silent, nothing)
  const words = ['wait', 'acme/shop#7', '--app', app.url, '--timeout', '1.2', '--interval', '0.4']
  const env = { GITHUB_TOKEN: 'gho_ada', GH_TOKEN: '' }
  const { code, err } = await countersign(words, { cwd: newDirectory(), env })
  expect({ code, err: err.trim().split('\n') }).toEqual({
    code: 5,
    err: [
      `countersign wait: the App at ${app.url} cannot say: GitHub did not say what this token may read; ask again.; asking again`,
      'countersign wait: nothing was judged at acme/shop#7 in time.',
    ],
  })
})
