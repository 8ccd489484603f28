// A process may die before or after any call to the outside. Wherever it does, the end is the same: the same decision,
// the same things shown, and a chain of events without a gap.
import { expect, test } from 'vitest'
import { verifyChain } from '../../src/core/decision/record/chain.ts'
import { aFuse, type Fuse } from '../world/fuse.ts'
import { aWorld, type World } from '../world/world.ts'

const policy = { verification: { checks: ['test'] } }

async function story(fuse: Fuse): Promise<World> {
  const world = await aWorld({ policy, fuse })
  world.verifierWillSay('SOFT_FAIL', 'the fix skips the test')
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.push('a2', { checks: { test: 'failed' } })
  await world.comment('ada', '/override --check test the runner is broken')
  await world.sweep()
  return world
}

async function ending(world: World) {
  const { attempts, status, slots } = await world.state()
  const events = await world.events()
  return {
    decisions: attempts.map(({ head_sha, state, decision }) => ({
      head_sha,
      state,
      status: decision?.status,
      row: decision?.row,
    })),
    acts: attempts.flatMap(({ acts }) => acts.map(({ type, standing }) => `${type} ${standing}`)),
    status,
    slots: Object.keys(slots).sort(),
    shown: Object.fromEntries(world.forge.slots),
    starts: events.filter(({ type }) => type === 'VerificationStarted').length,
    ends: events.filter(({ type }) => type === 'VerificationCompleted').length,
    chain: verifyChain(events),
  }
}

test('a crash at any call, and a sweep, end where the calm run ends', async () => {
  const calm = aFuse()
  const calmWorld = await story(calm)
  const calls = calm.calls()
  const expected = await ending(calmWorld)
  expect(expected.decisions.at(-1)).toMatchObject({ status: 'success', row: 'success' })
  expect(expected.chain).toBeNull()
  for (const when of ['before', 'after'] as const) {
    for (let call = 1; call <= calls; call += 1) {
      const fuse = aFuse(call, when)
      const world = await story(fuse)
      expect(fuse.blown()).toBe(true)
      expect(await ending(world), `${when} call ${call}`).toEqual(expected)
    }
  }
})
