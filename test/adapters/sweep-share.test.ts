// Rounds over everything take a share of what GitHub allows, and stand behind people.
import { expect, test } from 'vitest'
import { checkRun, fate, github, paced, pull, repo, retryAt, type Reply } from './paced.ts'

const question = JSON.stringify({ query: 'query { viewer }' })
const graphql = ['POST', `${github}/graphql`] as const
const headers = (limit: number, remaining: number) => ({
  'x-ratelimit-limit': `${limit}`,
  'x-ratelimit-remaining': `${remaining}`,
  'x-ratelimit-reset': `${Date.parse('2026-11-20T10:40:00Z') / 1_000}`,
})
/** How many go out, one after the other, until one is sent away. */
async function many({ sendAs, replies }: ReturnType<typeof paced>, reply: Reply, most = 2_000): Promise<number> {
  for (let count = 0; count < most; count += 1) {
    replies.splice(0, replies.length, reply)
    if ((await fate(sendAs(true, '1', pull))) !== 'sent') return count
  }
  return most
}

test('takes a tenth of what GitHub allows an hour, and others go on', async () => {
  const lab = paced({ limits: { pointsPerMinute: 100_000 } })
  expect(await many(lab, {})).toBe(500)
  expect(await fate(lab.send('1', pull))).toBe('sent')
  expect(await fate(lab.sendAs(true, '2', pull))).toBe('sent')
  expect(retryAt(await fate(lab.sendAs(true, '1', pull)))).toBe('2026-11-20T11:00:00.000Z')
  await lab.time.advance(3_600_000)
  expect(await many(lab, { headers: headers(12_500, 12_000) })).toBe(1_250)
})

test('pays nothing for what was still true, and as many points as GitHub says for a question', async () => {
  const lab = paced({ limits: { pointsPerMinute: 100_000 } })
  expect(await many(lab, { status: 304 })).toBe(2_000)
  for (let count = 0; count < 50; count += 1) {
    lab.replies.push({ text: '{"data":{"rateLimit":{"cost":10}}}' })
    expect(await fate(lab.sendAs(true, '1', graphql, question))).toBe('sent')
  }
  const spent = await fate(lab.sendAs(true, '1', graphql, question))
  expect(spent).toMatchObject({ name: 'RateLimited', onlyGraphql: false })
})

test('leaves the last quarter of an hour to people', async () => {
  const lab = paced()
  lab.replies.push({ headers: headers(5_000, 1_249) })
  await lab.send('1', pull)
  expect(retryAt(await fate(lab.sendAs(true, '1', pull)))).toBe('2026-11-20T10:40:01.000Z')
  expect(await fate(lab.send('1', pull))).toBe('sent')
})

test('goes last where there is a line', async () => {
  const { send, sendAs, sent, time } = paced({ ms: 100, limits: { concurrentPerInstallation: 1 } })
  const other = ['GET', `${repo}/pulls`] as const
  const all = [send('1', pull), sendAs(true, '1', other), send('1', checkRun), send('1', pull)]
  await time.advance(1_000)
  await Promise.all(all)
  expect(sent.map(({ what }) => what).at(-1)).toBe('GET /repos/ada/engine/pulls')
})
