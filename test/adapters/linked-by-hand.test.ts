// Who linked an issue by hand, as far as GitHub tells: whatever is missing from its answer makes it unknown, and never somebody.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { linkers, linksShape } from '../../src/adapters/github/issues/linked-by-hand.ts'

const repository = { nameWithOwner: 'Acme/Shop' }
const issue = (number: number, where = repository) => ({ __typename: 'Issue', number, repository: where })
const pull = { __typename: 'PullRequest' }
const user = (login: string) => ({ __typename: 'User', login, databaseId: 7 })
const connected = (number: number, login: string, more = {}) => ({
  __typename: 'ConnectedEvent',
  actor: user(login),
  source: pull,
  subject: issue(number),
  ...more,
})
const byHand = { totalCount: 1, nodes: [issue(3)] }
const ada = { id: 7, login: 'ada' }

test.each<[string, unknown, unknown]>([
  ['nobody did: the words name it', { linkedByHand: { totalCount: 0, nodes: [] }, links: { nodes: [] } }, 'text'],
  ['somebody did', { linkedByHand: byHand, links: { nodes: [connected(3, 'ada')] } }, ada],
  [
    'from the side of the issue',
    { linkedByHand: byHand, links: { nodes: [connected(3, 'ada', { source: issue(3), subject: pull })] } },
    ada,
  ],
  ['the last of several', { linkedByHand: byHand, links: { nodes: [connected(3, 'bob'), connected(3, 'ada')] } }, ada],
  ['not who linked another one', { linkedByHand: byHand, links: { nodes: [connected(4, 'ada')] } }, null],
  [
    'not who linked one of another repository',
    {
      linkedByHand: byHand,
      links: { nodes: [connected(3, 'ada', { subject: issue(3, { nameWithOwner: 'acme/other' }) })] },
    },
    null,
  ],
  ['an account that is gone', { linkedByHand: byHand, links: { nodes: [connected(3, 'ada', { actor: null })] } }, null],
  [
    'it was unlinked last',
    {
      linkedByHand: byHand,
      links: { nodes: [connected(3, 'ada'), connected(3, 'ada', { __typename: 'DisconnectedEvent' })] },
    },
    null,
  ],
  ['no event is shown', { linkedByHand: byHand, links: { nodes: [null] } }, null],
  ['no timeline is shown', { linkedByHand: byHand, links: null }, null],
  ['the list has a hole', { linkedByHand: { totalCount: 1, nodes: [null] }, links: { nodes: [] } }, null],
  ['the list is cut', { linkedByHand: { totalCount: 60, nodes: [issue(5)] }, links: { nodes: [] } }, null],
  ['no list is shown', { linkedByHand: null, links: { nodes: [connected(3, 'ada')] } }, null],
])('%s', (_words, answer, expected) => {
  expect(linkers('acme/shop', z.object(linksShape).parse(answer))(3)).toEqual(expected)
})
