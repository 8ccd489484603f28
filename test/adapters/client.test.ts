// The client as the App and the commands use it, over real HTTP to a GitHub of a few lines.
import { describe, expect, test } from 'vitest'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { RateLimited } from '../../src/adapters/github/traffic/pacing.ts'
import { NotInstalled } from '../../src/ports.ts'
import { aGithub, anApp, errorOf, repo, run, times, type Rule } from './small-github.ts'

describe('through Probot', () => {
  test('eight check runs, eight questions and four comments wait for nobody', async () => {
    const all = Promise.withResolvers<null>()
    let asked = 0
    const { url } = await aGithub(({ line }) => {
      if (line === 'GET /' || line.startsWith('POST /app/')) return null
      asked += 1
      if (asked === 20) all.resolve(null)
      return all.promise
    })
    const { app } = anApp(url)
    const octokit = await app.auth(1)
    await octokit.request('GET /')
    await Promise.all([
      ...times(8, () => octokit.rest.checks.create(run)),
      ...times(8, () => octokit.graphql('query { viewer { login } }')),
      ...times(4, () => octokit.rest.issues.createComment({ ...repo, issue_number: 7, body: 'hello' })),
    ])
    expect(asked).toBe(20)
  })

  test('a create that was answered 502 is sent once', async () => {
    const { url, seen } = await aGithub(({ line }) => (line.endsWith('/check-runs') ? { status: 502, json: {} } : null))
    const { app } = anApp(url)
    const octokit = await app.auth(1)
    expect(await errorOf(octokit.rest.checks.create(run))).toMatchObject({ status: 502 })
    expect(seen.filter((line) => line.endsWith('/check-runs'))).toHaveLength(1)
  })

  test('all clients of an installation share its pause, and the App and other installations do not', async () => {
    const { url, seen } = await aGithub(({ line, headers }) =>
      headers.authorization === 'token token-1' && line.startsWith('POST /repos/')
        ? {
            status: 403,
            headers: { 'retry-after': '90' },
            json: { message: 'You have exceeded a secondary rate limit.' },
          }
        : null,
    )
    const { app, traffic } = anApp(url)
    const [one, sameOne, two, itself] = [await app.auth(1), await app.auth(1), await app.auth(2), await app.auth()]
    expect(await errorOf(one.rest.checks.create(run))).toBeInstanceOf(RateLimited)
    expect(await errorOf(sameOne.rest.pulls.get({ ...repo, pull_number: 7 }))).toMatchObject({
      name: 'RateLimited',
      installation: '1',
    })
    await two.rest.pulls.get({ ...repo, pull_number: 7 })
    await itself.rest.apps.getAuthenticated()
    expect(seen.filter((line) => line.includes('/repos/'))).toEqual([
      'POST /repos/ada/engine/check-runs',
      'GET /repos/ada/engine/pulls/7',
    ])
    expect([...traffic.pacing.counters()].map(([who, { requests, limited }]) => [who, requests, limited])).toEqual([
      ['1', 2, 2],
      ['2', 2, 0],
      ['app', 1, 0],
    ])
  })

  test('a busy installation does not wait for its own token', async () => {
    const { url, seen } = await aGithub(() => null, 5)
    const { app } = anApp(url)
    const octokit = await app.auth(1)
    await Promise.all(times(60, (index) => octokit.rest.pulls.get({ ...repo, pull_number: index })))
    expect(seen.filter((line) => line.endsWith('/access_tokens'))).toHaveLength(1)
  })

  test('the client that a delivery comes with is paced like the others', async () => {
    const { url } = await aGithub(() => null)
    const { app, traffic } = anApp(url)
    await app.ready()
    app.on('issues', async ({ octokit }) => void (await octokit.request('GET /rate_limit')))
    await app.webhooks.receive({
      id: 'delivery',
      name: 'issues',
      payload: JSON.parse('{"action":"opened","installation":{"id":5}}'),
    })
    expect(traffic.pacing.counters().get('5')?.requests).toBe(2)
  })
})

describe('an installation that is suspended or gone', () => {
  const refusing =
    (status: number): Rule =>
    ({ line }) =>
      line === 'POST /app/installations/1/access_tokens' ? { status, json: { message: 'no' } } : null

  test.each([403, 404])('is one that does not let us in, when GitHub answers %d, and others are', async (status) => {
    const { url } = await aGithub(refusing(status))
    const { app } = anApp(url)
    const read = async (id: number) => (await app.auth(id)).rest.pulls.get({ ...repo, pull_number: 7 })
    expect(await errorOf(read(1))).toBeInstanceOf(NotInstalled)
    expect((await read(2)).status).toBe(200)
  })

  test('is not taken for an outage: a token that was not made for now is asked for again', async () => {
    const { url } = await aGithub(refusing(502))
    const { app } = anApp(url)
    const read = async () => (await app.auth(1)).rest.pulls.get({ ...repo, pull_number: 7 })
    expect(await errorOf(read())).not.toBeInstanceOf(NotInstalled)
  })

  test('is noticed while its token is still good', async () => {
    const { url } = await aGithub(({ line }) =>
      line.startsWith('GET /repos/')
        ? { status: 403, json: { message: 'This installation has been suspended' } }
        : null,
    )
    const { app } = anApp(url)
    const octokit = await app.auth(1)
    expect(await errorOf(octokit.rest.pulls.get({ ...repo, pull_number: 7 }))).toBeInstanceOf(NotInstalled)
  })
})

test('every request names the version of the interface that it was written for, those for tokens too', async () => {
  const versions: unknown[] = []
  const { url, seen } = await aGithub(({ headers }) => {
    versions.push(headers['x-github-api-version'])
    return null
  })
  const { app } = anApp(url)
  const [octokit, itself] = [await app.auth(1), await app.auth()]
  await octokit.rest.checks.create(run)
  await octokit.graphql('query { viewer { login } }')
  await itself.rest.apps.getAuthenticated()
  await tokenOctokit(githubTraffic(), 'secret', url).rest.pulls.get({ ...repo, pull_number: 7 })
  expect(seen).toContain('POST /app/installations/1/access_tokens')
  expect(versions).toEqual(seen.map(() => '2022-11-28'))
})

describe('reading', () => {
  const etag = 'W/"1"'
  const unlessKnown: Rule = ({ headers }) =>
    headers['if-none-match'] === etag ? { status: 304, json: '' } : { headers: { etag }, json: { number: 7 } }

  test('what has not changed costs no quota, and every reader has an answer of their own', async () => {
    const { url, seen } = await aGithub(unlessKnown)
    const traffic = githubTraffic()
    const octokit = tokenOctokit(traffic, 'secret', url)
    const read = () => octokit.rest.pulls.get({ ...repo, pull_number: 7 })
    const [first, second] = [await read(), await read()]
    expect([first.status, second.status, second.data.number]).toEqual([200, 200, 7])
    expect(second.data).not.toBe(first.data)
    expect(seen).toHaveLength(2)
    expect(traffic.pacing.counters().get('token')).toMatchObject({ requests: 2, not_modified: 1 })
  })

  test('what the App reads as itself, whose every request proves itself anew, pushes out nothing that is known', async () => {
    const long = ['x'.repeat(900_000)]
    const { url } = await aGithub(({ line, headers }) => {
      if (line.startsWith('POST')) return null
      return line.startsWith('GET /app/') ? { headers: { etag }, json: long } : unlessKnown({ line, headers })
    })
    const { app, traffic } = anApp(url)
    const [octokit, itself] = [await app.auth(1), await app.auth()]
    await octokit.rest.pulls.get({ ...repo, pull_number: 7 })
    for (const cursor of times(40, String)) await itself.rest.apps.listWebhookDeliveries({ cursor })
    await octokit.rest.pulls.get({ ...repo, pull_number: 7 })
    expect(traffic.pacing.counters().get('1')).toMatchObject({ not_modified: 1 })
  })

  test('identical reads are one request, unless one must be fresh', async () => {
    const { url, seen } = await aGithub(() => null, 5)
    const octokit = tokenOctokit(githubTraffic(), 'secret', url)
    const read = (request: { fresh?: boolean } = {}) => octokit.rest.pulls.get({ ...repo, pull_number: 7, request })
    await Promise.all([read(), read()])
    expect(seen).toHaveLength(1)
    await Promise.all([read(), read({ fresh: true })])
    expect(seen).toHaveLength(3)
  })

  test('an answer that breaks off is asked again and never taken for an empty one', async () => {
    let cuts = 0
    const { url, seen } = await aGithub(() => ({ json: [{ number: 7 }], cut: (cuts += 1) === 1 }))
    const octokit = tokenOctokit(githubTraffic(), 'secret', url)
    expect((await octokit.rest.pulls.list(repo)).data).toMatchObject([{ number: 7 }])
    expect(seen).toHaveLength(2)
  })

  test('JSON has numbers for numbers, however large', async () => {
    const { url } = await aGithub(() => ({
      raw: '[9007199254740993]',
      headers: { 'content-type': 'application/json' },
    }))
    const { data, headers } = await tokenOctokit(githubTraffic(), 'secret', url).rest.pulls.list(repo)
    expect([data, headers['content-type']]).toEqual([[2 ** 53], 'application/json'])
  })

  test('an archive is handed on as a stream and not kept', async () => {
    const archive = Buffer.from('PK and so on')
    const { url, seen } = await aGithub(() => ({ raw: archive, headers: { etag } }))
    const octokit = tokenOctokit(githubTraffic(), 'secret', url)
    const download = { ...repo, artifact_id: 3, archive_format: 'zip' }
    for (const request of [{}, { parseSuccessResponseBody: false }]) {
      const { data } = await octokit.request(
        'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
        {
          ...download,
          request,
        },
      )
      const stream: unknown = data
      const bytes = stream instanceof ReadableStream ? await new Response(stream).arrayBuffer() : stream
      expect(bytes).toEqual(new Uint8Array(archive).buffer)
    }
    expect(seen).toHaveLength(2)
  })

  test('pages are followed, also those of a comparison', async () => {
    const { url } = await aGithub(({ line }) =>
      line.includes('page=2')
        ? { json: { total_commits: 101, commits: [101] } }
        : { json: { total_commits: 101, commits: times(100, (index) => index) } },
    )
    const octokit = tokenOctokit(githubTraffic(), 'secret', url)
    const commits: unknown[] = []
    for await (const { data } of octokit.paginate.iterator('GET /repos/ada/engine/compare/a...b?page=1&per_page=100')) {
      commits.push(data)
    }
    expect(commits).toHaveLength(2)
  })
})
