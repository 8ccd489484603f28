// Acts by label, and taking words back: the label asks, a reason completes, and what restricts is lifted only by who may.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { actOfLabel } from '../../src/core/people/act.ts'
import { abe, ada, agent, aPerson, aScene, bob, cleo, dan, helper, madeBy, shaOf } from './scene.ts'

const tested: PolicyInput = { verification: { checks: ['test'] } }
const ann = aPerson('ann', { permission: 'maintain' })

function aFailure(override_policy: PolicyInput['override_policy'] = {}) {
  const scene = aScene({ ...tested, override_policy }, [madeBy(agent, 'author'), madeBy(ann, 'owner')])
  scene.push('a1', { checks: { test: 'failed' } })
  return scene
}

test('a label is known in any case, and no other label is', () => {
  expect(actOfLabel('Countersign:Override')).toBe('override')
  expect(actOfLabel('countersign:reject')).toBe('reject')
  expect(actOfLabel('countersign:retry')).toBeUndefined()
  expect(actOfLabel('override')).toBeUndefined()
})

describe('a label asks', () => {
  const free = { check_override_requires_reason: false }
  const open = { direct_approval_allowed: true }
  const byChecks = 'denied: forbidden_by_policy override_policy.check_override_allowed'
  test.each([
    ['for an override', {}, ada, 'override', ['asked: override']],
    ['for an override that needs no reason', free, ada, 'override', ['CHECK_OVERRIDE check:test']],
    ['for an approval', open, ada, 'approve', ['asked: approve']],
    ['for an approval, which always needs a reason', { ...free, ...open }, ada, 'approve', ['asked: approve']],
    ['for no approval where there is none', {}, ada, 'approve', ['denied: forbidden_by_policy override_policy.direct_approval_allowed']],
    ['for an override where one kind is allowed', { check_override_allowed: false }, ada, 'override', ['asked: override']],
    ['for an override where the other kind is allowed', { verifier_override_allowed: false }, ada, 'override', ['asked: override']],
    ['for no override where none is allowed', { check_override_allowed: false, verifier_override_allowed: false }, ada, 'override', [byChecks]],
    ['and a rejection waits for no reason', {}, bob, 'reject', ['asked: reject', 'REJECTION']],
    ['and nothing forbids a rejection', { check_override_allowed: false, verifier_override_allowed: false }, bob, 'reject', ['asked: reject', 'REJECTION']],
    ['also where its author made the change', {}, ann, 'reject', ['asked: reject', 'REJECTION']],
    ['for nothing where its author may not write', {}, dan, 'reject', ['denied: permission write']],
    ['for nothing where its author lacks the permission', {}, bob, 'override', ['denied: permission maintain']],
    ['for nothing where its author made the change', {}, ann, 'override', ['denied: builder']],
    ['for nothing where a bot set it', {}, helper, 'override', ['denied: bot']],
  ] as const)('%s', (_title, override_policy, user, act, answers) => {
    expect(aFailure(override_policy).labels(user, act)).toEqual(answers)
  }) // prettier-ignore

  test('and a reason of the same person completes it, once', () => {
    const scene = aFailure()
    expect(scene.says(ada, '/reason flaky')).toEqual(['refused: nothing_to_complete'])
    scene.labels(ada, 'override')
    expect(scene.says(abe, '/reason flaky')).toEqual(['refused: nothing_to_complete'])
    expect(scene.says(ada, '/reason')).toEqual(['refused: reason_missing'])
    expect(scene.says(ada, '/reason flaky')).toEqual(['CHECK_OVERRIDE check:test'])
    expect(scene.says(ada, '/reason flaky')).toEqual(['refused: nothing_to_complete'])
  })

  test('and the newest of several is the one that is completed', () => {
    const scene = aFailure({ direct_approval_allowed: true })
    scene.labels(ada, 'override')
    scene.labels(ada, 'approve')
    expect(scene.says(ada, '/reason seen')).toEqual(['DIRECT_APPROVAL'])
    expect(scene.says(ada, '/reason flaky')).toEqual(['CHECK_OVERRIDE check:test'])
  })

  test('and a reason on an older head completes nothing', () => {
    const scene = aFailure()
    scene.labels(ada, 'override')
    expect(scene.says(ada, '/reason flaky', { sha: shaOf('b2') })).toEqual([`denied: head_moved ${shaOf('a1')}`])
  })

  test('a rejection by label may get its reason later', () => {
    const scene = aFailure()
    scene.labels(bob, 'reject')
    expect(scene.says(bob, '/reason it is unsafe')).toEqual(['REJECTION'])
    expect(scene.says(bob, '/reason it is unsafe')).toEqual(['refused: nothing_to_complete'])
  })
})

describe('a label that is taken away', () => {
  test('takes what it asked for with it, whoever takes it', () => {
    const scene = aFailure()
    scene.labels(ada, 'override')
    expect(scene.labels(bob, 'approve', false)).toEqual(['withdrawn: approve'])
    expect(scene.labels(bob, 'override', false)).toEqual(['withdrawn: override'])
    expect(scene.says(ada, '/reason flaky')).toEqual(['refused: nothing_to_complete'])
  })

  test('takes its act with it, and no act that was made in words', () => {
    const scene = aFailure()
    scene.says(abe, '/override --verifier it is wrong')
    scene.labels(ada, 'override')
    scene.says(ada, '/reason flaky')
    expect(scene.labels(bob, 'override', false)).toEqual(['revoked CHECK_OVERRIDE', 'withdrawn: override'])
    expect(scene.labels(bob, 'override', false)).toEqual(['withdrawn: override'])
    expect(scene.live().acts.map(({ user, standing }) => `${user} ${standing}`)).toEqual(['abe stands', 'ada revoked'])
  })

  test.each([
    ['its author', bob, ['revoked REJECTION', 'withdrawn: reject']],
    ['somebody of higher permission', cleo, ['revoked REJECTION', 'withdrawn: reject']],
    ['not an equal', aPerson('eve'), ['denied: not_its_author bob']],
    ['not a bot', helper, ['denied: not_its_author bob']],
    ['not who made the change', ann, ['denied: not_its_author bob']],
  ])('lifts a rejection only by who may: %s', (_title, user, answers) => {
    const scene = aFailure()
    scene.labels(bob, 'reject')
    expect(scene.labels(user, 'reject', false)).toEqual(answers)
  })

  test('lifts no rejection by the hand of an app', () => {
    const scene = aFailure()
    scene.labels(bob, 'reject')
    expect(scene.labels(bob, 'reject', false, { through: 'an-app' })).toEqual(['denied: not_its_author bob'])
  })
})

describe('taking back', () => {
  test('the newest word of its author that stands, whatever it made', () => {
    const scene = aFailure()
    scene.judged('SOFT_FAIL')
    scene.says(ada, '/ack seen')
    expect(scene.says(ada, '/override because')).toEqual(['CHECK_OVERRIDE check:test', 'VERIFIER_OVERRIDE verifier'])
    expect(scene.says(abe, '/revoke')).toEqual(['refused: nothing_to_take_back'])
    expect(scene.says(ada, '/revoke')).toEqual(['revoked CHECK_OVERRIDE', 'revoked VERIFIER_OVERRIDE'])
    expect(scene.says(ada, '/revoke')).toEqual(['refused: nothing_to_take_back'])
  })

  test('one word after the other, the newest first', () => {
    const scene = aFailure()
    scene.says(ada, '/override --check test flaky')
    scene.says(ada, '/reject on second thought')
    scene.says(ada, '/override --verifier it is wrong')
    expect(scene.says(ada, '/revoke')).toEqual(['revoked VERIFIER_OVERRIDE'])
    expect(scene.says(ada, '/revoke')).toEqual(['revoked REJECTION'])
    expect(scene.says(ada, '/revoke')).toEqual(['revoked CHECK_OVERRIDE'])
  })

  test('not the attempts that were granted', () => {
    const scene = aFailure()
    scene.says(ada, '/retry flaky')
    expect(scene.says(ada, '/revoke')).toEqual(['refused: nothing_to_take_back'])
  })

  test('a rejection of the same tree, wherever it was made', () => {
    const scene = aFailure()
    const carried = { stream: 'R1#8', id: 'k#REJECTION', user: 'bob', user_id: null, permission: 'write', reason: 'no' } as const
    const { head_sha, tree_sha } = scene.live()
    scene.tell({ type: 'carry_rejection', rejection: { ...carried, head_sha, tree_sha, standing: 'stands' } })
    expect(scene.shown()).toBe('failed rejected')
    expect(scene.says(ada, '/revoke')).toEqual(['refused: nothing_to_take_back'])
    expect(scene.says(bob, '/revoke')).toEqual(['revoked where it was carried from'])
    expect(scene.shown()).toBe('pending pending')
  }) // prettier-ignore
})

describe('the verifier is asked again', () => {
  const refers = (reason_code: 'refused' | 'truncated' | 'malformed' | 'budget' | 'cannot_tell') => {
    const scene = aFailure()
    scene.judged('REFER', { reason_code })
    return scene.says(ada, '/verify')
  }

  test.each(['refused', 'truncated', 'malformed', 'budget'] as const)('where its answer was %s', (code) =>
    expect(refers(code)).toEqual(['asked again']),
  )

  test('never for another opinion on the same evidence', () => {
    expect(refers('cannot_tell')).toEqual(['refused: same_evidence'])
    const scene = aFailure()
    scene.judged('SOFT_FAIL')
    expect(scene.says(ada, '/verify')).toEqual(['refused: same_evidence'])
  })

  test('where it could not be asked, not while it reads', () => {
    const scene = aFailure()
    expect(scene.says(ada, '/verify')).toEqual(['refused: same_evidence'])
    scene.outage()
    expect(scene.says(bob, '/verify')).toEqual(['denied: permission maintain'])
    expect(scene.says(ada, '/verify')).toEqual(['asked again'])
    const session = { session_id: 's', tier: 2, prompt_hash: null, handoff_hash: null } as const
    scene.tell({ type: 'start_verification', attempt_id: scene.live().id, ...session })
    expect(scene.says(ada, '/verify')).toEqual(['refused: same_evidence'])
  })

  test('also by who made it, since it grants nothing', () => {
    const scene = aFailure()
    scene.outage()
    expect(scene.says(ann, '/verify')).toEqual(['asked again'])
  })

  test('not where there is none', () => {
    const scene = aScene({ verification: { checks: ['test'], verifier: { enabled: false } } })
    scene.push('a1', { checks: { test: 'failed' } })
    expect(scene.says(ada, '/verify')).toEqual(['refused: verifier_off'])
  })
})
