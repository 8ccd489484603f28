// Words are about the base that the pull request had when they were said, whenever they are heard.
import { expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { ada, aScene, bob, shaOf, type Scene } from './scene.ts'

const tested: PolicyInput = { verification: { checks: ['test'], verifier: { enabled: false } } }
const failed = { checks: { test: 'failed' } } as const
const passed = { checks: { test: 'passed' } } as const
const next = { base_ref: 'next', merges_into: 'next' } as const

const minute = (number: number) => `2026-01-05T09:0${number}:00Z`
const override = '/override --check test because'
const counts = ['CHECK_OVERRIDE check:test for good']

/** To another base in the fourth minute; and back, in the sixth. */
const away = (scene: Scene): void => {
  scene.push('a1', { ...failed, head_at: minute(2) })
  scene.push('a1', { ...failed, ...next, head_at: minute(4) })
}
const andBack = (scene: Scene): void => {
  away(scene)
  scene.push('a1', { head_at: minute(6), tier1: 'running' })
}
/** The same with a push behind the move. */
const andPush = (scene: Scene): void => {
  away(scene)
  scene.push('b2', { ...failed, ...next, head_at: minute(6) })
}

test.each<[string, (scene: Scene) => void, number, boolean]>([
  ['before it left', away, 3, false],
  ['in the second in which it left', away, 4, false],
  ['when it was there', away, 5, true],
  ['before it left and came back', andBack, 3, false],
  ['while it was away', andBack, 5, false],
  ['when it was back', andBack, 7, true],
  ['before the push, and after the move', andPush, 5, true],
  ['before the move, of a commit that came later', andPush, 3, false],
])('an override that was said %s', (_, play, said, isTrue) => {
  const scene = aScene(tested)
  play(scene)
  const answer = scene.says(ada, override, { at: minute(said) })
  expect(answer).toEqual(isTrue ? counts : [`denied: head_moved ${scene.live().head_sha}`])
})

const below = { ...passed, merges_into: 'below', head_at: minute(2) } as const

test.each([
  ['the same commits', 'one', 'one', 'counts'],
  ['more commits', 'one', 'more', 'older_commit'],
  ['commits of which not all are known', undefined, undefined, 'older_commit'],
])('words that were said on top of another pull request, where it takes %s along', (_, then, now, expected) => {
  const scene = aScene(tested)
  scene.push('a1', { ...below, ...(then === undefined ? {} : { brings: then }) })
  scene.push('a1', { ...passed, head_at: minute(4), ...(now === undefined ? {} : { brings: now }) })
  expect(scene.says(ada, override, { at: minute(3) })).toEqual([`denied: head_moved ${shaOf('a1')}`])
  expect(scene.reviews(bob, 'approved', { at: minute(3) })).toEqual([expected])
  scene.push('a1', { ...passed, ...next, head_at: minute(6), ...(now === undefined ? {} : { brings: now }) })
  expect(scene.reviews(bob, 'approved', { at: minute(5) })).toEqual(['older_commit'])
  expect(scene.reviews(bob, 'approved', { at: minute(7) })).toEqual(['counts'])
})

test('a no that was said at another base is one here', () => {
  const scene = aScene(tested)
  scene.push('a1', { ...passed, head_at: minute(2) })
  scene.push('a1', { ...passed, ...next, head_at: minute(4) })
  expect(scene.says(bob, '/reject no', { at: minute(3) })).toEqual(['REJECTION'])
  expect(scene.shown()).toBe('failed rejected')
})
