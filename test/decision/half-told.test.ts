// An attempt of which GitHub told only a half goes on as the same one once the rest is known, with all that was found out and said
// about its commit; where the rest asks for something else, it is another one.
import { expect, test } from 'vitest'
import { issuesUnseen } from '../../src/core/decision/half-told.ts'
import { aPerson, aScene, ada, agent, bob, madeBy } from '../people/scene.ts'

const policy = { verification: { checks: ['test'], verifier: { enabled: false } } }
const helper = aPerson('helper')

test('who made it is known later: results, words and its time stay, and who made it counts', () => {
  const scene = aScene(policy)
  scene.push('a1', { builder_known: false, builders: [madeBy(agent, 'author')], checks: { test: 'passed' } })
  scene.says(ada, '/reject the prices are wrong')
  const before = scene.live()
  const builders = [madeBy(agent, 'author'), madeBy(helper, 'pusher')]
  const events = scene.push('a1', { builder_known: true, builders, head_at: '2026-01-05T10:00:00.000Z' })
  expect(events.map(({ type }) => type)).not.toContain('AttemptSuperseded')
  expect(events.map(({ type }) => type)).not.toContain('TaskSubmitted')
  const { builder_known: _, builders: made, ...now } = scene.live()
  expect(now).toMatchObject({ id: before.id, ordinal: 1, head_at: before.head_at, checks: before.checks })
  expect(now.acts).toEqual(before.acts)
  expect(made.map(({ login }) => login)).toEqual(['agent[bot]', 'helper'])
  expect(scene.shown()).toBe('failed rejected')
})

test('a reading that tells less, or as little, changes nothing', () => {
  const scene = aScene(policy)
  scene.push('a1', { builder_known: false })
  expect(scene.push('a1', { builder_known: false, invalid: [issuesUnseen] })).toEqual([])
  expect(scene.push('a1', { builder_known: false })).toEqual([])
  scene.push('a1', { builder_known: true })
  expect(scene.push('a1', { builder_known: false })).toEqual([])
})

test('an issue that is seen later and asks for nothing ends the doubt', () => {
  const scene = aScene(policy)
  scene.push('a1', { invalid: [issuesUnseen], checks: { test: 'passed' } })
  expect(scene.shown()).toBe('refer invalid')
  scene.reviews(bob, 'approved')
  scene.push('a1', { invalid: [] })
  expect(scene.shown()).toMatch(/^success/)
  expect(scene.task().attempts).toHaveLength(1)
})

test('a policy that can be read later ends the doubt, also where it says what was counted on without it', () => {
  const scene = aScene(policy)
  const invalid = [{ code: 'policy_invalid', subject: null, detail: 'line 6' }] as const
  scene.push('a1', { invalid, checks: { test: 'passed' } })
  expect(scene.shown()).toBe('refer invalid')
  expect(scene.push('a1', { invalid })).toEqual([])
  scene.push('a1', { invalid: [] })
  expect(scene.shown()).toMatch(/^success/)
  expect(scene.task().attempts).toHaveLength(1)
})

test('whoever turns out to have made a part of it has decided nothing by it', () => {
  const scene = aScene(policy)
  scene.push('a1', { builder_known: false, checks: { test: 'failed' } })
  scene.says(ada, '/override I know better')
  expect(scene.shown()).toBe('refer protected')
  scene.push('a1', { builders: [madeBy(agent, 'author'), madeBy(ada, 'pusher')] })
  expect(scene.shown()).toBe('retry checks')
})
