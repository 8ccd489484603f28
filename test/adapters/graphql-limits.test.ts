// GraphQL refuses for its limits with a status of success. That stops the installation like any other refusal; what people
// write about limits does not.
import { expect, test } from 'vitest'
import { turnOf } from '../../src/adapters/github/traffic/allowances.ts'
import { pacing, RateLimited } from '../../src/adapters/github/traffic/pacing.ts'
import { fakeTime } from './fake-time.ts'

const url = 'https://api.github.com/graphql'
const read = (who: string) => turnOf(who, 'GET', 'https://api.github.com/repos/ada/engine/pulls/7', null)
const query = turnOf('1', 'POST', url, '{"query":"query { viewer { login } }"}')

/** How a question went that GitHub answered with this, and what comes after it: `sent`, or the seconds to wait. */
async function after(text: string, headers: Record<string, string> = {}) {
  const time = fakeTime()
  const limiter = pacing(time, () => 0)
  const send = (turn: typeof query, body: string): Promise<number | 'sent'> =>
    limiter
      .send(turn, async () => ({ status: 200, url, headers: new Headers(headers), body }))
      .then(
        () => 'sent' as const,
        (error: unknown) => (error instanceof RateLimited ? (Date.parse(error.retryAt) - time.now()) / 1_000 : 'sent'),
      )
  return [await send(query, text), await send(read('1'), '{}'), await send(read('2'), '{}')]
}

const primary = '{"data":null,"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for installation"}]}'
const secondary = '{"errors":[{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}]}'

test.each([
  ['a secondary limit with a time', secondary, { 'retry-after': '120' }, [120, 120, 'sent']],
  ['a secondary limit without one', secondary, {}, [60, 60, 'sent']],
  ['a limit that is told by its type', primary, { 'retry-after': '90' }, [90, 90, 'sent']],
  // The quota of REST is another one.
  ['the hourly quota', primary, { 'x-ratelimit-remaining': '0' }, [60, 'sent', 'sent']],
])('%s', async (_name, text, headers, fates) => {
  expect(await after(text, headers)).toEqual(fates)
})

test.each([
  '{"data":{"node":{"title":"You have exceeded a secondary rate limit","errors":[]}}}',
  '{"errors":[{"type":"NOT_FOUND","message":"There is no label `API rate limit exceeded`"}]}',
  '{"data":{},"errors":"You have exceeded a secondary rate limit"}',
  '{"errors":[{"message":"You have exceeded',
])('what people write about limits stops nothing: %s', async (text) => {
  expect(await after(text, { 'retry-after': '120' })).toEqual(['sent', 'sent', 'sent'])
})
