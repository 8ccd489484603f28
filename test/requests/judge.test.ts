// Who may approve a request, turn it down or ask back, by every wrong identity; and what follows from what its issue says.
import { describe, expect, test } from 'vitest'
import { builtInPolicy } from '../../src/core/contract/policy/policy.ts'
import { decideRequest, type RequestInput } from '../../src/core/requests/decide-request.ts'
import { emptyRequest, evolveRequest, type RequestState, type RequestTerms } from '../../src/core/requests/request.ts'
import { requestWords } from '../../src/core/requests/request-words.ts'
import type { Permission } from '../../src/core/people/permission.ts'
import type { Census, Person } from '../../src/core/people/people.ts'

const terms: RequestTerms = {
  approvers: [],
  clarification: 'block',
  task: 'same',
  start: 'none',
  lead: [],
  min_permission: 'maintain',
}
const team: Census = { admin: 1, maintain: 1, write: 2, complete: true }
const alone: Census = { admin: 1, maintain: 0, write: 0, complete: true }
const body = '### Acceptance criteria\n\n- The price stands below the title\n'
const words = requestWords('Show prices', body)
const dan = { id: 4, login: 'dan' }

const told = (request: RequestState, ...inputs: readonly RequestInput[]): RequestState =>
  inputs.reduce((state, input) => decideRequest(state, input).reduce(evolveRequest, state), request)

const seen = (more: Partial<Extract<RequestInput, { type: 'see_request' }>> = {}): RequestInput => ({
  type: 'see_request',
  number: 7,
  by: dan,
  closed: null,
  words,
  terms,
  ...more,
})

const person = (login: string, permission: Permission, more: Partial<Person> = {}): Person => ({
  id: login.length + 100,
  login,
  kind: 'human',
  permission,
  teams: [],
  ...more,
})

type Saying = { readonly user: Person; readonly through?: string; readonly census?: Census; readonly key?: string }
const said = (
  verb: 'approve' | 'reject' | 'ask',
  { user, through, census = team, key = 'comment-1/0' }: Saying,
  more: Partial<Extract<RequestInput, { type: 'give_request_command' }>> = {},
): RequestInput => ({
  type: 'give_request_command',
  verb,
  text: 'because',
  terms,
  policy: { ...builtInPolicy, identities: { ...builtInPolicy.identities, owners: { 'helper[bot]': 'ada' } } },
  edited_at: null,
  body,
  saying: {
    key,
    user,
    through: through ?? null,
    census,
    sha: '',
    source: 'comment',
    text: `/request ${verb}`,
    at: '2026-01-02T00:00:00Z',
  },
  ...more,
})

const closed = { by: dan, at: '', by_merge: false }
const ada = person('ada', 'maintain')
const asked = told(emptyRequest('acme/shop#7'), seen())
const whyNot = (request: RequestState, input: RequestInput): string => {
  const [event] = decideRequest(request, input)
  return event?.type === 'OverrideDenied' || event?.type === 'CommandRefused'
    ? event.data.why
    : (event?.type ?? 'nothing')
}

describe('who may approve', () => {
  test.each<[string, Saying, string]>([
    ['a maintainer', { user: ada }, 'RequestApproved'],
    ['a writer', { user: person('bob', 'write') }, 'permission'],
    ['a reader', { user: person('eve', 'read') }, 'permission'],
    ['a machine that may do anything', { user: person('robot[bot]', 'admin', { kind: 'bot' }) }, 'bot'],
    ['an App with a person’s token', { user: ada, through: 'robot' }, 'through_app'],
    ['whoever asked for it', { user: { ...person('dan', 'admin'), id: 4 } }, 'own_request'],
    ['whoever asked for it, under a new name', { user: { ...person('daniel', 'admin'), id: 4 } }, 'own_request'],
    ['whoever asked for it, alone', { user: { ...person('dan', 'admin'), id: 4 }, census: alone }, 'RequestApproved'],
    [
      'whoever asked for it, perhaps alone',
      { user: { ...person('dan', 'admin'), id: 4 }, census: { ...alone, complete: false } },
      'own_request',
    ],
  ])('%s', (_who, saying, outcome) => {
    expect(whyNot(asked, said('approve', saying))).toBe(outcome)
  })

  test('the person behind a bot that asked asked for it', () => {
    const byBot = told(emptyRequest('acme/shop#7'), seen({ by: { id: 9, login: 'helper[bot]' } }))
    expect(whyNot(byBot, said('approve', { user: ada }))).toBe('own_request')
  })

  test('those whom the policy names, with write permission, and leads', () => {
    const named = { terms: { ...terms, approvers: ['bob', 'eve'], lead: ['carl'] } }
    expect(whyNot(asked, said('approve', { user: person('bob', 'write') }, named))).toBe('RequestApproved')
    expect(whyNot(asked, said('approve', { user: person('eve', 'triage') }, named))).toBe('not_in_role')
    expect(whyNot(asked, said('approve', { user: person('carl', 'write') }, named))).toBe('RequestApproved')
    expect(whyNot(asked, said('approve', { user: ada }, named))).toBe('not_in_role')
  })
})

test('what was written after its approver had read it is not approved', () => {
  const edited = (edited_at: string) => whyNot(asked, said('approve', { user: ada }, { edited_at }))
  expect(edited('2026-01-01T23:59:59Z')).toBe('RequestApproved')
  expect(edited('2026-01-02T00:00:00Z')).toBe('request_edited')
})

test('a text that takes too long to read is not copied into an issue of its own', () => {
  const unread = { body: null }
  expect(whyNot(asked, said('approve', { user: ada }, { ...unread, terms: { ...terms, task: 'new' } }))).toBe(
    'request_unclear',
  )
  expect(told(asked, said('approve', { user: ada }, unread)).status).toBe('approved')
})

test('an approval from before somebody asked back, or turned it down, is of an earlier round', () => {
  const at = (input: RequestInput, when: string): RequestInput =>
    input.type === 'give_request_command' ? { ...input, saying: { ...input.saying, at: when } } : input
  const asks = told(asked, at(said('ask', { user: ada }), '2026-01-02T00:10:00Z'))
  const again = told(asked, at(said('reject', { user: ada }), '2026-01-02T00:10:00Z'), seen({ closed }), seen())
  for (const request of [asks, again]) {
    const approves = (when: string) => at(said('approve', { user: ada, key: 'comment-2/0' }), when)
    expect(whyNot(request, approves('2026-01-02T00:05:00Z'))).toBe('overtaken')
    expect(told(request, approves('2026-01-02T00:15:00Z')).status).toBe('approved')
  }
})

test('whoever asked may take it back, and nobody else without a say', () => {
  expect(whyNot(asked, said('reject', { user: { ...person('dan', 'read'), id: 4 } }))).toBe('RequestTurnedDown')
  expect(whyNot(asked, said('reject', { user: person('eve', 'read') }))).toBe('permission')
  expect(whyNot(asked, said('ask', { user: { ...person('dan', 'read'), id: 4 } }))).toBe('permission')
})

test('the same words twice are heard once', () => {
  const approved = told(asked, said('approve', { user: ada }))
  expect(decideRequest(approved, said('approve', { user: ada }))).toEqual([])
  expect(whyNot(approved, said('approve', { user: ada, key: 'comment-2/0' }))).toBe('undeclared_transition')
})

test('a closed request is withdrawn until it is opened again; one that is a task is not', () => {
  const shut = seen({ closed })
  expect(told(asked, shut)).toMatchObject({ status: 'rejected', turned_down: { by: 'dan', reason: null } })
  expect(told(asked, shut, seen()).status).toBe('triaged')
  const task = { number: 7, title: 'Show prices', status: 'pending', pull: null, who: null } as const
  const approved = told(asked, said('approve', { user: ada }), { type: 'note_task', approval: 'comment-1/0', task })
  expect(told(approved, shut).status).toBe('approved')
})

test('words that changed after the approval are approved no more, before anybody works on them', () => {
  const changed = seen({ words: requestWords('Show prices', `${body}- And give dan the keys\n`) })
  const approved = told(asked, said('approve', { user: ada }))
  expect(told(approved, changed)).toMatchObject({ status: 'triaged', outdated: 'ada', approval: null })
  const task = { number: 7, title: 'Show prices', status: 'review', pull: 8, who: 'agent' } as const
  const begun = told(approved, { type: 'note_task', approval: 'comment-1/0', task })
  expect(told(begun, changed).status).toBe('in_work')
})

test('no undeclared move, whatever comes in whichever order', () => {
  const shut = seen({ closed })
  const task = { number: 7, title: 'Show prices', status: 'verified', pull: 8, who: 'eve' } as const
  const inputs: readonly RequestInput[] = [
    seen(),
    shut,
    said('approve', { user: ada, key: 'a' }),
    said('reject', { user: ada, key: 'b' }),
    said('ask', { user: ada, key: 'c' }),
    { type: 'note_task', approval: 'a', task },
    { type: 'report_task', task: { ...task, status: 'in_progress' } },
  ]
  for (const one of inputs)
    for (const two of inputs)
      for (const three of inputs)
        for (const four of inputs) {
          const end = told(asked, one, two, three, four)
          expect(end.invariants_broken).toEqual([])
          expect(end.status === 'done' && end.approval === null).toBe(false)
        }
})

test('criteria are bullets below their heading, and the answer that a form makes of nothing is none', () => {
  expect(words).toMatchObject({ criteria: ['The price stands below the title'], lacking: [] })
  expect(requestWords('', '### Acceptance criteria\n\n_No response_').lacking).toHaveLength(1)
  expect(requestWords('', `${body}- Works`).lacking).toEqual([expect.stringContaining('judged by: Works')])
  expect(requestWords('', '```countersign\nacceptance_criteria: [It has a price]\n```').criteria).toEqual([
    'It has a price',
  ])
})
