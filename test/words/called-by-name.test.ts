// Who is called by name, which reaches them: whom the policy names, and the agent whose turn it is.
import { expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { Builder, MadeAs } from '../../src/core/people/people.ts'
import { mention } from '../../src/core/words/text/mention.ts'
import { notesOf } from '../../src/core/words/notes.ts'
import { aDecision, anAttempt, aTask, policyOf } from './attempts.ts'

test.each([
  ['ada', '@ada'],
  ['acme/leads', '@acme/leads'],
  ['lena_acme', '@lena_acme'],
  ['ada lovelace', '`ada lovelace`'],
  ['ada@acme', '`ada@acme`'],
  ['_ada', '`_ada`'],
  ['ada_b_c', '`ada_b_c`'],
])('%s is written %s', (name, written) => expect(mention(name)).toBe(written))

const made = (login: string, kind: Builder['kind'], ...via: MadeAs[]): Builder => ({
  id: null, login, kind, via, permission: 'write', teams: [],
}) // prettier-ignore

const bob = made('bob', 'human', 'author', 'pusher')
const named: PolicyInput = { identities: { agents: ['codex[bot]'] } }
const retrying: PolicyInput = { verification: { retry: { dispatch: 'mention' } } }

test.each<[string, Builder[], PolicyInput, string]>([
  ['a machine that opened it', [made('helper[bot]', 'bot', 'author')], {}, '@helper'],
  ['a machine that pushed', [bob, made('helper[bot]', 'bot', 'pusher')], {}, '@helper'],
  ['who opened it, and not whom a trailer names', [bob, made('linus[bot]', 'bot', 'co_author')], {}, '@bob'],
  ['nor whom the author of a commit says to be', [bob, made('linus[bot]', 'bot', 'commit_author')], {}, '@bob'],
  ['whom the policy calls an agent', [bob, made('codex[bot]', 'bot', 'co_author')], named, '@codex'],
  ['a person whom it calls one', [bob, made('codex', 'human', 'commit_author')], { identities: { agents: ['codex'] } }, '@codex'],
])('another attempt is asked of %s', (_who, builders, policy, called) => {
  const attempt = anAttempt({ builders }, policyOf({ ...retrying, ...policy }))
  const notes = notesOf(aTask(attempt), attempt, aDecision('checks', { status: 'retry' }))
  expect(notes.map(({ about, body }) => [about, body.split(' ')[0]])).toEqual([['dispatch', called]])
}) // prettier-ignore
