// A limiter with a clock that a test moves, and a GitHub behind it that answers by a list.
import { githubLimits, type Limits, turnOf } from '../../src/adapters/github/traffic/allowances.ts'
import type { Answer } from '../../src/adapters/github/traffic/answer.ts'
import { pacing, RateLimited } from '../../src/adapters/github/traffic/pacing.ts'
import { fakeTime } from './fake-time.ts'

export const github = 'https://api.github.com'
export const repo = `${github}/repos/ada/engine`
export const checkRun = ['POST', `${repo}/check-runs`] as const
export const comment = ['POST', `${repo}/issues/7/comments`] as const
export const pull = ['GET', `${repo}/pulls/7`] as const

export type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly text?: string }
const ok: Reply = {}
const answer = ({ status = 200, headers = {}, text = '{}' }: Reply): Answer => ({
  status,
  url: github,
  headers: new Headers(headers),
  body: text,
})

/** A limiter, and a GitHub that takes `ms` for each request and then gives the next of its replies. */
export function paced(options: { ms?: number; limits?: Partial<Limits>; random?: number } = {}) {
  const time = fakeTime()
  const start = time.now()
  const limiter = pacing(time, () => options.random ?? 0, { ...githubLimits, ...options.limits })
  const replies: (Reply | Error)[] = []
  const sent: { readonly who: string; readonly what: string; readonly at: number }[] = []
  const underWay = { now: 0, most: 0 }
  const send = (who: string, what: readonly [string, string], body: unknown = null): Promise<Answer> =>
    sendAs(false, who, what, body)
  const sendAs = (
    sweep: boolean,
    who: string,
    [method, url]: readonly [string, string],
    body: unknown = null,
  ): Promise<Answer> =>
    limiter.send(turnOf(who, method, url, body, sweep), async () => {
      sent.push({ who, what: `${method} ${url.replace(github, '')}`, at: time.now() - start })
      underWay.now += 1
      underWay.most = Math.max(underWay.most, underWay.now)
      if (options.ms !== undefined) await new Promise<void>((done) => time.after(options.ms ?? 0, done))
      underWay.now -= 1
      const reply = replies.shift() ?? ok
      if (reply instanceof Error) throw reply
      return answer(reply)
    })
  return {
    time,
    limiter,
    replies,
    sent,
    underWay,
    send,
    sendAs,
    counters: (who: string) => limiter.counters().get(who),
  }
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
export const fate = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'sent',
    (error: unknown) => error,
  )
export const retryAt = (error: unknown): unknown => (error instanceof RateLimited ? error.retryAt : error)
