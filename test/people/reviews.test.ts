// What a review means: whose counts, for which commit, what it grants or rejects, and what ends it.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { abe, ada, agent, aPerson, aScene, bob, cleo, dan, helper, madeBy, shaOf } from './scene.ts'

const ann = aPerson('ann')
const completed: PolicyInput = { verification: { checks: ['test'] }, merge_requires: 'completed' }
const direct = { direct_approval_allowed: true, reviews_are_direct_approval: true }

function passed(policy: PolicyInput = completed) {
  const scene = aScene(policy, [madeBy(agent, 'author'), madeBy(ann, 'owner')])
  scene.push('a1', { checks: { test: 'passed' } })
  scene.judged('PASS')
  return scene
}

describe('an approval', () => {
  test.each([
    ['of somebody who may write', bob, 'counts', 'success success'],
    ['of somebody who may not', dan, 'permission', 'refer review'],
    ['of a bot', helper, 'bot', 'refer review'],
    ['of who made it', ann, 'builder', 'refer review'],
  ])('%s', (_title, user, answer, shown) => {
    const scene = passed()
    expect(scene.reviews(user, 'approved')).toEqual([answer])
    expect(scene.shown()).toBe(shown)
  })

  test('of who directed it counts where nobody else may write, and it says so', () => {
    const scene = passed()
    scene.peopled(0, 0, 1)
    expect(scene.reviews(ann, 'approved')).toEqual(['counts (solo)'])
    expect(scene.shown()).toBe('success success')
  })

  test.each([
    [bob, 'not_in_role'],
    [ada, 'counts'],
    [cleo, 'counts'],
    [aPerson('eve', { teams: ['acme/reviewers'] }), 'counts'],
  ])('counts only of the reviewers and leads that policy names: %j', (user, answer) => {
    const scene = passed({ ...completed, roles: { reviewer: ['ADA', 'acme/reviewers'], lead: ['cleo'] } })
    expect(scene.reviews(user, 'approved')).toEqual([answer])
  })

  test('anybody may be a reviewer where policy names leads alone', () => {
    expect(passed({ ...completed, roles: { lead: ['cleo'] } }).reviews(bob, 'approved')).toEqual(['counts'])
  })

  test('of an older commit counts only for the same tree', () => {
    const scene = passed()
    expect(scene.reviews(bob, 'approved', { sha: shaOf('b2'), tree: shaOf('tree-b2') })).toEqual(['older_commit'])
    expect(scene.reviews(bob, 'approved', { sha: shaOf('b2') })).toEqual(['counts'])
  })

  test('of who confirmed it counts only where two people may be enough', () => {
    const scene = passed({ ...completed, merge_requires: 'verified' })
    scene.reviews(bob, 'approved')
    expect(scene.says(ada, '/task verify tried it')).toEqual(['TaskVerified triple'])
    scene.push('a2', { checks: { test: 'passed' } })
    expect(scene.reviews(ada, 'approved')).toEqual(['confirmer'])
    expect(scene.reviews(abe, 'approved')).toEqual(['counts'])
    scene.peopled(0, 1, 1)
    expect(scene.reviews(ada, 'approved')).toEqual(['counts'])
  })
})

describe('an approval lifts a referral', () => {
  const referred = (given: PolicyInput = {}, seen = true) => {
    const scene = aScene(given)
    scene.push('a1')
    scene.judged('REFER')
    if (seen) scene.seen()
    return scene
  }

  test.each([
    ['of who may override, after it was shown', () => referred(), ada, {}, 'counts, resolves', 'success success'],
    ['not before it was shown', () => referred({}, false), ada, {}, 'counts', 'refer refer'],
    ['not of who may not override', () => referred(), bob, {}, 'counts', 'refer refer'],
    ['not where it does not count', () => referred(), helper, {}, 'bot', 'refer refer'],
    ['not where policy says that it does not', () => referred({ override_policy: { review_resolves_refer: false } }), ada, {}, 'counts', 'refer refer'],
    ['not of an older commit, though its tree is the same', () => referred(), ada, { sha: shaOf('b2') }, 'counts', 'refer refer'],
  ])('%s', (_title, play, user, given, answer, shown) => {
    const scene = play()
    expect(scene.reviews(user, 'approved', given)).toEqual([answer])
    expect(scene.shown()).toBe(shown)
  }) // prettier-ignore

  test('not where only the comment was shown', () => {
    const scene = referred({}, false)
    const slot = { slot: 'sticky:9', digest: 'd', ref: null }
    scene.tell({ type: 'show_slot', attempt_id: scene.live().id, ...slot })
    expect(scene.reviews(ada, 'approved')).toEqual(['counts'])
  })

  test('a request for changes lifts none', () => {
    expect(referred().reviews(ada, 'changes_requested')).toEqual(['counts', 'REJECTION'])
  })

  test('no other objection is lifted', () => {
    const scene = aScene()
    scene.push('a1')
    scene.judged('SOFT_FAIL')
    scene.seen()
    expect(scene.reviews(ada, 'approved')).toEqual(['counts'])
    expect(scene.shown()).toBe('retry soft')
  })
})

describe('an approval is a direct approval', () => {
  test.each([
    ['where policy says so', direct, ada, {}, ['counts', 'DIRECT_APPROVAL']],
    ['not where direct approvals are not allowed', { ...direct, direct_approval_allowed: false }, ada, {}, ['counts']],
    ['not where reviews are none', { ...direct, reviews_are_direct_approval: false }, ada, {}, ['counts']],
    ['not of too little permission', direct, bob, {}, ['counts']],
    ['not where it does not count', direct, helper, {}, ['bot']],
    ['not of an older commit, though its tree is the same', direct, ada, { sha: shaOf('b2') }, ['counts']],
  ])('%s', (_title, override_policy, user, given, answers) => {
    const scene = aScene({ override_policy })
    scene.push('a1', { tier1: 'failed' })
    expect(scene.reviews(user, 'approved', given)).toEqual(answers)
  })

  test('which says so where nobody else could give it', () => {
    const scene = aScene({ override_policy: direct }, [madeBy(agent, 'author'), madeBy(ada, 'owner')])
    scene.push('a1', { tier1: 'failed' })
    scene.peopled(0, 1, 0)
    expect(scene.reviews(ada, 'approved')).toEqual(['counts (solo)', 'DIRECT_APPROVAL (solo)'])
  })
})

describe('a request for changes', () => {
  test.each([
    ['of somebody who may write is a rejection', bob, ['counts', 'REJECTION'], 'failed rejected'],
    ['of somebody who may not is none', dan, ['permission'], 'refer review'],
    ['of a bot is none', helper, ['bot'], 'refer review'],
    ['of who made it is a rejection', ann, ['counts', 'REJECTION'], 'failed rejected'],
  ])('%s', (_title, user, answers, shown) => {
    const scene = passed()
    expect(scene.reviews(user, 'changes_requested')).toEqual(answers)
    expect(scene.shown()).toBe(shown)
  })

  test('counts also of those whose approval would not', () => {
    const scene = passed({ ...completed, roles: { reviewer: ['ada'] } })
    expect(scene.reviews(bob, 'changes_requested')).toEqual(['counts', 'REJECTION'])
  })

  test('of an older commit rejects that one, and the present one waits for its author', () => {
    const scene = passed()
    scene.push('a2', { checks: { test: 'passed' } })
    scene.judged('PASS')
    const on = { sha: shaOf('a1'), tree: shaOf('tree-a1') }
    expect(scene.reviews(bob, 'changes_requested', on)).toEqual(['counts', 'REJECTION'])
    expect(scene.task().attempts.map(({ acts }) => acts.length)).toEqual([1, 0])
    expect(scene.shown()).toBe('refer review')
  })

  test('rejects it in the pull request that was reviewed, whatever else shows the commit', () => {
    const scene = passed()
    scene.push('a1', { pull: 10 })
    expect(scene.reviews(bob, 'changes_requested', { pull: 9 })).toEqual(['counts', 'REJECTION'])
    expect(scene.task().attempts.map(({ pull, acts }) => [pull, acts.length])).toEqual([
      [9, 1],
      [10, 0],
    ])
  })

  test('of a commit that was never judged rejects the one with the same tree, or none', () => {
    const scene = passed()
    expect(scene.reviews(bob, 'changes_requested', { sha: shaOf('b2') })).toEqual(['counts', 'REJECTION'])
    const other = { sha: shaOf('b3'), tree: shaOf('tree-b3') }
    expect(scene.reviews(abe, 'changes_requested', other)).toEqual(['counts'])
  })

  test('also of a closed pull request', () => {
    const scene = passed()
    scene.ended('closed')
    expect(scene.reviews(bob, 'changes_requested')).toEqual(['counts', 'REJECTION'])
  })
})

describe('a newer review of the same person', () => {
  test('replaces what the older one did', () => {
    const scene = passed({ ...completed, override_policy: direct })
    scene.reviews(ada, 'approved')
    expect(scene.shown()).toBe('success approved')
    expect(scene.reviews(ada, 'changes_requested')).toEqual(['counts', 'revoked DIRECT_APPROVAL', 'REJECTION'])
    expect(scene.reviews(ada, 'approved')).toEqual(['counts', 'revoked REJECTION', 'DIRECT_APPROVAL'])
    expect(scene.shown()).toBe('success approved')
  })

  test('takes a rejection back also where its approval would not count', () => {
    const scene = passed({ ...completed, roles: { reviewer: ['ada'] } })
    scene.reviews(bob, 'changes_requested')
    expect(scene.reviews(bob, 'approved')).toEqual(['not_in_role', 'revoked REJECTION'])
    expect(scene.shown()).toBe('refer review')
  })

  test('but a request for changes that does not count leaves what was approved', () => {
    const scene = passed({ ...completed, override_policy: direct })
    scene.reviews(ada, 'approved')
    expect(scene.reviews({ ...ada, permission: 'read' }, 'changes_requested')).toEqual(['permission'])
    expect(scene.shown()).toBe('success approved')
  })

  test('leaves what they said in words, and what others reviewed', () => {
    const scene = passed()
    scene.says(bob, '/reject no')
    scene.reviews(abe, 'changes_requested')
    expect(scene.reviews(bob, 'approved')).toEqual(['counts'])
    expect(scene.shown()).toBe('failed rejected')
  })

  test('leaves what they said of another tree', () => {
    const scene = passed()
    scene.reviews(bob, 'changes_requested')
    scene.push('a2', { checks: { test: 'passed' } })
    expect(scene.reviews(bob, 'approved')).toEqual(['counts'])
    expect(scene.task().attempts.map(({ acts }) => acts.map(({ standing }) => standing))).toEqual([['stands'], []])
  })
})

describe('a review that is dismissed', () => {
  test('an approval goes, whoever dismisses it', () => {
    const scene = passed({ ...completed, override_policy: direct })
    scene.reviews(ada, 'approved')
    expect(scene.dismisses(dan)).toEqual(['dismissed', 'revoked DIRECT_APPROVAL'])
    expect(scene.shown()).toBe('refer review')
  })

  test.each([
    ['by its author', bob, true],
    ['by somebody of higher permission', ada, true],
    ['not by an equal', aPerson('eve'), false],
    ['not by a bot', helper, false],
    ['not by who made it', aPerson('ann', { permission: 'admin' }), false],
  ])('a request for changes goes only by who may lift it: %s', (_title, user, lifts) => {
    const scene = passed()
    scene.reviews(bob, 'changes_requested')
    expect(scene.dismisses(user)).toEqual(lifts ? ['dismissed', 'revoked REJECTION'] : ['dismissed in vain'])
    expect(scene.shown()).toBe(lifts ? 'refer review' : 'failed rejected')
  })

  test('only the dismissed one goes', () => {
    const scene = passed()
    scene.says(bob, '/reject no')
    scene.reviews(abe, 'changes_requested')
    expect(scene.dismisses(cleo)).toEqual(['dismissed', 'revoked REJECTION'])
    expect(scene.live().acts.map(({ user, standing }) => `${user} ${standing}`)).toEqual(['bob stands', 'abe revoked'])
  })

  test('an older one takes nothing of a newer one with it', () => {
    const scene = passed({ ...completed, override_policy: direct })
    scene.reviews(ada, 'approved')
    scene.reviews(ada, 'changes_requested')
    expect(scene.dismisses(cleo, { which: 0 })).toEqual(['dismissed'])
    expect(scene.shown()).toBe('failed rejected')
  })

  test('one of which nothing is known yet lifts nothing, and is remembered', () => {
    const scene = passed()
    expect(scene.dismisses(ada)).toEqual(['dismissed in vain'])
    expect(Object.values(scene.task().dismissed)).toEqual(['ada'])
  })
})
