// What arrives as a success and is no answer, over real HTTP to a GitHub of a few lines.
import { expect, test } from 'vitest'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { aGithub, errorOf } from './small-github.ts'

const own = {
  message: 'Something went wrong while executing your query. Please include `CAFE:0001` when reporting this issue.',
}
const slow = { message: "We couldn't respond to your request in time. Sorry about that." }
const hidden = { type: 'FORBIDDEN', path: ['b'], message: 'Resource not accessible by integration' }
const quoted = {
  type: 'NOT_FOUND',
  path: ['b'],
  message: "Could not resolve to a Repository with the name 'acme/timeout'.",
}
const [one, many, change] = ['query { a { id } }', 'query { a { id } b { id } }', 'mutation { a { id } b { id } }']
const some = { a: { id: 1 }, b: null }

async function askedOf(query: string, json: object): Promise<unknown> {
  const { url } = await aGithub(() => ({ json }))
  return errorOf(tokenOctokit(githubTraffic(), 'token', url).graphql(query))
}

test.each([
  ['with nothing', one, { errors: [own] }],
  ['with no data', one, { data: null, errors: [slow] }],
  ['by its type', one, { data: null, errors: [{ type: 'INTERNAL', message: 'Oops' }] }],
  ['with a hole in the one thing asked for', one, { data: { a: { list: null } }, errors: [own] }],
  ['about everything that was asked for', many, { data: { a: null, b: null }, errors: [own, own] }],
  ['about one of several changes', change, { data: some, errors: [own] }],
])('a failure that GraphQL tells %s is an outage', async (_how, query, json) => {
  expect(await askedOf(query, json)).toMatchObject({
    status: 502,
    message: expect.stringContaining('says that it failed'),
  })
})

test.each([
  ['about one of several things', many, { data: some, errors: [own] }],
  ['as a refusal', one, { data: { a: null }, errors: [hidden] }],
  ['as a refusal, in the words of people', many, { data: some, errors: [quoted] }],
  ['as a refusal of one of several changes', change, { data: some, errors: [hidden] }],
])('what GraphQL tells %s is an answer', async (_how, query, json) => {
  expect(await askedOf(query, json)).toMatchObject({ name: 'GraphqlResponseError', data: json.data })
})

const json = { 'content-type': 'application/json; charset=utf-8' }
const page = { 'content-type': 'text/html' }
const labels = { owner: 'acme', repo: 'shop', issue_number: 7, labels: ['ready'] }

test.each([
  ['nothing at all', { status: 200, raw: '', headers: json }, 'no JSON'],
  ['nothing at all of what it made', { status: 201, raw: '' }, 'no JSON'],
  ['that it moved, and not where to', { status: 301, json: { message: 'Moved Permanently' } }, '301'],
  ['by a page that nothing is there', { status: 404, raw: '<h1>Not found</h1>', headers: page }, 'is not GitHub'],
  ['by a page that it makes no sense', { status: 400, raw: '<h1>Bad Request</h1>', headers: page }, 'is not GitHub'],
])('where %s is said, nothing is taken for done', async (_what, answer, words) => {
  const { url } = await aGithub(() => answer)
  const asked = tokenOctokit(githubTraffic(), 'token', url).rest.issues.addLabels(labels)
  expect(await errorOf(asked)).toMatchObject({ status: 502, message: expect.stringContaining(words) })
})

test('what has nothing to say says nothing', async () => {
  const { url } = await aGithub(() => ({ status: 204, raw: '' }))
  const asked = tokenOctokit(githubTraffic(), 'token', url).rest.issues.deleteComment({ ...labels, comment_id: 1 })
  expect(await errorOf(asked)).toBeNull()
})

test('what GitHub refuses itself it refuses', async () => {
  const { url } = await aGithub(() => ({ status: 404, json: { message: 'Not Found' } }))
  const asked = tokenOctokit(githubTraffic(), 'token', url).rest.issues.addLabels(labels)
  expect(await errorOf(asked)).toMatchObject({ status: 404 })
})
