// The wire itself: signatures, order and loss of webhooks, ETags, limits, and trouble on demand.
import { Octokit } from '@octokit/rest'
import { describe, expect, test } from 'vitest'
import { aGitHub, quiet, refusal, shop } from './setting.ts'

describe('webhooks', () => {
  test('each is signed and says where, by whom and for which installation', async () => {
    const { github, installation, heard, news } = await aGitHub()
    github.openIssue('acme/shop', { title: 'Hello', by: 'ada' })
    expect(await news()).toEqual(['issues.opened'])
    expect(heard[0]).toMatchObject({
      signed: true,
      payload: {
        repository: { full_name: 'acme/shop' },
        organization: { login: 'acme' },
        sender: { login: 'ada', type: 'User' },
        installation: { id: installation },
      },
    })
  })

  test('an App hears only what it subscribed to', async () => {
    const { github, news } = await aGitHub({ app: { events: ['push'] } })
    github.openIssue('acme/shop', { title: 'Hello', by: 'ada' })
    github.push('acme/shop', 'main', { files: { a: '1' }, author: 'ada' })
    expect(await news()).toEqual(['push'])
  })

  test('they arrive in the order in which things happened', async () => {
    const { github, heard, news } = await aGitHub()
    for (let index = 0; index < 30; index += 1) github.openIssue('acme/shop', { title: `${index}`, by: 'ada' })
    await news()
    const titles = heard.map(({ payload }) => JSON.stringify(payload['issue']).match(/"title":"(\d+)"/)?.[1])
    expect(titles).toEqual(Array.from({ length: 30 }, (_, index) => `${index}`))
  })

  test('they are shuffled, doubled and lost on demand, the same for the same seed', async () => {
    const run = async () => {
      const { github, heard, news } = await aGitHub()
      github.setDeliveries({ seed: 7, lostPercent: 20, doubledPercent: 20, shuffleWithin: 5 })
      for (let index = 0; index < 30; index += 1) github.openIssue('acme/shop', { title: `${index}`, by: 'ada' })
      await news()
      return heard.map(({ payload }) => Number(JSON.stringify(payload['issue']).match(/"title":"(\d+)"/)?.[1]))
    }
    const [first, second] = [await run(), await run()]
    expect(first).toEqual(second)
    expect(first).not.toEqual(first.toSorted((a, b) => a - b))
    const distinct = new Set(first)
    expect(distinct.size).toBeLessThan(30)
    expect(first.length).toBeGreaterThan(distinct.size)
  })

  test('held ones wait until they are released', async () => {
    const { github, news } = await aGitHub()
    github.setDeliveries({ hold: true })
    github.openIssue('acme/shop', { title: 'Hello', by: 'ada' })
    expect(await news()).toEqual([])
    github.setDeliveries({ hold: false })
    expect(await news()).toEqual(['issues.opened'])
  })

  test.each([
    ['one that got lost is listed', false, 1],
    ['one that was never sent is not', true, 0],
  ])('%s', async (_, neverSent, listed) => {
    const { github, asAppItself, news } = await aGitHub()
    github.setDeliveries({ lostPercent: 100, neverSent })
    github.openIssue('acme/shop', { title: 'Hello', by: 'ada' })
    expect(await news()).toEqual([])
    const { data } = await asAppItself().rest.apps.listWebhookDeliveries()
    expect(data.filter(({ event }) => event === 'issues')).toHaveLength(listed)
  })

  test('a failed one is listed, and sent again under the same name', async () => {
    const { github, answers, heard, asAppItself, news } = await aGitHub()
    answers.push(500)
    github.openIssue('acme/shop', { title: 'Hello', by: 'ada' })
    await news()
    const octokit = asAppItself()
    const { data: deliveries } = await octokit.rest.apps.listWebhookDeliveries({ per_page: 1 })
    expect(deliveries[0]).toMatchObject({ event: 'issues', action: 'opened', status_code: 500, redelivery: false })
    await octokit.rest.apps.redeliverWebhookDelivery({ delivery_id: Number(deliveries[0]?.id) })
    expect(await news()).toEqual(['issues.opened', 'issues.opened'])
    expect(heard[0]?.guid).toBe(heard[1]?.guid)
    const { data: again } = await octokit.rest.apps.listWebhookDeliveries({ per_page: 1 })
    expect(again[0]).toMatchObject({ status: 'OK', status_code: 200, redelivery: true })
  })
})

describe('ETags and limits', () => {
  test('what did not change is answered 304, which costs nothing, and only for the same token', async () => {
    const { github, as } = await aGitHub()
    const octokit = as('ada')
    const main = { ...shop, branch: 'main' }
    const first = await octokit.rest.repos.getBranch(main)
    const left = () => octokit.rest.rateLimit.get().then(({ data }) => data.rate.remaining)
    const before = await left()
    const again = { ...main, headers: { 'if-none-match': first.headers.etag } }
    expect(await refusal(octokit.rest.repos.getBranch(again))).toMatch(/^304/)
    expect(await left()).toBe(before)
    expect((await as('bob').rest.repos.getBranch(again)).status).toBe(200)
    github.push('acme/shop', 'main', { files: { a: '1' }, author: 'ada' })
    expect((await octokit.rest.repos.getBranch(again)).status).toBe(200)
    expect(await left()).toBe(before - 1)
  })

  test('beyond the primary limit nothing is answered but the limit', async () => {
    const { github, as } = await aGitHub()
    github.setLimits({ primaryPerHour: 2 })
    const octokit = as('ada')
    await octokit.rest.repos.get(shop)
    const last = await octokit.rest.repos.get(shop)
    expect(last.headers['x-ratelimit-remaining']).toBe('0')
    expect(await refusal(octokit.rest.repos.get(shop))).toContain('403 API rate limit exceeded')
    expect((await as('bob').rest.repos.get(shop)).status).toBe(200)
    expect((await octokit.rest.rateLimit.get()).data.rate.remaining).toBe(0)
  })

  test('too many comments in a minute meet the secondary limit, which says when to come back', async () => {
    const { github, as, aPull } = await aGitHub()
    const issue_number = aPull().number
    github.setLimits({ contentPerMinute: 1 })
    const comment = () =>
      fetch(`${github.url}/repos/acme/shop/issues/${issue_number}/comments`, {
        method: 'POST',
        headers: { authorization: `token ${token}` },
        body: '{"body":"Hello"}',
      })
    const token = github.tokenOf('ada')
    expect((await comment()).status).toBe(201)
    const refused = await comment()
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([403, 60])
    github.setLimits({ contentPerMinute: null })
    expect((await as('ada').rest.issues.listComments({ ...shop, issue_number })).data).toHaveLength(1)
  })
})

describe('trouble on demand', () => {
  const comments = '/repos/acme/shop/issues/*/comments'
  const counted = async (effect: 'before' | 'after') => {
    const { github, as, aPull } = await aGitHub()
    const issue_number = aPull().number
    github.addFault({ method: 'write', path: comments, times: 1, trouble: { kind: 'answer', status: 502, effect } })
    const say = () => as('ada').rest.issues.createComment({ ...shop, issue_number, body: 'Hello' })
    const refused = await refusal(say())
    const { data } = await as('ada').rest.issues.listComments({ ...shop, issue_number })
    return { refused, written: data.length, next: (await say()).status }
  }

  test('a write answers 502 before it has taken effect', async () => {
    expect(await counted('before')).toEqual({ refused: expect.stringMatching(/^502/), written: 0, next: 201 })
  })

  test('a write answers 502 after it has taken effect', async () => {
    expect(await counted('after')).toEqual({ refused: expect.stringMatching(/^502/), written: 1, next: 201 })
  })

  test('a connection breaks', async () => {
    const { github, as } = await aGitHub()
    github.addFault({ path: '/repos/acme/*', times: 1, trouble: { kind: 'reset' } })
    expect(await refusal(as('ada').rest.repos.get(shop))).toMatch(/^500/)
    expect((await as('ada').rest.repos.get(shop)).status).toBe(200)
  })

  test('a secondary limit is answered with or without a time to come back', async () => {
    const { github } = await aGitHub()
    const headers = { 'retry-after': '3' }
    github.addFault({ times: 1, trouble: { kind: 'answer', status: 429, headers } })
    const [first, second] = [await fetch(`${github.url}/meta`), await fetch(`${github.url}/meta`)]
    expect([first.status, first.headers.get('retry-after'), second.status]).toEqual([429, '3', 200])
  })

  test('one in so many fails by chance, the same for the same seed', async () => {
    const run = async () => {
      const { github } = await aGitHub({ seed: 3 })
      github.addFault({ path: '/meta', percent: 30, trouble: { kind: 'answer', status: 500 } })
      const statuses: number[] = []
      for (let index = 0; index < 40; index += 1) statuses.push((await fetch(`${github.url}/meta`)).status)
      return statuses
    }
    const [first, second] = [await run(), await run()]
    expect(first).toEqual(second)
    expect(first.filter((status) => status === 500).length).toBeGreaterThan(3)
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(15)
  })

  test('some requests are let through first', async () => {
    const { github } = await aGitHub()
    github.addFault({ path: '/meta', skip: 1, times: 1, trouble: { kind: 'answer', status: 500 } })
    const statuses = [
      await fetch(`${github.url}/meta`),
      await fetch(`${github.url}/meta`),
      await fetch(`${github.url}/meta`),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([200, 500, 200])
  })
})

test('what was asked is on record, without what steers it', async () => {
  const { github, as } = await aGitHub()
  github.clearLog()
  await as('ada').rest.repos.get(shop)
  await refusal(as('bob').rest.issues.get({ ...shop, issue_number: 9 }))
  expect(github.requestLog().map(({ method, path, status, login }) => `${method} ${path} ${status} ${login}`)).toEqual([
    'GET /repos/acme/shop 200 ada',
    'GET /repos/acme/shop/issues/9 404 bob',
  ])
})

test('the prefix of an Enterprise Server is understood', async () => {
  const { github } = await aGitHub()
  const octokit = new Octokit({ baseUrl: `${github.url}/api/v3`, auth: github.tokenOf('ada'), log: quiet })
  expect((await octokit.rest.repos.get(shop)).data.full_name).toBe('acme/shop')
  expect(await octokit.graphql('{ viewer { login } }')).toEqual({ viewer: { login: 'ada' } })
})

test('what cannot be read is refused in words', async () => {
  const { github, as } = await aGitHub()
  const issue = as('ada').request('POST /repos/{owner}/{repo}/issues', { ...shop, title: 7 })
  expect(await refusal(issue)).toContain('the value is not of type string')
  const headers = { authorization: `token ${github.tokenOf('ada')}` }
  const broken = await fetch(`${github.url}/repos/acme/shop/issues`, { method: 'POST', headers, body: '{' })
  expect([broken.status, await broken.json()]).toMatchObject([400, { message: 'Problems parsing JSON' }])
  expect(await refusal(as('ada').request('GET /nowhere'))).toMatch(/^404 Not Found/)
})
