// What people must say for their acts to count, and what is said where somebody acts on their own work.
import { expect, test } from 'vitest'
import { aWorld, people } from '../world/world.ts'

const verification = { checks: ['test'], verifier: { enabled: false } }
const failing = { checks: { test: 'failed' } } as const

test.each([
  ['an override', '/override', {}],
  ['an approval', '/approve', { direct_approval_allowed: true }],
])('an act that allows something needs a reason, unless the policy asks for none', async (_act, words, more) => {
  const world = await aWorld({ policy: { verification, override_policy: more } })
  await world.push('a1', failing)
  await world.comment('ada', words)
  expect(await world.decision()).toMatchObject({ status: 'retry' })
  await world.comment('ada', `${words} the runner is broken`)
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'human' })
  const [act] = (await world.state()).attempts.flatMap(({ acts }) => acts)
  expect(act).toMatchObject({ user: 'ada', permission: 'maintain', reason: 'the runner is broken' })
})

test('where the policy asks for none, an override needs none', async () => {
  const free = { check_override_requires_reason: false }
  const world = await aWorld({ policy: { verification, override_policy: free } })
  await world.push('a1', failing)
  await world.comment('ada', '/override')
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'human' })
})

test('who is alone may act on their own work, and the decision says so', async () => {
  const ada = people['ada']
  if (ada === undefined) throw new Error('There is no ada')
  const alone = { admin: 0, maintain: 1, write: 3, complete: true }
  const world = await aWorld({ policy: { verification }, author: ada, census: alone })
  await world.push('a1', failing)
  await world.comment('ada', '/override the runner is broken')
  const decision = await world.decision()
  expect(decision).toMatchObject({ status: 'success', by: 'human' })
  expect(decision?.warnings).toContainEqual({ code: 'solo_act', subject: 'ada', detail: null })
  const two = await aWorld({ policy: { verification }, author: ada })
  await two.push('a1', failing)
  await two.comment('ada', '/override the runner is broken')
  expect(await two.decision()).toMatchObject({ status: 'retry' })
})
