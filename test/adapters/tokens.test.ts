// A token that GitHub takes no more before its hour is over: another one is made, once for all who need it, and none in vain where
// GitHub refuses everybody.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { TokenRefused, tokensIn } from '../../src/adapters/github/traffic/tokens.ts'
import { NotInstalled } from '../../src/ports.ts'
import { aGithub, anApp, errorOf, repo, run, times, type Reply } from './small-github.ts'

const refusedToken: Reply = { status: 401, json: { message: 'Bad credentials' } }
const laterMs = 10_000

describe('over the wire', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  /** Hands out one token after the other and takes the newest, until it is revoked. */
  async function revoking(afterwards: Reply | null = null) {
    let [made, revoked] = [0, 0]
    const { url, seen } = await aGithub(({ line, headers }) => {
      if (line.endsWith('/access_tokens')) {
        if (revoked > 0 && afterwards !== null) return afterwards
        made += 1
        const expires_at = new Date(Date.now() + 3_600_000).toISOString()
        return { status: 201, json: { token: `token-${made}`, expires_at } }
      }
      const isGood = made > revoked && headers.authorization === `token token-${made}`
      return isGood ? { json: { number: 7 } } : refusedToken
    }, 5)
    const octokit = await anApp(url).app.auth(1)
    await octokit.rest.pulls.get({ ...repo, pull_number: 7 })
    // A token is given some seconds to become known everywhere, by the library.
    vi.setSystemTime(Date.now() + laterMs)
    revoked = made
    return { octokit, tokensMade: () => seen.filter((line) => line.endsWith('/access_tokens')).length }
  }

  test('reads, writes and questions go on with another token, which is made once', async () => {
    const { octokit, tokensMade } = await revoking()
    const answers = await Promise.all([
      ...times(8, (index) => octokit.rest.pulls.get({ ...repo, pull_number: index })),
      octokit.rest.checks.create(run),
      octokit.rest.issues.createComment({ ...repo, issue_number: 7, body: 'hello' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await expect(octokit.graphql('query { viewer { login } }')).resolves.toBeUndefined()
    expect(tokensMade()).toBe(2)
  })

  test('whoever is not let in any more is told so, whose old token was not over', async () => {
    const { octokit } = await revoking({ status: 404, json: { message: 'Not Found' } })
    expect(await errorOf(octokit.rest.pulls.get({ ...repo, pull_number: 7 }))).toBeInstanceOf(NotInstalled)
  })
})

describe('in time', () => {
  const refused = new Error('Bad credentials', { cause: new TokenRefused('1') })
  function aClient() {
    let now = 0
    const forgotten: string[] = []
    const waits: number[] = []
    const answers: (Error | string)[] = []
    const cache = { delete: (installation: string) => void forgotten.push(installation) }
    const pause = async (ms: number): Promise<void> => {
      waits.push(ms)
      now += ms
    }
    const tokens = tokensIn({ ms: () => now, pause })
    const withGoodToken = tokens.renewal({ cache, installationId: 1 }, '1')
    if (withGoodToken === null) throw new Error('It has no other token')
    const ask = () =>
      withGoodToken(async () => {
        now += 1
        const answer = answers.shift() ?? refused
        if (answer instanceof Error) throw answer
        return answer
      })
    return { ask, answers, forgotten, waits, pass: (ms: number) => void (now += ms), seconds: () => now / 1_000 }
  }

  test('a token that is not known everywhere yet gets the time to become so', async () => {
    const { ask, answers, forgotten, waits } = aClient()
    answers.push(refused, refused, refused, 'known')
    await expect(ask()).resolves.toBe('known')
    expect([forgotten, waits]).toEqual([['1'], [2_000, 3_000]])
  })

  test('where every token is refused, none is made again for ten seconds, and nobody waits for ever', async () => {
    const { ask, forgotten, pass, seconds } = aClient()
    while (seconds() < 60) {
      const began = seconds()
      await expect(ask()).rejects.toBe(refused)
      expect(seconds() - began).toBeLessThan(7)
      pass(1_000)
    }
    expect(forgotten.length).toBeGreaterThan(3)
    expect(forgotten.length).toBeLessThanOrEqual(6)
  })

  const lacking = Object.assign(new Error('Resource not accessible by integration'), { status: 403 })

  test('what a token cannot do is tried with another one, once a minute', async () => {
    const { ask, answers, forgotten, pass } = aClient()
    answers.push(lacking, 'granted by now')
    await expect(ask()).resolves.toBe('granted by now')
    for (let second = 0; second < 59; second += 1) {
      answers.push(lacking)
      await expect(ask()).rejects.toBe(lacking)
      pass(980)
    }
    expect(forgotten).toEqual(['1'])
    pass(5_000)
    answers.push(lacking, lacking)
    await expect(ask()).rejects.toBe(lacking)
    expect([answers, forgotten]).toEqual([[], ['1', '1']])
  })

  test('what else goes wrong is nothing of the token', async () => {
    const { ask, answers, forgotten } = aClient()
    const error = Object.assign(new Error('no'), { status: 403 })
    answers.push(error, 'never asked')
    await expect(ask()).rejects.toBe(error)
    expect([answers, forgotten]).toEqual([['never asked'], []])
  })
})

test('a token that somebody brought is refused as GitHub does it, at once', async () => {
  const { url, seen } = await aGithub(() => refusedToken)
  const read = tokenOctokit(githubTraffic(), 'secret', url).rest.pulls.get({ ...repo, pull_number: 7 })
  expect(await errorOf(read)).toMatchObject({ status: 401, name: 'HttpError' })
  expect(seen).toHaveLength(1)
})
