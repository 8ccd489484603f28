import { describe, expect, test } from 'vitest'
import type { Answer, Heads } from '../../src/adapters/github/traffic/answer.ts'
import { conditionalReads, type Read } from '../../src/adapters/github/traffic/etags.ts'
import { aGithub, anApp, errorOf, repo as ada } from './small-github.ts'

const repo = 'https://api.github.com/repos/ada/engine'
const pull = `${repo}/pulls/7`
const sha = 'a'.repeat(40)

type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Response }
type Question = Partial<Pick<Read, 'installation' | 'alone'>> & { readonly token?: string; readonly accept?: string }

/** A GitHub whose things have an ETag that changes with their text; `asked` is what it saw. */
function reader(...bounds: Parameters<typeof conditionalReads>) {
  const read = conditionalReads(...bounds)
  const things = new Map<string, Reply>()
  const asked: string[] = []
  const answerFor = (url: string, headers: Heads): Answer => {
    const { status = 200, headers: more = {}, body = '{}' } = things.get(url) ?? {}
    const etag = typeof body === 'string' ? `W/"${body.length}-${body.slice(0, 9)}"` : 'W/"stream"'
    const condition = headers.get('if-none-match') ?? null
    asked.push(condition === null ? 'whole' : 'if changed')
    const same = condition === etag
    return { status: same ? 304 : status, url, headers: new Headers({ etag, ...more }), body: same ? '' : body }
  }
  const get = (url: string, { installation = '1', token = 't', accept = 'json', alone = false }: Question = {}) =>
    read({ installation, url, headers: new Headers({ authorization: token, accept }), alone }, async (headers) => {
      await Promise.resolve()
      return answerFor(url, headers)
    })
  const text = async (url: string, question?: Question): Promise<unknown> => (await get(url, question)).body
  return { things, asked, get, text }
}

describe('a read that was made before', () => {
  test('asks only for changes, and the old text is the answer when there are none', async () => {
    const { things, asked, get } = reader()
    things.set(pull, { body: '{"head":"a1"}', headers: { 'content-type': 'application/json' } })
    await get(pull)
    const again = await get(pull)
    expect([again.status, again.body, again.headers.get('content-type')]).toEqual([
      200,
      '{"head":"a1"}',
      'application/json',
    ])
    expect(asked).toEqual(['whole', 'if changed'])
  })

  test('brings the new text when there is one, and then that one is known', async () => {
    const { things, asked, text } = reader()
    things.set(pull, { body: '{"head":"a1"}' })
    await text(pull)
    things.set(pull, { body: '{"head":"b22"}' })
    expect([await text(pull), await text(pull)]).toEqual(['{"head":"b22"}', '{"head":"b22"}'])
    expect(asked).toEqual(['whole', 'if changed', 'if changed'])
  })

  test('is forgotten when the thing is gone', async () => {
    const { things, asked, get } = reader()
    await get(pull)
    things.set(pull, { status: 404, body: 'gone' })
    expect((await get(pull)).status).toBe(404)
    things.delete(pull)
    await get(pull)
    expect(asked).toEqual(['whole', 'if changed', 'whole'])
  })

  test('outlives an outage', async () => {
    const { things, asked, get } = reader()
    await get(pull)
    things.set(pull, { status: 502, body: 'unwell' })
    expect((await get(pull)).status).toBe(502)
    things.delete(pull)
    await get(pull)
    expect(asked).toEqual(['whole', 'if changed', 'if changed'])
  })

  test.each([
    ['token', { token: 'other' }],
    ['installation', { installation: '2' }],
    ['media type', { accept: 'diff' }],
  ])('is another read with another %s', async (_what, question) => {
    const { asked, get } = reader()
    await get(pull)
    await get(pull, question)
    expect(asked).toEqual(['whole', 'whole'])
  })
})

describe('what a SHA fixes', () => {
  test.each([`git/blobs/${sha}`, `git/trees/${sha}?recursive=1`, `git/commits/${sha}`])(
    '%s is asked once, even when the hourly token is another',
    async (path) => {
      const { asked, text, things } = reader()
      things.set(`${repo}/${path}`, { body: `{"sha":"${sha}","content":""}\n` })
      const [first, second] = [await text(`${repo}/${path}`), await text(`${repo}/${path}`, { token: 'next hour' })]
      expect(second).toBe(first)
      expect(asked).toEqual(['whole'])
    },
  )

  test.each(['<html>', '{"sha":"a', '{"sha":"a1","tree":[{"path":"b","sha":"c2"}', '{"message":"Server Error"}'])(
    'and what is not that is asked again: %s',
    async (body) => {
      const { asked, text, things } = reader()
      things.set(`${repo}/git/blobs/${sha}`, { body })
      await text(`${repo}/git/blobs/${sha}`)
      await text(`${repo}/git/blobs/${sha}`)
      expect(asked.length).toBe(2)
    },
  )

  test('but never given to another installation', async () => {
    const { asked, get } = reader()
    await get(`${repo}/git/blobs/${sha}`)
    await get(`${repo}/git/blobs/${sha}`, { installation: '2' })
    expect(asked).toEqual(['whole', 'whole'])
  })

  test('and what only looks like it is asked again', async () => {
    const { asked, get } = reader()
    for (const path of ['git/trees/main', `commits/${sha}`, `commits/${sha}/check-runs`]) {
      await get(`${repo}/${path}`)
      await get(`${repo}/${path}`)
    }
    expect(asked).toEqual(Array.from({ length: 3 }, () => ['whole', 'if changed']).flat())
  })
})

describe('identical reads under way together', () => {
  test('are one request', async () => {
    const { asked, get } = reader()
    const all = await Promise.all([get(pull), get(pull), get(pull)])
    expect(all.map(({ body }) => body)).toEqual(['{}', '{}', '{}'])
    expect(asked).toEqual(['whole'])
    await get(pull)
    expect(asked).toEqual(['whole', 'if changed'])
  })

  test('until it has left, since what is on its way may be older than the next question', async () => {
    const read = conditionalReads()
    const question = { installation: '1', url: pull, headers: new Headers(), alone: false }
    const gate = Promise.withResolvers<void>()
    const asked: string[] = []
    const ask = (name: string) => async (_headers: Heads, onSent: () => void) => {
      asked.push(name)
      onSent()
      await gate.promise
      return { status: 200, url: pull, headers: new Headers(), body: name }
    }
    const [first, later] = [read(question, ask('first')), read(question, ask('later'))]
    gate.resolve()
    expect([(await first).body, (await later).body]).toEqual(['first', 'later'])
    expect(asked).toEqual(['first', 'later'])
  })

  test('but one that must be fresh is made by itself', async () => {
    const { asked, get } = reader()
    await Promise.all([get(pull), get(pull, { alone: true })])
    expect(asked).toHaveLength(2)
  })

  test('and a stream is not shared, since it can be read once', async () => {
    const { things, asked, get } = reader()
    things.set(pull, { body: new Response('zip') })
    await Promise.all([get(pull), get(pull)])
    expect(asked).toEqual(['whole', 'whole'])
  })

  test('an error reaches everybody and is not remembered', async () => {
    const read = conditionalReads()
    const question = { installation: '1', url: pull, headers: new Headers(), alone: false }
    const broken = (): Promise<Answer> => Promise.reject(new TypeError('fetch failed'))
    const both = await Promise.allSettled([read(question, broken), read(question, broken)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const answer: Answer = { status: 200, url: pull, headers: new Headers(), body: '{}' }
    expect(await read(question, () => Promise.resolve(answer))).toBe(answer)
  })
})

describe('lists in pages', () => {
  const list = `${repo}/issues/7/comments?per_page=2`
  const next = `<${list}&page=2>; rel="next"`

  test('a full last page is read whole each time, since a new page after it would not change it', async () => {
    const { things, asked, get } = reader()
    things.set(list, { body: '[1,2]' })
    await get(list)
    things.set(list, { body: '[1,2]', headers: { link: next } })
    expect((await get(list)).headers.get('link')).toBe(next)
    expect(asked).toEqual(['whole', 'whole'])
  })

  test('and so is one that GitHub filled with less than was asked for', async () => {
    const { things, asked, get } = reader()
    const wide = `${repo}/issues/7/comments?per_page=500`
    things.set(wide, { body: JSON.stringify(Array.from({ length: 100 }, (_, index) => index)) })
    await get(wide)
    await get(wide)
    expect(asked).toEqual(['whole', 'whole'])
  })

  test.each([
    ['a text file that opens with a bracket', '[section]', {}],
    ['a page that is not full', '[1]', {}],
    ['a page that is not the last', '[1,2]', { link: next }],
  ])('%s is kept', async (_what, body, headers) => {
    const { things, asked, get } = reader()
    things.set(list, { body, headers })
    await get(list)
    await get(list)
    expect(asked).toEqual(['whole', 'if changed'])
  })

  test('the way to the next page is the one that came last', async () => {
    const { things, get } = reader()
    things.set(list, { body: '[1]' })
    await get(list)
    things.set(list, { body: '[1]', headers: { link: next } })
    expect((await get(list)).headers.get('link')).toBe(next)
  })
})

describe('half of an answer', () => {
  const type = { 'content-type': 'application/json; charset=utf-8', etag: '"1"' }
  const commit = { sha, tree: [{ path: 'a' }, { path: 'b' }] }

  /** Of the first answer only as much arrives, and the connection ends as if that was all. */
  async function cutOnce(whole: string, length: number) {
    const asked: unknown[] = []
    const { url } = await aGithub(({ line, headers }) => {
      if (!line.startsWith('GET /repos/')) return null
      asked.push(headers['if-none-match'] ?? 'whole')
      if (headers['if-none-match'] === '"1"') return { status: 304, raw: '', headers: type }
      return { raw: asked.length === 1 ? whole.slice(0, length) : whole, headers: type }
    })
    return { asked, octokit: await anApp(url).app.auth(1) }
  }

  test.each([
    ['nothing', 0],
    ['a beginning', 20],
  ])('is not what GitHub means when it says that nothing has changed: %s', async (_what, length) => {
    const { asked, octokit } = await cutOnce('{"number":7,"title":"A better shop"}', length)
    const read = async () => (await octokit.rest.pulls.get({ ...ada, pull_number: 7 })).data.number
    expect(await errorOf(read())).toMatchObject({ name: 'NoAnswer' })
    expect([await read(), await read()]).toEqual([7, 7])
    expect(asked).toEqual(['whole', 'whole', '"1"'])
  })

  test('does not stand for what a SHA fixes, also where it ends like a whole one', async () => {
    const text = JSON.stringify(commit)
    const { asked, octokit } = await cutOnce(text, text.indexOf('}') + 1)
    const read = async () => (await octokit.rest.git.getTree({ ...ada, tree_sha: sha })).data.tree.length
    expect(await errorOf(read())).toMatchObject({ name: 'NoAnswer' })
    expect([await read(), await read()]).toEqual([2, 2])
    expect(asked).toEqual(['whole', 'whole'])
  })
})

describe('what is not kept', () => {
  test.each([
    ['a stream', { body: new Response('zip') }],
    ['a body above the limit', { body: 'x'.repeat(11) }],
    ['what must not be stored', { headers: { 'cache-control': 'private, no-store' } }],
    ['an answer that is not 200', { status: 203 }],
  ])('%s', async (_what, reply) => {
    const { things, asked, get } = reader({ entriesMax: 9, weightMax: 99 }, 10)
    things.set(pull, reply)
    await get(pull)
    await get(pull)
    expect(asked).toEqual(['whole', 'whole'])
  })

  test.each([
    ['too many answers', { entriesMax: 2, weightMax: 1_000 }],
    ['too many bytes', { entriesMax: 100, weightMax: 25 }],
  ])('of %s, the one that was not used for longest', async (_what, bounds) => {
    const { things, asked, get } = reader(bounds)
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${repo}/${name}`)
    for (const url of [a, b, a, c, a, b]) {
      if (url === undefined) continue
      things.set(url, { body: '0123456789' })
      await get(url)
    }
    expect(asked).toEqual(['whole', 'whole', 'if changed', 'whole', 'if changed', 'whole'])
  })
})
