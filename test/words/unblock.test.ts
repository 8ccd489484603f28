// Who can change what, and with which words: state by state, as the page says it.
import { describe, expect, test } from 'vitest'
import type { Policy, PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import type { Reason, ReasonCode } from '../../src/core/decision/decision.ts'
import { issuesUnseen } from '../../src/core/decision/half-told.ts'
import { anAttempt, answered, aTask, checks, policyOf, rejection } from './attempts.ts'

const tested: PolicyInput = { verification: { checks: ['test'] } }
const off: PolicyInput = { verification: { checks: ['test'], verifier: { enabled: false } } }
const reason = (code: ReasonCode): Reason => ({ code, subject: null, detail: null })
const passedTier1: Attempt['tier1'] = { id: 't', passed: true, checks: [], findings: [], feedback: null }
const census = { admin: 2, maintain: 2, write: 3, complete: true }

function said(policy: Policy | PolicyInput, given: Partial<Attempt>, task: Partial<TaskState> = {}): string[] {
  const base = { state: 'VERIFYING', decision: null, tier1: passedTier1, census } as const
  const attempt = anAttempt({ ...base, ...given }, policyOf(policy))
  const decision = conclude({ ...aTask(attempt), ...task }, attempt)
  return [`${decision.status} ${decision.row}`, ...decision.who_can_unblock.map(({ who, words }) => `${who}: ${words}`)]
}

const entitled = 'Somebody with maintain permission who is not a builder'
const admin = 'Somebody with admin permission who is not a builder: /ack <reason>'
const passed = checks(['test', 'passed'])
const failing = checks(['test', 'failed'])
const outage = (why: 'no_key' | 'deadline', retry_at: string | null): Attempt['verifier'] => ({
  phase: 'unavailable',
  id: 'v',
  reason: why,
  retry_at,
})
const review = (state: 'approved' | 'changes_requested', given = {}) => ({
  id: 'r',
  by: 'bob',
  teams: [],
  permission: 'write' as const,
  state,
  user_id: null,
  pull: 7,
  base_ref: 'main',
  merges_into: 'main',
  seq: 1,
  standing: 'stands' as const,
  head_sha: 'e'.repeat(40),
  tree_sha: '',
  body: '',
  counts: true,
  why_not: null,
  resolves_refer: false,
  solo: false,
  ...given,
})

// prettier-ignore
const table: readonly (readonly [string, () => string[], string[]])[] = [
  ['a first policy', () => said(tested, { invalid: [reason('policy_proposed')] }), ['refer invalid', admin]],
  ['a first policy that is invalid', () => said(tested, { invalid: [reason('proposal_invalid'), reason('policy_proposed')] }), ['refer invalid', 'The builder: correct the policy in this pull request', admin]],
  ['no policy', () => said(tested, { invalid: [reason('no_policy')] }), ['refer invalid', 'Somebody with admin permission: add `.github/countersign.yml` to the base branch', admin]],
  ['an invalid policy', () => said(tested, { invalid: [reason('policy_invalid')] }), ['refer invalid', 'Somebody with admin permission: repair the policy on the base branch', admin]],
  ['a block that cannot be read', () => said(tested, { invalid: [reason('contract_unreadable')] }), ['refer invalid', 'Whoever may edit the task: correct its block, then push or close and reopen', admin]],
  ['an issue that is not shown', () => said(tested, { invalid: [issuesUnseen] }), ['refer invalid', 'Somebody with admin permission: let this App see each issue that the pull request closes; it is read again by itself', admin]],
  ['a rejection', () => said(tested, { acts: [rejection('grace', 'no')] }), ['failed rejected', 'grace: /revoke', `${entitled}: /override <reason>`, 'The builder: push a change that answers the rejection']],
  ['a rejection by a review', () => said(tested, { acts: [{ ...rejection('grace', 'no'), source: 'review' }] }), ['failed rejected', 'grace: approve, or dismiss the review', `${entitled}: /override <reason>`, 'The builder: push a change that answers the rejection']],
  ['a rejection where only one kind of override is allowed', () => said({ ...tested, override_policy: { check_override_allowed: false } }, { acts: [rejection('grace', 'no')] }), ['failed rejected', 'grace: /revoke', `${entitled}: /override <reason>`, 'The builder: push a change that answers the rejection']],
  ['a rejection where none is allowed', () => said({ ...tested, override_policy: { check_override_allowed: false, verifier_override_allowed: false } }, { acts: [rejection('grace', 'no')] }), ['failed rejected', 'grace: /revoke', 'The builder: push a change that answers the rejection']],
  ['nothing to judge by, where nobody may override', () => said({ verification: { verifier: { enabled: false } }, override_policy: { check_override_allowed: false, verifier_override_allowed: false } }, {}), ['refer vacuous', 'Somebody with admin permission: define checks or an AI review in the policy']],
  ['a check and a verifier that are awaited', () => said(tested, {}), ['pending pending', 'Nobody yet: the results are awaited', 'Nobody yet: the AI review is being made', `${entitled}: /override --check test <reason>`, `${entitled}: /override --verifier <reason>`]],
  ['a success', () => said({ ...off, override_policy: { direct_approval_allowed: true } }, { checks: passed }), ['success success']],
  ['a direct approval', () => said({ ...off, override_policy: { direct_approval_allowed: true } }, { acts: [{ ...rejection('cleo', 'fine'), type: 'DIRECT_APPROVAL' }] }), ['success approved']],
  ['a rejection by an admin', () => said(tested, { acts: [{ ...rejection('cleo', 'no'), permission: 'admin' }] }), ['failed rejected', 'cleo: /revoke', 'The builder: push a change that answers the rejection']],
  ['results that are awaited', () => said(off, { tier1: null }), ['pending pending', 'Nobody yet: the results are awaited', `${entitled}: /override --check test <reason>`, `${entitled}: /override --check tier1 <reason>`]],
  ['a list that is being read', () => said(off, { files: null, checks: passed }), ['pending pending', 'Nobody yet: the list of changed files is being read']],
  ['a verifier that is reading', () => said(tested, { checks: passed, verifier: { phase: 'running', session_id: 's' } }), ['pending pending', 'Nobody yet: the AI review is being made', `${entitled}: /override --verifier <reason>`]],
  ['no workflow', () => said(off, { obstacle: 'missing_workflow' }), ['pending pending', 'Somebody with write permission: add a workflow that runs the checks to the base branch', `${entitled}: /override --check test <reason>`]],
  ['a run that waits for approval', () => said(off, { obstacle: 'awaiting_approval' }), ['pending pending', 'Somebody with write permission: approve the workflow run', `${entitled}: /override --check test <reason>`]],
  ['a merge conflict', () => said(off, { obstacle: 'merge_conflict' }), ['pending pending', 'The builder: merge or rebase the branch', `${entitled}: /override --check test <reason>`]],
  ['a check that never reported', () => said(off, { waited: true }), ['refer pending', 'Somebody with write permission: run what never reported again', `${entitled}: /override --check test <reason>`]],
  ['a check with a name of several words', () => said({ verification: { checks: [{ name: 'unit tests', command: 'x' }], verifier: { enabled: false } } }, { checks: checks(['unit tests', 'failed']) }), ['retry checks', 'The builder: push a fix', `${entitled}: /override --check "unit tests" <reason>`]],
  ['a failed check', () => said(off, { checks: failing }), ['retry checks', 'The builder: push a fix', `${entitled}: /override --check test <reason>`]],
  ['a failed check where nobody may override', () => said({ ...off, override_policy: { check_override_allowed: false } }, { checks: failing }), ['retry checks', 'The builder: push a fix']],
  ['the last attempt', () => said({ verification: { checks: ['test'], verifier: { enabled: false }, retry: { max_attempts: 1 } } }, { checks: failing }), ['failed checks', `${entitled}: /retry <reason>`, 'The builder: push a fix, once new attempts were granted', `${entitled}: /override --check test <reason>`]],
  ['the last attempt, after new ones were granted', () => said({ verification: { checks: ['test'], verifier: { enabled: false }, retry: { max_attempts: 1 } } }, { checks: failing }, { counted_after: 1 }), ['retry checks', 'The builder: push a fix', `${entitled}: /override --check test <reason>`]],
  ['a verifier that stops the task', () => said(tested, { checks: passed, verifier: answered({ outcome: 'HARD_FAIL' }) }), ['failed hard', `${entitled}: /retry <reason>`, `${entitled}: /override --verifier <reason>`]],
  ['the same, after new attempts were granted', () => said(tested, { checks: passed, verifier: answered({ outcome: 'HARD_FAIL' }) }, { counted_after: 1 }), ['retry hard', 'The builder: push another way to do it', `${entitled}: /override --verifier <reason>`]],
  ['enabled: true without a key', () => said({ verification: { checks: ['test'], verifier: { enabled: true } } }, { checks: passed, model_available: false, verifier: outage('no_key', null) }), ['retry unavailable', 'Whoever runs this App: give it the key of a model', 'Somebody with maintain permission: /verify', `${entitled}: /override --verifier <reason>`]],
  ['a referral that no review lifts', () => said({ ...tested, override_policy: { review_resolves_refer: false } }, { checks: passed, verifier: answered({ outcome: 'REFER', reason_code: 'cannot_tell' }) }), ['refer refer', `${entitled}: /override --verifier <reason>`]],
  ['a gate that is at work', () => said({ ...off, security: { red_team: { enabled: true } } }, { checks: passed }), ['pending block', 'Nobody yet: the gate is at work', `${entitled}: /override --verifier <reason>`]],
  ['a gate that blocks', () => said({ ...off, security: { red_team: { enabled: true } } }, { checks: passed, gates: { red_team: { id: 'g', verdict: 'BLOCK', summary: 'no' } } }), ['retry block', 'The builder: push a fix', `${entitled}: /override --verifier <reason>`]],
  ['a gate that could not judge', () => said({ ...off, security: { red_team: { enabled: true } } }, { checks: passed, gates: { red_team: { id: 'g', verdict: 'REFER', summary: 'no' } } }), ['refer block', `${entitled}: /override --verifier <reason>`]],
  ['a stage of anybody', () => said({ ...off, review: { stages: [{ name: 'two', by: [], count: 2 }] } }, { checks: passed }), ['refer review', 'Somebody with write permission who is not a builder: an approving review of this commit']],
  ['an approval of named reviewers, of whom one made it', () => said({ ...off, merge_requires: 'completed', roles: { reviewer: ['ada', 'bob', 'acme/shop'] } }, { checks: passed }, { builders: [{ id: null, login: 'Bob', kind: 'human', permission: 'write', teams: [], via: ['author'] }] }), ['refer review', 'ada, acme/shop: an approving review of this commit']],
  ['an outage', () => said(tested, { checks: passed, verifier: outage('deadline', null) }), ['retry unavailable', 'Somebody with maintain permission: /verify', `${entitled}: /override --verifier <reason>`]],
  ['an outage with another try', () => said(tested, { checks: passed, verifier: outage('deadline', '2026-01-01T01:00:00Z') }), ['pending unavailable', 'Nobody yet: it is asked for again by itself', `${entitled}: /override --verifier <reason>`]],
  ['a referral', () => said(tested, { checks: passed, verifier: answered({ outcome: 'REFER', reason_code: 'cannot_tell' }) }), ['refer refer', `${entitled}: an approving review of this commit`, `${entitled}: /override --verifier <reason>`]],
  ['an answer that could not be read', () => said(tested, { checks: passed, verifier: answered({ outcome: 'REFER', reason_code: 'malformed' }) }), ['refer refer', `${entitled}: an approving review of this commit`, 'Somebody with maintain permission: /verify', `${entitled}: /override --verifier <reason>`]],
  ['nothing to judge by', () => said({ verification: { verifier: { enabled: false } } }, {}), ['refer vacuous', 'Somebody with admin permission: define checks or an AI review in the policy', `${entitled}: /override <reason>`]],
  ['changes requested before', () => said(off, { checks: passed }, { reviews: [review('changes_requested')] }), ['refer review', 'bob: approve, or dismiss the review', 'Somebody with write permission who is not a builder: dismiss that review']],
  ['an approval that is missing', () => said({ ...off, merge_requires: 'completed' }, { checks: passed }), ['refer review', 'Somebody with write permission who is not a builder: an approving review of this commit']],
  ['a stage that is missing', () => said({ ...off, review: { stages: [{ name: 'security', by: ['acme/sec'], count: 1 }] } }, { checks: passed }), ['refer review', 'acme/sec: an approving review of this commit']],
  ['a policy with direct approvals', () => said({ ...off, override_policy: { direct_approval_allowed: true } }, { checks: failing }), ['retry checks', 'The builder: push a fix', `${entitled}: /override --check test <reason>`, `${entitled}: /approve <reason>`]],
  ['a confirmation', () => said({ ...off, merge_requires: 'verified' }, { checks: passed, head_sha: 'e'.repeat(40) }, { reviews: [review('approved')] }), ['refer confirmation', 'Somebody with write permission who is not a builder: /task verify <notes>']],
]

test.each(table)('%s', (_, is, wanted) => {
  expect(is()).toEqual(wanted)
})

describe('who there is', () => {
  const builder = { id: null, login: 'ada', kind: 'human', permission: 'maintain', teams: [], via: ['author'] } as const
  const who = (given: Attempt['census'], policy: PolicyInput = off) =>
    said(policy, { checks: failing, census: given }, { builders: [builder] })
      .at(-1)
      ?.split(': /')[0]

  test.each([
    ['others', { admin: 1, maintain: 1, write: 0, complete: true }, entitled],
    ['nobody at all, since the list could not be read', { admin: 0, maintain: 0, write: 0, complete: false }, entitled],
    [
      'the builder alone',
      { admin: 0, maintain: 1, write: 2, complete: true },
      'ada, since nobody else has maintain permission',
    ],
  ])('%s', (_, given, wanted) => {
    expect(who(given)).toBe(wanted)
  })

  test('machines and those who may not are no makers who could be alone', () => {
    const makers = [
      builder,
      { ...builder, login: 'agent[bot]', kind: 'bot' },
      { ...builder, login: 'dan', permission: 'read' },
    ] as const
    const two = { admin: 0, maintain: 2, write: 0, complete: true }
    const last = said(off, { checks: failing, census: two }, { builders: makers }).at(-1)
    expect(last).toBe(`${entitled}: /override --check test <reason>`)
  })

  test('the builder alone, where policy wants somebody else', () => {
    expect(who({ admin: 0, maintain: 1, write: 2, complete: true }, { ...off, separation: 'triple' })).toBe(
      `${entitled}, of whom there was none when this was opened`,
    )
  })

  test('a list that could not be read is not an empty one', () => {
    const policy: PolicyInput = { ...off, merge_requires: 'completed' }
    const last = (given: Attempt['census']) =>
      said(policy, { checks: passed, census: given }, { builders: [builder] }).at(-1)
    expect(last({ admin: 0, maintain: 0, write: 0, complete: false })).toContain(
      'whether there is anybody is not known',
    )
    expect(last({ admin: 0, maintain: 1, write: 0, complete: true })).toContain(
      'of whom there was none when this was opened',
    )
  })
})
