// What GitHub's description rejects is reported with where it is and why; what it admits is not.
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../github/wire/server.ts'
import { violationsOf } from './conformance.ts'
import { watchedGitHub } from './watched.ts'

const shop = '/repos/acme/shop'

function reported(method: string, path: string, body: unknown, more: Partial<Exchange> = {}): string[] {
  const text = body === null ? '' : JSON.stringify(body)
  const exchange = { method, path, query: '', body: text, status: 404, answer: { message: 'Not Found' }, ...more }
  return violationsOf(exchange).map(({ side, call, why }) => `${side} of ${call}: ${why}`)
}

describe('a request that is not as described', () => {
  test.each<[string, string, string, unknown, string]>([
    ['of no operation', 'POST', `${shop}/check-run`, {}, 'there is no such operation'],
    ['by another method', 'PUT', `${shop}/check-runs`, {}, 'there is no such operation'],
    ['with text for a number', 'GET', `${shop}/pulls/one`, null, '{pull_number} = one must be integer'],
    ['without what is needed', 'POST', `${shop}/issues/1/comments`, {}, "/ must have required property 'body' (body)"],
    ['without a body', 'POST', `${shop}/issues/1/comments`, null, '/ has no body'],
    ['with a body that is not taken', 'DELETE', `${shop}/issues/1/labels/bug`, { name: 'bug' }, '/ takes no body'],
    [
      'with another word than one of several',
      'POST',
      `${shop}/issues/comments/1/reactions`,
      { content: 'thumbs' },
      '/content must be equal to one of the allowed values (+1, -1, laugh, confused, heart, hooray, rocket, eyes)',
    ],
  ])('%s', (_title, method, path, body, why) => {
    expect(reported(method, path, body)).toEqual([`request of ${method} ${path}: ${why}`])
  })

  test('in its query', () => {
    expect(reported('GET', `${shop}/pulls`, null, { query: 'state=opened&perpage=9&per_page=ten' })).toEqual([
      `request of GET ${shop}/pulls: ?perpage is no parameter of this operation`,
      `request of GET ${shop}/pulls: {state} = opened must be equal to one of the allowed values (open, closed, all)`,
      `request of GET ${shop}/pulls: {per_page} = ten must be integer`,
    ])
  })

  test('within its alternatives: a completed run has a conclusion', () => {
    const path = `${shop}/check-runs/1`
    expect(reported('PATCH', path, { status: 'completed', conclusion: 'success' })).toEqual([])
    expect(reported('PATCH', path, { status: 'completed' })).not.toEqual([])
  })
})

describe('an answer that is not as described', () => {
  const label = {
    id: 1,
    node_id: 'L',
    url: 'https://a.example',
    name: 'bug',
    description: null,
    color: 'f',
    default: true,
  }

  test.each([
    ['of another shape', 200, [{ ...label, default: 'yes' }], '200 /0/default must be boolean'],
    ['of another status', 201, [label], '201 / is no answer of it'],
  ])('%s', (_title, status, answer, why) => {
    const path = `${shop}/issues/1/labels`
    expect(reported('GET', path, null, { status: 200, answer: [label] })).toEqual([])
    expect(reported('GET', path, null, { status, answer })).toEqual([`answer of GET ${path}: ${why}`])
  })
})

test('paths of several segments and links to renamed repositories are let through', () => {
  expect(reported('GET', `${shop}/contents/.github/countersign.yml`, null, { query: 'ref=main' })).toEqual([])
  expect(reported('GET', '/repositories/7/pulls/1', null)).toEqual([])
})

test('a query is held against the published schema', () => {
  expect(reported('POST', '/graphql', { query: '{ viewer { login } }' })).toEqual([])
  const wrong = reported('POST', '/graphql', { query: '{ repository(owner: "a", name: "b") { stack } }' })
  expect(wrong).toEqual([expect.stringContaining('Cannot query field "stack" on type "Repository"')])
  expect(reported('POST', '/graphql', { query: '{}' })).toEqual([expect.stringContaining('Syntax Error')])
})

test('a GitHub that is watched tells at its end what was asked wrongly', async () => {
  const github = await watchedGitHub()
  await fetch(`${github.url}/app/installations?per_page=all`)
  await expect(github.close()).rejects.toThrow(/request of GET \/app\/installations: \{per_page\} = all/)
})
