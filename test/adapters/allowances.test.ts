import { expect, test } from 'vitest'
import { chargesOf, githubLimits, turnOf } from '../../src/adapters/github/traffic/allowances.ts'

const github = 'https://api.github.com'
const enterprise = 'https://github.example.com/api'
const query = (text: string): string => JSON.stringify({ query: text })

test.each([
  ['GET', `${github}/repos/a/b/pulls/7?per_page=100`, null, 'read, GET /repos/*/pulls/*: 1'],
  ['POST', `${github}/repos/a/b/check-runs`, null, 'gate, POST /repos/*/check-runs: 5'],
  ['PATCH', `${enterprise}/v3/repos/a/b/check-runs/9`, null, 'gate, PATCH /repos/*/check-runs/*: 5'],
  ['POST', `${github}/repos/a/b/statuses/${'a'.repeat(40)}`, null, 'gate, POST /repos/*/statuses/*: 5'],
  ['POST', `${github}/app/installations/5/access_tokens`, null, 'gate, POST /app/installations/*/access_tokens: 5'],
  ['POST', `${github}/app/hook/deliveries/5/attempts`, null, 'gate, POST /app/hook/deliveries/*/attempts: 5'],
  ['POST', `${github}/repos/a/b/issues/7/comments`, null, 'talk, POST /repos/*/issues/*/comments: 5, content'],
  ['DELETE', `${github}/repos/a/b/issues/7/labels/x`, null, 'talk, DELETE /repos/*/issues/*/labels/x: 5, content'],
  ['POST', `${github}/graphql`, query('{ viewer }'), 'read, POST /graphql: 1'],
  ['POST', `${enterprise}/graphql`, query('\n  mutation { addComment }'), 'talk, POST /graphql: 5, content'],
])('%s %s', (method, url, body, expected) => {
  const turn = turnOf('1', method, url, body)
  const [points] = chargesOf(turn, githubLimits)
  expect(`${turn.rank}, ${turn.endpoint}: ${points?.cost}${turn.content ? ', content' : ''}`).toBe(expected)
  expect(turn.repeatable).toBe(method === 'GET')
})
