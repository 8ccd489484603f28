// Words that are heard late count as of when they were said: what was said or found out since is out of their reach.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { ada, aScene, bob, cleo, helper, shaOf, type Scene } from './scene.ts'

/** Everything else is said and told a minute later. */
const late = { at: '2026-01-05T08:59:00.000Z' }

const tested: PolicyInput = { verification: { checks: ['test'], verifier: { enabled: false } } }
const guarded: PolicyInput = { security: { red_team: { enabled: true } } }
const direct: PolicyInput = { override_policy: { direct_approval_allowed: true, reviews_are_direct_approval: true } }

describe('a plain override does not cover', () => {
  test.each<[string, PolicyInput, (scene: Scene) => void]>([
    ['what the verifier objects since', {}, (scene) => { scene.push('a1'); scene.judged('SOFT_FAIL') }],
    ['that it cannot be asked since', {}, (scene) => { scene.push('a1'); scene.outage() }],
    ['what a gate blocks since', guarded, (scene) => { scene.push('a1'); scene.judged('PASS'); scene.gate('red_team', 'BLOCK') }],
    ['what did not come in time', tested, (scene) => { scene.push('a1'); scene.waited() }],
    ['what was rejected since', tested, (scene) => { scene.push('a1', { checks: { test: 'passed' } }); scene.says(bob, '/reject no') }],
    ['who is ahead since', { ...tested, scope: { parallel: 'hold' } }, (scene) => {
      scene.push('a1', { checks: { test: 'passed' } })
      scene.tell({ type: 'report_ahead', attempt_id: scene.live().id, pulls: [{ pull: 3, paths: ['src/a.ts'], more: 0 }] })
    }],
  ])('%s', (_title, policy, play) => {
    const scene = aScene(policy)
    play(scene)
    expect(scene.says(ada, '/override because', late)).toEqual(['refused: nothing_to_override'])
    expect(scene.says(ada, '/override because')).not.toEqual(['refused: nothing_to_override'])
  }) // prettier-ignore
})

describe('what was said since is not taken back', () => {
  test('by /revoke', () => {
    const scene = aScene(tested)
    scene.push('a1', { checks: { test: 'passed' } })
    scene.says(ada, '/reject no')
    expect(scene.says(ada, '/revoke', late)).toEqual(['refused: nothing_to_take_back'])
    expect(scene.shown()).toBe('failed rejected')
  })

  test('by taking a label away', () => {
    const scene = aScene(tested)
    scene.push('a1', { checks: { test: 'passed' } })
    scene.labels(bob, 'reject')
    expect(scene.labels(bob, 'reject', false, late)).toEqual(['withdrawn: reject'])
    expect(scene.shown()).toBe('failed rejected')
  })

  test('by an approval of the same person, which is on record as replaced', () => {
    const scene = aScene({ ...tested, ...direct })
    scene.push('a1', { checks: { test: 'passed' } })
    scene.reviews(ada, 'changes_requested')
    expect(scene.reviews(ada, 'approved', late)).toEqual(['counts', 'DIRECT_APPROVAL', 'revoked DIRECT_APPROVAL'])
    expect(scene.task().reviews.map(({ standing }) => standing)).toEqual(['stands', 'replaced'])
    expect(scene.shown()).toBe('failed rejected')
  })
})

describe('what its author took back before it was heard', () => {
  test('is on record, and never stands', () => {
    const scene = aScene(tested)
    scene.push('a1', { checks: { test: 'failed' } })
    scene.says(ada, '/revoke')
    expect(scene.says(ada, '/override because', late)).toEqual(['CHECK_OVERRIDE check:test', 'revoked CHECK_OVERRIDE'])
    expect(scene.shown()).toBe('retry checks')
  })

  test('is not what somebody else took back', () => {
    const scene = aScene(tested)
    scene.push('a1', { checks: { test: 'failed' } })
    scene.says(cleo, '/revoke')
    expect(scene.says(ada, '/override because', late)).toEqual(['CHECK_OVERRIDE check:test'])
  })

  test('gives back the no that was taken back in its place', () => {
    const scene = aScene({ ...tested, ...direct })
    scene.push('a1', { checks: { test: 'passed' } })
    scene.says(ada, '/reject no', { at: '2026-01-05T08:58:00.000Z' })
    scene.says(ada, '/revoke')
    expect(scene.shown()).toBe('success success')
    expect(scene.says(ada, '/approve yes', late)).toEqual(['DIRECT_APPROVAL', 'revoked DIRECT_APPROVAL'])
    expect(scene.shown()).toBe('failed rejected')
  })
})

test('an approval that was given before a no is void', () => {
  const scene = aScene({ ...tested, merge_requires: 'completed' })
  scene.push('a1', { checks: { test: 'passed' } })
  scene.says(ada, '/reject no')
  scene.says(ada, '/revoke')
  scene.reviews(bob, 'approved', late)
  expect(scene.shown()).toBe('refer review')
})

test('a review resolves no referral that was shown since', () => {
  const scene = aScene({ override_policy: { review_resolves_refer: true } })
  scene.push('a1')
  scene.judged('REFER')
  scene.seen()
  expect(scene.reviews(ada, 'approved', late)).toEqual(['counts'])
  expect(scene.reviews(cleo, 'approved')).toEqual(['counts, resolves'])
})

test('new attempts are granted for those that had begun', () => {
  const policy = {
    verification: { ...tested.verification, retry: { max_attempts: 1, applies_to: 'everyone' } },
  } as const
  const scene = aScene(policy)
  scene.push('a1', { checks: { test: 'failed' } })
  scene.says(ada, '/retry once more', late)
  scene.push('b2', { checks: { test: 'passed' } })
  expect(scene.shown()).toBe('failed spent')
})

test.each([
  ['that its author saw then', { ...late, sha: 'an older commit' }],
  ['that it names', { sha: shaOf('a1') }],
])('a no about an older commit %s holds that one if it comes back', (_, words) => {
  const scene = aScene(tested)
  scene.push('a1', { checks: { test: 'passed' }, head_at: late.at })
  scene.push('c3', { checks: { test: 'passed' }, head_at: '2026-01-05T08:59:30.000Z' })
  scene.push('b2', { checks: { test: 'passed' } })
  expect(scene.says(ada, '/reject no', words)).toEqual(['REJECTION', `denied: head_moved ${scene.live().head_sha}`])
  expect(scene.shown()).toBe('success success')
  scene.push('a1', { checks: { test: 'passed' } })
  expect(scene.shown()).toBe('failed rejected')
})

test('a no to what a task came to holds the commit that its author saw, also when it is no more the head', () => {
  const scene = aScene(tested)
  scene.push('a1', { checks: { test: 'passed' }, head_at: late.at })
  scene.push('b2', { checks: { test: 'passed' } })
  const [words, moved] = [{ ...late, sha: 'an older commit' }, `denied: head_moved ${scene.live().head_sha}`]
  expect(scene.says(ada, '/task reject', words)).toEqual([moved])
  expect(scene.says(helper, '/task reject no', words)).toEqual([moved])
  expect(scene.says(ada, '/task reject no', words)).toEqual(['REJECTION', moved])
  expect(scene.shown()).toBe('success success')
  scene.push('a1', { checks: { test: 'passed' } })
  expect(scene.shown()).toBe('failed rejected')
})

test('one that was found late is about what stands, and holds the commit from before it', () => {
  const scene = aScene(tested)
  scene.push('a1', { checks: { test: 'passed' }, head_at: late.at })
  scene.push('b2', { checks: { test: 'passed' } })
  expect(scene.says(ada, '/reject no', late)).toEqual(['REJECTION', 'REJECTION'])
  expect(scene.shown()).toBe('failed rejected')
  scene.push('a1', { checks: { test: 'passed' } })
  expect(scene.shown()).toBe('failed rejected')
})

test('one of a time when nobody knows which commit was there holds all that may have been', () => {
  const scene = aScene(tested)
  scene.push('a1', { checks: { test: 'passed' }, head_at: late.at })
  scene.push('b2', { checks: { test: 'passed' }, pushed_at: '' })
  scene.push('c3', { checks: { test: 'passed' }, pushed_at: '' })
  expect(scene.says(ada, '/reject no', late)).toEqual(['REJECTION', 'REJECTION', 'REJECTION'])
  for (const commit of ['a1', 'b2', 'c3']) {
    scene.push(commit, { checks: { test: 'passed' } })
    expect(scene.shown()).toBe('failed rejected')
  }
})

describe('a fault of ours', () => {
  const noted = (what: string) => {
    const scene = aScene(tested)
    scene.push('a1', { checks: { test: 'passed' }, invalid: [{ code: 'policy_invalid', subject: null, detail: null }] })
    const fault = (doing: string) => scene.tell({ type: 'note_fault', attempt_id: scene.live().id, doing, what })
    return { scene, fault }
  }

  test('is not let pass by who let an invalid policy pass before', () => {
    const { scene, fault } = noted('it threw')
    expect(scene.says(cleo, '/ack we know')).toEqual(['ACKNOWLEDGMENT invalid for good'])
    expect(scene.shown()).toBe('success success')
    fault('hearing')
    expect(scene.shown()).toBe('refer invalid')
    expect(scene.says(cleo, '/ack I heard it', late)).toEqual(['refused: nothing_to_acknowledge'])
    expect(scene.says(cleo, '/ack I heard it')).toEqual(['ACKNOWLEDGMENT fault'])
    expect(scene.shown()).toBe('success success')
    fault('reading')
    expect(scene.shown()).toBe('refer invalid')
  })
})
