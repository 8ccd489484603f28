// Which issues a pull request closes, where GitHub's answer has holes: a list that lacks one says so, and is never taken for
// one that is shorter, or for none.
import { describe, expect, test } from 'vitest'
import { closedIssuesSeen, closedOf, closedShape, namedIn } from '../../src/adapters/github/issues/closed-issues.ts'
import { closedIssues } from '../../src/adapters/github/pulls/pulls.ts'
import { scripted, type Reply } from './scripted.ts'

const issue = (number: number, repository = 'acme/shop') => ({
  number,
  title: `Issue ${number}`,
  body: '',
  state: 'OPEN',
  repository: { nameWithOwner: repository },
  author: { __typename: 'User', login: 'ada' },
  editor: null,
})
const numbersOf = (closed: unknown): number[] | null =>
  closedOf('acme/shop', closedShape.parse(closed))?.map(({ number }) => number) ?? null

test.each([
  ['all of them', { totalCount: 2, nodes: [issue(3), issue(5)] }, [3, 5]],
  ['none', { totalCount: 0, nodes: [] }, []],
  ['those of another repository', { totalCount: 2, nodes: [issue(3, 'acme/other'), issue(4, 'Acme/Shop')] }, [4]],
  ['a hole', { totalCount: 2, nodes: [issue(3), null] }, null],
  ['a hole that is not counted', { totalCount: 1, nodes: [null] }, null],
  ['fewer than there are', { totalCount: 60, nodes: [issue(3)] }, null],
  ['no nodes', { totalCount: 1, nodes: null }, null],
  ['nothing at all', null, null],
])('an answer with %s', (_name, closed, numbers) => {
  expect(numbersOf(closed)).toEqual(numbers)
})

const answer = (closingIssuesReferences: unknown): Reply => ({
  json: { data: { repository: { nameWithOwner: 'acme/shop', pullRequest: { closingIssuesReferences } } } },
})
const page = (nodes: readonly unknown[], endCursor: string | null = null) =>
  answer({ nodes, totalCount: nodes.length, pageInfo: { hasNextPage: endCursor !== null, endCursor } })

/** What is read of a pull request whose text names #8. */
async function read(reply: (asked: { readonly after: unknown }) => Reply) {
  const { access } = scripted(({ line, body }) => {
    const number = Number(/\/issues\/(\d+)$/.exec(line)?.[1])
    if (Number.isInteger(number)) return { json: { title: `Issue ${number}`, body: '', user: { login: 'ada' } } }
    const asked = String(body['query']).includes('closingIssues')
    return asked ? reply({ after: Object(body['variables']).after }) : { status: 404, json: { message: 'no' } }
  })
  const { issues, complete } = await closedIssues(access, { number: 1, body: 'It fixes #8.' })
  return [issues.map(({ number }) => number), complete]
}

describe('asked for by number', () => {
  test.each([
    ['all of them are told', page([issue(3), issue(4, 'acme/other')]), [[3], true]],
    ['none is', page([]), [[], true]],
    ['one is hidden', page([issue(3), null]), [[3, 8], false]],
    ['all are', answer(null), [[8], false]],
    ['the pull request is', { json: { data: { repository: { pullRequest: null } } } }, [[8], false]],
    ['the question is refused', { json: { data: null, errors: [{ type: 'FORBIDDEN', message: 'no' }] } }, [[8], false]],
  ])('%s', async (_name, reply, expected) => {
    expect(await read(() => reply)).toEqual(expected)
  })

  test('what is refused in part counts as far as it was answered', async () => {
    const { json } = page([issue(3), null])
    const refusal = { errors: [{ type: 'NOT_FOUND', message: 'no' }], ...Object(json) }
    expect(await read(() => ({ json: refusal }))).toEqual([[3, 8], false])
  })

  test('they are read page by page, and more than we read are not all', async () => {
    const twoPages = await read(({ after }) => (after === 'more' ? page([issue(5)]) : page([issue(3)], 'more')))
    expect(twoPages).toEqual([[3, 5], true])
    expect(await read(() => page([issue(3)], 'more'))).toEqual([[3, 8], false])
  })

  test('where there is no GraphQL, those that the text names count, and nobody knows of others', async () => {
    expect(await read(() => ({ status: 404, json: { message: 'Not Found' } }))).toEqual([[8], false])
  })

  test('an outage says nothing', async () => {
    await expect(read(() => ({ status: 502, json: { message: 'no' } }))).rejects.toMatchObject({ status: 502 })
  })
})

test('the Action sees a list with a hole as one that it may not see', async () => {
  const { access } = scripted(() => answer({ totalCount: 2, nodes: [issue(3), null] }))
  expect(await closedIssuesSeen(access, 1)).toBeNull()
})

test('closing words in all their spellings', () => {
  const body = 'Closes #1, fixed acme/shop#2, RESOLVE: https://github.com/acme/shop/issues/3 and see #4. Prefixes #5'
  expect(namedIn(body)).toEqual([1, 2, 3])
})
