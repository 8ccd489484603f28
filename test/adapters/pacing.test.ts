import { describe, expect, test } from 'vitest'
import { RateLimited } from '../../src/adapters/github/traffic/pacing.ts'
import { checkRun, comment, fate, github, paced, pull, repo, retryAt, times } from './paced.ts'

describe('far from the limits nothing waits', () => {
  test('twenty comments, a hundred check runs and three hundred reads go out within one moment', async () => {
    const { send, sent, time, counters } = paced()
    const all = [
      ...times(20, () => send('1', comment)),
      ...times(100, () => send('1', checkRun)),
      ...times(300, () => send('1', pull)),
    ]
    await Promise.all(all)
    expect(sent.map(({ at }) => at)).toEqual(times(420, () => 0))
    await time.advance(0)
    expect(counters('1')).toEqual({ requests: 420, not_modified: 0, waited_ms: 0, limited: 0 })
  })
})

describe('requests under way', () => {
  test('one installation has at most its own share at a time', async () => {
    const { send, time, underWay } = paced({ ms: 50, limits: { concurrentPerInstallation: 3 } })
    const all = times(10, () => send('1', pull))
    await time.advance(200)
    await Promise.all(all)
    expect(underWay.most).toBe(3)
  })

  test('all installations together have at most the whole', async () => {
    const { send, time, underWay } = paced({ ms: 50, limits: { concurrent: 5, concurrentPerInstallation: 2 } })
    const all = times(12, (index) => send(`${index % 4}`, pull))
    await time.advance(200)
    await Promise.all(all)
    expect(underWay.most).toBe(5)
  })

  test('a late small installation does not wait behind the queue of a big one', async () => {
    const { send, time, sent } = paced({ ms: 50, limits: { concurrent: 2, concurrentPerInstallation: 2 } })
    const all = [...times(20, () => send('big', pull)), ...times(2, () => send('small', pull))]
    await time.advance(1_000)
    await Promise.all(all)
    expect(sent.slice(0, 6).map(({ who }) => who)).toEqual(['big', 'big', 'big', 'small', 'big', 'small'])
  })

  test('check runs go before reads, and reads before comments', async () => {
    const { send, time, sent } = paced({ ms: 50, limits: { concurrentPerInstallation: 1 } })
    const all = [pull, comment, pull, checkRun].map((request) => send('1', request))
    await time.advance(1_000)
    await Promise.all(all)
    expect(sent.map(({ what }) => what.split('/').at(-1))).toEqual(['7', 'check-runs', '7', 'comments'])
  })

  test('whoever finds no place in twenty seconds is told to come back', async () => {
    const { send, time, counters } = paced({ ms: 60_000, limits: { concurrentPerInstallation: 1 } })
    void send('1', pull)
    const second = fate(send('1', pull))
    await time.advance(20_000)
    expect(retryAt(await second)).toBe('2026-11-20T10:00:25.000Z')
    expect(counters('1')).toMatchObject({ requests: 1, limited: 1 })
  })

  test('a queue that is too long sends the last ones away at once, and comments before check runs', async () => {
    const { send, time } = paced({ ms: 10, limits: { concurrent: 1, waitingPerInstallation: 20 } })
    const comments = times(21, () => fate(send('1', comment)))
    const gate = fate(send('1', checkRun))
    expect(await comments.at(-1)).toBeInstanceOf(RateLimited)
    await time.advance(20)
    expect(await gate).toBe('sent')
  })
})

describe('near a limit', () => {
  test('the comment above the minute is sent when the first of them is a minute old', async () => {
    const { send, time, sent, counters } = paced({ limits: { contentPerMinute: 3 } })
    await Promise.all(times(3, () => send('1', comment)))
    await time.advance(50_000)
    const fourth = send('1', comment)
    await time.advance(20_000)
    await fourth
    expect(sent.map(({ at }) => at)).toEqual([0, 0, 0, 60_000])
    expect(counters('1')?.waited_ms).toBe(10_000)
  })

  test('a comment that would wait longer is not sent, and the error says when to come back and why', async () => {
    const { send, sent } = paced({ limits: { contentPerHour: 3 } })
    await Promise.all(times(3, () => send('1', comment)))
    const error = await fate(send('1', comment))
    expect(error).toBeInstanceOf(RateLimited)
    expect(error).toMatchObject({
      retryAt: '2026-11-20T11:00:00.000Z',
      installation: '1',
      message:
        'GitHub takes no more requests of installation 1 for now: the 3 comments and other pieces of content that ' +
        'GitHub allows an hour are used up. Try again at 2026-11-20T11:00:00.000Z.',
    })
    expect(sent).toHaveLength(3)
  })

  test('comments that wait hold up neither check runs, nor reads, nor other installations', async () => {
    const { send } = paced({ limits: { contentPerMinute: 1 } })
    await send('1', comment)
    const second = fate(send('1', comment))
    expect(await Promise.all([send('1', checkRun), send('1', pull), send('2', comment)].map(fate))).toEqual(
      times(3, () => 'sent'),
    )
    expect(await second).toBeInstanceOf(RateLimited)
  })

  test('an endpoint takes 180 writes or 900 reads a minute, and its repositories and numbers count together', async () => {
    const { send } = paced()
    const post = times(181, (index) => fate(send('1', ['POST', `${github}/repos/ada/r${index}/check-runs`])))
    const get = times(901, (index) => fate(send('1', ['GET', `${repo}/pulls/${index}`])))
    const isSent = async (fates: readonly Promise<unknown>[]): Promise<number> =>
      (await Promise.all(fates)).filter((one) => one === 'sent').length
    expect([await isSent(post), await isSent(get)]).toEqual([180, 900])
    expect(await fate(send('1', ['GET', `${github}/repositories/12/pulls/3`]))).toBeInstanceOf(RateLimited)
    expect(await fate(send('1', ['PATCH', `${repo}/check-runs/5`]))).toBe('sent')
  })

  test('at no moment do more than eighty comments lie within a minute, however they come', async () => {
    const { send, sent, time } = paced()
    for (let second = 0; second < 300; second += 1) {
      for (let index = 0; index < (second * 7) % 11; index += 1) void fate(send('1', comment))
      await time.advance(1_000)
    }
    const inMinute = sent.map(({ at }) => sent.filter((other) => other.at > at - 60_000 && other.at <= at).length)
    expect(Math.max(...inMinute)).toBe(80)
    expect(sent.length).toBeGreaterThan(320)
  })
})

describe('what GitHub answers', () => {
  test('retry-after stops the whole installation and no other, and a read is asked again by itself', async () => {
    const { send, sent, replies, time } = paced()
    replies.push({ status: 429, headers: { 'retry-after': '5' } })
    const read = send('1', pull)
    await time.advance(1_000)
    const later = send('1', checkRun)
    await send('2', pull)
    await time.advance(5_000)
    expect((await read).status).toBe(200)
    await later
    expect(sent.map(({ who, at }) => [who, at])).toEqual([
      ['1', 0],
      ['2', 1_000],
      ['1', 5_000],
      ['1', 5_000],
    ])
  })

  test('a write that GitHub refused for its limits is not repeated but comes back as RateLimited', async () => {
    const { send, sent, replies } = paced()
    replies.push({ status: 403, headers: { 'retry-after': '5' } })
    expect(retryAt(await fate(send('1', checkRun)))).toBe('2026-11-20T10:00:05.000Z')
    expect(sent).toHaveLength(1)
  })

  test('a long retry-after sends away who waits and who comes, without a request', async () => {
    const { send, sent, replies, time, counters } = paced({ ms: 10, limits: { concurrentPerInstallation: 1 } })
    replies.push({ status: 429, headers: { 'retry-after': '120' } })
    const fates = [fate(send('1', pull)), fate(send('1', pull))]
    await time.advance(10)
    fates.push(fate(send('1', pull)))
    expect((await Promise.all(fates)).map(retryAt)).toEqual(times(3, () => '2026-11-20T10:02:01.000Z'))
    expect(sent).toHaveLength(1)
    expect(counters('1')?.limited).toBe(3)
  })

  test('the last request of the hourly quota stops that quota until the reset, on GitHub’s clock', async () => {
    const { send, replies } = paced()
    const reset = String(Date.parse('2026-11-20T12:30:00Z') / 1_000)
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    replies.push({ headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date } })
    expect(await fate(send('1', pull))).toBe('sent')
    expect(retryAt(await fate(send('1', pull)))).toBe('2026-11-20T10:30:01.000Z')
    expect(await fate(send('1', ['POST', `${github}/graphql`], '{"query":"query { viewer }"}'))).toBe('sent')
  })

  test('a secondary limit without a time means a minute at least, then twice as long', async () => {
    const { send, replies, time } = paced({ random: 0.5 })
    const refusal = { status: 403, text: '{"message":"You have exceeded a secondary rate limit."}' }
    replies.push(refusal, refusal)
    const first = retryAt(await fate(send('1', checkRun)))
    await time.advance(70_000)
    const second = retryAt(await fate(send('1', checkRun)))
    expect([first, second]).toEqual(['2026-11-20T10:01:08.000Z', '2026-11-20T10:03:25.000Z'])
    await time.advance(800_000)
    replies.push(refusal)
    expect(retryAt(await fate(send('1', checkRun)))).toBe('2026-11-20T10:15:38.000Z')
  })

  test.each([
    ['seconds', '90', '10:01:30'],
    ['more than any window lasts', '9'.repeat(30), '11:00:00'],
    ['a date, by their clock', 'Fri, 20 Nov 2026 12:02:00 GMT', '10:02:00'],
    ['a date that is over', 'Fri, 20 Nov 2026 11:00:00 GMT', '10:00:01'],
    ['nothing', '', '10:01:00'],
    ['less than nothing', '-5', '10:01:00'],
    ['a part of a second', '1.5', '10:01:00'],
    ['two at once', '5, 5', '10:01:00'],
    ['words', 'in 5 minutes', '10:01:00'],
  ])('a pause is in seconds or until a date, and what is neither names none: %s', async (_what, named, until) => {
    const { send, replies } = paced()
    const text = '{"message":"You have exceeded a secondary rate limit."}'
    replies.push({ status: 403, headers: { 'retry-after': named, date: 'Fri, 20 Nov 2026 12:00:00 GMT' }, text })
    expect(retryAt(await fate(send('1', checkRun)))).toBe(`2026-11-20T${until}.000Z`)
  })

  test('many refusals of requests that were under way together make one pause', async () => {
    const { send, replies, time } = paced({ ms: 50 })
    replies.push(...times(20, () => ({ status: 429 })))
    const fates = times(20, () => fate(send('1', checkRun)))
    await time.advance(50)
    expect(new Set((await Promise.all(fates)).map(retryAt))).toEqual(new Set(['2026-11-20T10:01:01.000Z']))
  })

  test.each([
    ['a permission that is missing', { status: 403, text: '{"message":"Resource not accessible by integration"}' }],
    ['something that does not exist', { status: 404 }],
  ])('%s is an answer like others and stops nothing', async (_what, reply) => {
    const { send, replies, sent } = paced()
    replies.push(reply)
    expect((await send('1', pull)).status).toBe(reply.status)
    await send('1', pull)
    expect(sent.map(({ at }) => at)).toEqual([0, 0])
  })
})

describe('when GitHub is unwell', () => {
  const reset = new TypeError('fetch failed')

  test('a read is asked three times, a little later each time', async () => {
    const { send, sent, replies, time } = paced({ random: 0.5 })
    replies.push({ status: 502 }, reset)
    const read = send('1', pull)
    await time.advance(2_000)
    expect((await read).status).toBe(200)
    expect(sent.map(({ at }) => at)).toEqual([0, 200, 1_200])
  })

  test('and then the last answer is the answer, or the last error the error', async () => {
    const { send, sent, replies, time } = paced()
    replies.push({ status: 502 }, { status: 503 }, { status: 504 })
    const unwell = send('1', pull)
    await time.advance(2_000)
    expect((await unwell).status).toBe(504)
    replies.push(reset, reset, reset)
    const broken = fate(send('1', pull))
    await time.advance(2_000)
    expect(await broken).toBe(reset)
    expect(sent).toHaveLength(6)
  })

  test('what fails for everybody is asked once by each, until it is answered', async () => {
    const { send, sent, replies, time } = paced()
    const read = async (who = '1'): Promise<number> => {
      const before = sent.length
      const answer = fate(send(who, pull))
      await time.advance(2_000)
      await answer
      return sent.length - before
    }
    replies.push(...times(9, () => ({ status: 502 })))
    expect([await read(), await read(), await read(), await read('2')]).toEqual([3, 3, 1, 3])
    expect(await read()).toBe(1)
    replies.push({ status: 502 })
    expect(await read()).toBe(2)
  })

  test('a read that was refused for its limits is asked again there as everywhere', async () => {
    const { send, sent, replies, time } = paced()
    replies.push(...times(6, () => ({ status: 502 })), { status: 429, headers: { 'retry-after': '1' } })
    for (let reads = 0; reads < 2; reads += 1) {
      const failed = send('1', pull)
      await time.advance(2_000)
      expect((await failed).status).toBe(502)
    }
    const read = send('1', pull)
    await time.advance(2_000)
    expect((await read).status).toBe(200)
    expect(sent).toHaveLength(8)
  })

  test.each([['an answer 502', { status: 502 }] as const, ['a broken connection', reset] as const])(
    'a write that ended in %s is left to the caller, who must look whether it was done',
    async (_what, reply) => {
      const { send, sent, replies, time } = paced()
      replies.push(reply)
      const write = send('1', checkRun).then(
        ({ status }) => status,
        (error: unknown) => error,
      )
      await time.advance(60_000)
      expect(await write).toBe(reply instanceof Error ? reply : 502)
      expect(sent).toHaveLength(1)
    },
  )
})
